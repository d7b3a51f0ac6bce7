// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x3xui32>, %arg1: tensor<2x3xui32>) -> (tensor<2x3xui32>) {
  %0 = "stablehlo.or"(%arg0, %arg1) : (tensor<2x3xui32>, tensor<2x3xui32>) -> tensor<2x3xui32>
  func.return %0 : tensor<2x3xui32>
}
}

