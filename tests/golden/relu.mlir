// vector, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<5xf64>) -> (tensor<5xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<5xf64>
  %2 = "stablehlo.maximum"(%arg0, %1) : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
  func.return %2 : tensor<5xf64>
}
}

// scalar, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<f64>) -> (tensor<f64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.maximum"(%arg0, %0) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  func.return %1 : tensor<f64>
}
}

