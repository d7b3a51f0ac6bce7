// scalar, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main() -> (tensor<f64>) {
  %0 = "stablehlo.constant"() {value = dense<0x3FB999999999999A> : tensor<f64>} : () -> tensor<f64>
  func.return %0 : tensor<f64>
}
}

