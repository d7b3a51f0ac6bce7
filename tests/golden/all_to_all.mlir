// axes, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<3x8xf64>) -> (tensor<12x2xf64>) {
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<3x8xf64>) -> tensor<12x2xf64>
  func.return %0 : tensor<12x2xf64>
}
}

// nest, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<3x8xf64>, %arg1: tensor<2x4x3xf64>) -> (tensor<3x8xf64>, tensor<2x4x3xf64>) {
  %0 = "stablehlo.all_to_all"(%arg0) {split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<3x8xf64>) -> tensor<3x8xf64>
  %1 = "stablehlo.all_to_all"(%arg1) {split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
  func.return %0, %1 : tensor<3x8xf64>, tensor<2x4x3xf64>
}
}

