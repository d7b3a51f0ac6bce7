// vector, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<5xi1>) -> (tensor<5xi1>) {
  %0 = "stablehlo.not"(%arg0) : (tensor<5xi1>) -> tensor<5xi1>
  func.return %0 : tensor<5xi1>
}
}

