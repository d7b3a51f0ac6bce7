// all, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<3x5xf64>) -> (tensor<f64>) {
  %0 = "stablehlo.constant"() {value = dense<0x7FF0000000000000> : tensor<f64>} : () -> tensor<f64>
  %5 = "stablehlo.reduce"(%arg0, %0) ({
  ^bb0(%1: tensor<f64>, %2: tensor<f64>):
  %3 = "stablehlo.minimum"(%1, %2) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%3) : (tensor<f64>) -> ()
  }) {dimensions = array<i64: 0, 1>} : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
  func.return %5 : tensor<f64>
}
}

