// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>) -> (tensor<4x3xf64>) {
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4x3xf64>) -> tensor<4x3xf64>
  func.return %0 : tensor<4x3xf64>
}
}

// nest, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>, %arg1: tensor<4xf32>, %arg2: tensor<f64>) -> (tensor<4x3xf64>, tensor<4xf32>, tensor<f64>) {
  %0 = "stablehlo.collective_permute"(%arg0) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4x3xf64>) -> tensor<4x3xf64>
  %1 = "stablehlo.collective_permute"(%arg1) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.collective_permute"(%arg2) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<f64>) -> tensor<f64>
  func.return %0, %1, %2 : tensor<4x3xf64>, tensor<4xf32>, tensor<f64>
}
}

