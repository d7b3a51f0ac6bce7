// plain, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<4x5xf64>) -> (tensor<2x5xf64>) {
  %0 = "stablehlo.slice"(%arg0) {limit_indices = array<i64: 3, 5>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>} : (tensor<4x5xf64>) -> tensor<2x5xf64>
  func.return %0 : tensor<2x5xf64>
}
}

