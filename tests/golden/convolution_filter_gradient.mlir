// valid, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x4x5x5xf64>, %arg1: tensor<2x2x4x2xf64>) -> (tensor<3x2x5x2xf64>) {
  %0 = "stablehlo.transpose"(%arg1) {permutation = array<i64: 1, 2, 0, 3>} : (tensor<2x2x4x2xf64>) -> tensor<2x4x2x2xf64>
  %1 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 3, 1, 2, 0>} : (tensor<2x4x5x5xf64>) -> tensor<5x4x5x2xf64>
  %2 = "stablehlo.convolution"(%1, %0) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<5x4x5x2xf64>, tensor<2x4x2x2xf64>) -> tensor<5x3x2x2xf64>
  %3 = "stablehlo.transpose"(%2) {permutation = array<i64: 1, 2, 0, 3>} : (tensor<5x3x2x2xf64>) -> tensor<3x2x5x2xf64>
  func.return %3 : tensor<3x2x5x2xf64>
}
}

// valid, gpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x4x5x5xf64>, %arg1: tensor<2x2x4x2xf64>) -> (tensor<3x2x5x2xf64>) {
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x4x5x5xf64>, tensor<2x2x4x2xf64>) -> tensor<3x2x5x2xf64>
  func.return %0 : tensor<3x2x5x2xf64>
}
}

// pointwise, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x3x2x3xf64>, %arg1: tensor<2x3x2x4xf64>) -> (tensor<1x1x3x4xf64>) {
  %0 = "stablehlo.reshape"(%arg1) : (tensor<2x3x2x4xf64>) -> tensor<12x4xf64>
  %1 = "stablehlo.reshape"(%arg0) : (tensor<2x3x2x3xf64>) -> tensor<12x3xf64>
  %2 = "stablehlo.dot_general"(%1, %0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>} : (tensor<12x3xf64>, tensor<12x4xf64>) -> tensor<3x4xf64>
  %3 = "stablehlo.reshape"(%2) : (tensor<3x4xf64>) -> tensor<1x1x3x4xf64>
  func.return %3 : tensor<1x1x3x4xf64>
}
}

// pointwise_strides, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x5x4x2xf64>, %arg1: tensor<1x3x3x3xf64>) -> (tensor<1x1x2x3xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 1, 2, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x5x4x2xf64>, tensor<f64>) -> tensor<1x6x7x2xf64>
  %2 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 5, 7, 2>, strides = array<i64: 1, 2, 3, 1>} : (tensor<1x6x7x2xf64>) -> tensor<1x3x3x2xf64>
  %3 = "stablehlo.reshape"(%arg1) : (tensor<1x3x3x3xf64>) -> tensor<9x3xf64>
  %4 = "stablehlo.reshape"(%2) : (tensor<1x3x3x2xf64>) -> tensor<9x2xf64>
  %5 = "stablehlo.dot_general"(%4, %3) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>} : (tensor<9x2xf64>, tensor<9x3xf64>) -> tensor<2x3xf64>
  %6 = "stablehlo.reshape"(%5) : (tensor<2x3xf64>) -> tensor<1x1x2x3xf64>
  func.return %6 : tensor<1x1x2x3xf64>
}
}

// one_channel, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x6x7x1xf64>, %arg1: tensor<1x6x5x2xf64>) -> (tensor<2x3x1x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 1, 2, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x6x7x1xf64>, tensor<f64>) -> tensor<1x8x9x1xf64>
  %2 = "stablehlo.transpose"(%1) {permutation = array<i64: 3, 0, 1, 2>} : (tensor<1x8x9x1xf64>) -> tensor<1x1x8x9xf64>
  %3 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 1, 6, 5>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x1x8x9xf64>) -> tensor<1x1x6x5xf64>
  %4 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 2>, limit_indices = array<i64: 1, 1, 6, 7>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x1x8x9xf64>) -> tensor<1x1x6x5xf64>
  %5 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 4>, limit_indices = array<i64: 1, 1, 6, 9>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x1x8x9xf64>) -> tensor<1x1x6x5xf64>
  %6 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 1, 1, 8, 5>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x1x8x9xf64>) -> tensor<1x1x6x5xf64>
  %7 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 2, 2>, limit_indices = array<i64: 1, 1, 8, 7>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x1x8x9xf64>) -> tensor<1x1x6x5xf64>
  %8 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 2, 4>, limit_indices = array<i64: 1, 1, 8, 9>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x1x8x9xf64>) -> tensor<1x1x6x5xf64>
  %9 = "stablehlo.concatenate"(%3, %4, %5, %6, %7, %8) {dimension = 0 : i64} : (tensor<1x1x6x5xf64>, tensor<1x1x6x5xf64>, tensor<1x1x6x5xf64>, tensor<1x1x6x5xf64>, tensor<1x1x6x5xf64>, tensor<1x1x6x5xf64>) -> tensor<6x1x6x5xf64>
  %10 = "stablehlo.reshape"(%9) : (tensor<6x1x6x5xf64>) -> tensor<6x30xf64>
  %11 = "stablehlo.reshape"(%arg1) : (tensor<1x6x5x2xf64>) -> tensor<30x2xf64>
  %12 = "stablehlo.dot_general"(%10, %11) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<6x30xf64>, tensor<30x2xf64>) -> tensor<6x2xf64>
  %13 = "stablehlo.reshape"(%12) : (tensor<6x2xf64>) -> tensor<2x3x1x2xf64>
  func.return %13 : tensor<2x3x1x2xf64>
}
}

// no_examples, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<0x4x4x2xf64>, %arg1: tensor<0x2x2x3xf64>) -> (tensor<3x3x2x3xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<3x3x2x3xf64>
  func.return %1 : tensor<3x3x2x3xf64>
}
}

