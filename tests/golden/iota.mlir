// vector, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main() -> (tensor<5xi32>) {
  %0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<5xi32>
  func.return %0 : tensor<5xi32>
}
}

