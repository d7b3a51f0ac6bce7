// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>) -> (tensor<4x4x3xf64>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<4x3xf64>) -> tensor<1x4x3xf64>
  %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<1x4x3xf64>) -> tensor<4x4x3xf64>
  func.return %1 : tensor<4x4x3xf64>
}
}

// nest, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>, %arg1: tensor<4xf32>, %arg2: tensor<f64>) -> (tensor<4x4x3xf64>, tensor<4x4xf32>, tensor<4xf64>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<4x3xf64>) -> tensor<1x4x3xf64>
  %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<1x4x3xf64>) -> tensor<4x4x3xf64>
  %2 = "stablehlo.reshape"(%arg1) : (tensor<4xf32>) -> tensor<1x4xf32>
  %3 = "stablehlo.all_gather"(%2) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<1x4xf32>) -> tensor<4x4xf32>
  %4 = "stablehlo.reshape"(%arg2) : (tensor<f64>) -> tensor<1xf64>
  %5 = "stablehlo.all_gather"(%4) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<1xf64>) -> tensor<4xf64>
  func.return %1, %3, %5 : tensor<4x4x3xf64>, tensor<4x4xf32>, tensor<4xf64>
}
}

