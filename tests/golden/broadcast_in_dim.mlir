// scalar, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<f64>) -> (tensor<2x3xf64>) {
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x3xf64>
  func.return %0 : tensor<2x3xf64>
}
}

