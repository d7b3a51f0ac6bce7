// narrow, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<4xf64>) -> (tensor<4xf32>) {
  %0 = "stablehlo.convert"(%arg0) : (tensor<4xf64>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
}

