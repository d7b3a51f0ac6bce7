// pairs, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x2x3x3xf64>) -> (tensor<2x4x6x3xf64>) {
  %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 0, 1, 3, 4>} : (tensor<2x2x3x3xf64>) -> tensor<2x2x2x3x3xf64>
  %1 = "stablehlo.reshape"(%0) : (tensor<2x2x2x3x3xf64>) -> tensor<2x4x3x3xf64>
  %2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64: 0, 1, 2, 4>} : (tensor<2x4x3x3xf64>) -> tensor<2x4x3x2x3xf64>
  %3 = "stablehlo.reshape"(%2) : (tensor<2x4x3x2x3xf64>) -> tensor<2x4x6x3xf64>
  func.return %3 : tensor<2x4x6x3xf64>
}
}

// pairs_remainder, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x2x3x2xf64>) -> (tensor<1x5x7x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 2, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>} : (tensor<1x2x3x2xf64>, tensor<f64>) -> tensor<1x5x3x2xf64>
  %2 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>} : (tensor<1x2x3x2xf64>, tensor<f64>) -> tensor<1x5x3x2xf64>
  %3 = "stablehlo.add"(%1, %2) : (tensor<1x5x3x2xf64>, tensor<1x5x3x2xf64>) -> tensor<1x5x3x2xf64>
  %4 = "stablehlo.pad"(%3, %0) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 2, 0>, interior_padding = array<i64: 0, 0, 1, 0>} : (tensor<1x5x3x2xf64>, tensor<f64>) -> tensor<1x5x7x2xf64>
  %5 = "stablehlo.pad"(%3, %0) {edge_padding_low = array<i64: 0, 0, 1, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 1, 0>} : (tensor<1x5x3x2xf64>, tensor<f64>) -> tensor<1x5x7x2xf64>
  %6 = "stablehlo.add"(%4, %5) : (tensor<1x5x7x2xf64>, tensor<1x5x7x2xf64>) -> tensor<1x5x7x2xf64>
  func.return %6 : tensor<1x5x7x2xf64>
}
}

// overlapping, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x4x3x2xf64>) -> (tensor<1x7x6x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, -1, 0, 0>, edge_padding_high = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>} : (tensor<1x4x3x2xf64>, tensor<f64>) -> tensor<1x7x3x2xf64>
  %2 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>} : (tensor<1x4x3x2xf64>, tensor<f64>) -> tensor<1x7x3x2xf64>
  %3 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, -1, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>} : (tensor<1x4x3x2xf64>, tensor<f64>) -> tensor<1x7x3x2xf64>
  %4 = "stablehlo.add"(%1, %2) : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %5 = "stablehlo.add"(%4, %3) : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %6 = "stablehlo.pad"(%5, %0) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 1, 0>} : (tensor<1x7x3x2xf64>, tensor<f64>) -> tensor<1x7x6x2xf64>
  %7 = "stablehlo.pad"(%5, %0) {edge_padding_low = array<i64: 0, 0, 1, 0>, edge_padding_high = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 1, 0>} : (tensor<1x7x3x2xf64>, tensor<f64>) -> tensor<1x7x6x2xf64>
  %8 = "stablehlo.pad"(%5, %0) {edge_padding_low = array<i64: 0, 0, 2, 0>, edge_padding_high = array<i64: 0, 0, -1, 0>, interior_padding = array<i64: 0, 0, 1, 0>} : (tensor<1x7x3x2xf64>, tensor<f64>) -> tensor<1x7x6x2xf64>
  %9 = "stablehlo.add"(%6, %7) : (tensor<1x7x6x2xf64>, tensor<1x7x6x2xf64>) -> tensor<1x7x6x2xf64>
  %10 = "stablehlo.add"(%9, %8) : (tensor<1x7x6x2xf64>, tensor<1x7x6x2xf64>) -> tensor<1x7x6x2xf64>
  func.return %10 : tensor<1x7x6x2xf64>
}
}

// gaps, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x2x4x1xf64>) -> (tensor<1x7x8x1xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 3, 0, 0>, interior_padding = array<i64: 0, 2, 0, 0>} : (tensor<1x2x4x1xf64>, tensor<f64>) -> tensor<1x7x4x1xf64>
  %2 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 2, 0, 0>, interior_padding = array<i64: 0, 2, 0, 0>} : (tensor<1x2x4x1xf64>, tensor<f64>) -> tensor<1x7x4x1xf64>
  %3 = "stablehlo.add"(%1, %2) : (tensor<1x7x4x1xf64>, tensor<1x7x4x1xf64>) -> tensor<1x7x4x1xf64>
  %4 = "stablehlo.pad"(%3, %0) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 1, 0>} : (tensor<1x7x4x1xf64>, tensor<f64>) -> tensor<1x7x8x1xf64>
  func.return %4 : tensor<1x7x8x1xf64>
}
}

// no_examples, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<0x2x2x2xf64>) -> (tensor<0x4x4x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<0x4x4x2xf64>
  func.return %1 : tensor<0x4x4x2xf64>
}
}

