// edges, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x3xf64>) -> (tensor<3x5xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_high = array<i64: 0, 2>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<2x3xf64>, tensor<f64>) -> tensor<3x5xf64>
  func.return %1 : tensor<3x5xf64>
}
}

