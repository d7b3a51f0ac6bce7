// vector, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<5xf64>) -> (tensor<5xf64>) {
  %0 = "stablehlo.log"(%arg0) : (tensor<5xf64>) -> tensor<5xf64>
  func.return %0 : tensor<5xf64>
}
}

