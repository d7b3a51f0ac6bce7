// pairs, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x4x6x3xf64>) -> (tensor<2x2x3x3xf64>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 4, 5, 3>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x6x3xf64>) -> tensor<2x4x3x3xf64>
  %1 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 2, 4, 6, 3>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x6x3xf64>) -> tensor<2x4x3x3xf64>
  %2 = "stablehlo.add"(%0, %1) : (tensor<2x4x3x3xf64>, tensor<2x4x3x3xf64>) -> tensor<2x4x3x3xf64>
  %3 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 3, 3, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<2x4x3x3xf64>) -> tensor<2x2x3x3xf64>
  %4 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 2, 4, 3, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<2x4x3x3xf64>) -> tensor<2x2x3x3xf64>
  %5 = "stablehlo.add"(%3, %4) : (tensor<2x2x3x3xf64>, tensor<2x2x3x3xf64>) -> tensor<2x2x3x3xf64>
  func.return %5 : tensor<2x2x3x3xf64>
}
}

// pairs, gpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x4x6x3xf64>) -> (tensor<2x2x3x3xf64>) {
  %4 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %5 = "stablehlo.reduce_window"(%arg0, %4) ({
  ^bb0(%0: tensor<f64>, %1: tensor<f64>):
  %2 = "stablehlo.add"(%0, %1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%2) : (tensor<f64>) -> ()
  }) {window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>, padding = dense<[[0, 0], [0, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>} : (tensor<2x4x6x3xf64>, tensor<f64>) -> tensor<2x2x3x3xf64>
  func.return %5 : tensor<2x2x3x3xf64>
}
}

// overlapping, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x7x6x2xf64>) -> (tensor<1x4x3x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x6x2xf64>, tensor<f64>) -> tensor<1x7x7x2xf64>
  %2 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 5, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %3 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 1, 7, 6, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %4 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 1, 7, 7, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %5 = "stablehlo.add"(%2, %3) : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %6 = "stablehlo.add"(%5, %4) : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %7 = "stablehlo.pad"(%6, %0) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x3x2xf64>, tensor<f64>) -> tensor<1x9x3x2xf64>
  %8 = "stablehlo.slice"(%7) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %9 = "stablehlo.slice"(%7) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 8, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %10 = "stablehlo.slice"(%7) {start_indices = array<i64: 0, 2, 0, 0>, limit_indices = array<i64: 1, 9, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %11 = "stablehlo.add"(%8, %9) : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xf64>
  %12 = "stablehlo.add"(%11, %10) : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xf64>
  func.return %12 : tensor<1x4x3x2xf64>
}
}

// gaps, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x7x8x1xf64>) -> (tensor<1x2x4x1xf64>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 7, 1>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x8x1xf64>) -> tensor<1x7x4x1xf64>
  %1 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 4, 4, 1>, strides = array<i64: 1, 3, 1, 1>} : (tensor<1x7x4x1xf64>) -> tensor<1x2x4x1xf64>
  %2 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 5, 4, 1>, strides = array<i64: 1, 3, 1, 1>} : (tensor<1x7x4x1xf64>) -> tensor<1x2x4x1xf64>
  %3 = "stablehlo.add"(%1, %2) : (tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xf64>
  func.return %3 : tensor<1x2x4x1xf64>
}
}

// whole_image, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x3x5x2xf64>) -> (tensor<2x1x1x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %5 = "stablehlo.reduce"(%arg0, %0) ({
  ^bb0(%1: tensor<f64>, %2: tensor<f64>):
  %3 = "stablehlo.add"(%1, %2) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%3) : (tensor<f64>) -> ()
  }) {dimensions = array<i64: 1, 2>} : (tensor<2x3x5x2xf64>, tensor<f64>) -> tensor<2x2xf64>
  %6 = "stablehlo.reshape"(%5) : (tensor<2x2xf64>) -> tensor<2x1x1x2xf64>
  func.return %6 : tensor<2x1x1x2xf64>
}
}

// no_examples, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<0x4x4x2xf64>) -> (tensor<0x2x2x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<0x2x2x2xf64>
  func.return %1 : tensor<0x2x2x2xf64>
}
}

