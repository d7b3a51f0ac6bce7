// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<2x3xf64>) -> (tensor<4x2x3xf64>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x3xf64>) -> tensor<1x2x3xf64>
  %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<1x2x3xf64>) -> tensor<4x2x3xf64>
  func.return %1 : tensor<4x2x3xf64>
}
}

