// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x3xf64>, %arg1: tensor<4xf64>) -> (tensor<2x3xf64>) {
  %0:2 = "stablehlo.optimization_barrier"(%arg0, %arg1) : (tensor<2x3xf64>, tensor<4xf64>) -> (tensor<2x3xf64>, tensor<4xf64>)
  func.return %0#0 : tensor<2x3xf64>
}
}

