// EQ, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<7xi32>, %arg1: tensor<7xi32>) -> (tensor<7xi1>) {
  %0 = "stablehlo.compare"(%arg0, %arg1) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  func.return %0 : tensor<7xi1>
}
}

