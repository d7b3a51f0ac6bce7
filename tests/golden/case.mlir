// two_branches, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2x3xf64>) -> (tensor<2x3xf64>) {
  %6 = "stablehlo.case"(%arg0) ({
  %0 = "stablehlo.exponential"(%arg1) : (tensor<2x3xf64>) -> tensor<2x3xf64>
  "stablehlo.return"(%0) : (tensor<2x3xf64>) -> ()
  }, {
  %2 = "stablehlo.constant"() {value = dense<0x4000000000000000> : tensor<f64>} : () -> tensor<f64>
  %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x3xf64>
  %4 = "stablehlo.multiply"(%arg1, %3) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  "stablehlo.return"(%4) : (tensor<2x3xf64>) -> ()
  }) : (tensor<i32>) -> tensor<2x3xf64>
  func.return %6 : tensor<2x3xf64>
}
}

