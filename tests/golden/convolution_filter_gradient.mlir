// valid, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x4x5x3xf64>, %arg1: tensor<2x2x4x2xf64>) -> (tensor<3x2x3x2xf64>) {
  %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 3, 0, 1, 2>} : (tensor<2x4x5x3xf64>) -> tensor<3x2x4x5xf64>
  %1 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 3, 2, 2, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x4x5xf64>) -> tensor<3x2x2x4xf64>
  %2 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 0, 0, 1>, limit_indices = array<i64: 3, 2, 2, 5>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x4x5xf64>) -> tensor<3x2x2x4xf64>
  %3 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 3, 2, 3, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x4x5xf64>) -> tensor<3x2x2x4xf64>
  %4 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 0, 1, 1>, limit_indices = array<i64: 3, 2, 3, 5>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x4x5xf64>) -> tensor<3x2x2x4xf64>
  %5 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 3, 2, 4, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x4x5xf64>) -> tensor<3x2x2x4xf64>
  %6 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 0, 2, 1>, limit_indices = array<i64: 3, 2, 4, 5>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x4x5xf64>) -> tensor<3x2x2x4xf64>
  %7 = "stablehlo.concatenate"(%1, %2, %3, %4, %5, %6) {dimension = 0 : i64} : (tensor<3x2x2x4xf64>, tensor<3x2x2x4xf64>, tensor<3x2x2x4xf64>, tensor<3x2x2x4xf64>, tensor<3x2x2x4xf64>, tensor<3x2x2x4xf64>) -> tensor<18x2x2x4xf64>
  %8 = "stablehlo.reshape"(%7) : (tensor<18x2x2x4xf64>) -> tensor<18x16xf64>
  %9 = "stablehlo.reshape"(%arg1) : (tensor<2x2x4x2xf64>) -> tensor<16x2xf64>
  %10 = "stablehlo.dot_general"(%8, %9) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<18x16xf64>, tensor<16x2xf64>) -> tensor<18x2xf64>
  %11 = "stablehlo.reshape"(%10) : (tensor<18x2xf64>) -> tensor<3x2x3x2xf64>
  func.return %11 : tensor<3x2x3x2xf64>
}
}

// valid, gpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x4x5x3xf64>, %arg1: tensor<2x2x4x2xf64>) -> (tensor<3x2x3x2xf64>) {
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x4x5x3xf64>, tensor<2x2x4x2xf64>) -> tensor<3x2x3x2xf64>
  func.return %0 : tensor<3x2x3x2xf64>
}
}

// same, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x4x4x5xf64>, %arg1: tensor<1x4x4x2xf64>) -> (tensor<3x3x5x2xf64>) {
  %0 = "stablehlo.transpose"(%arg1) {permutation = array<i64: 1, 2, 0, 3>} : (tensor<1x4x4x2xf64>) -> tensor<4x4x1x2xf64>
  %1 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 3, 1, 2, 0>} : (tensor<1x4x4x5xf64>) -> tensor<5x4x4x1xf64>
  %2 = "stablehlo.convolution"(%1, %0) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1, 1>, padding = dense<[[1, 1], [1, 1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<5x4x4x1xf64>, tensor<4x4x1x2xf64>) -> tensor<5x3x3x2xf64>
  %3 = "stablehlo.transpose"(%2) {permutation = array<i64: 1, 2, 0, 3>} : (tensor<5x3x3x2xf64>) -> tensor<3x3x5x2xf64>
  func.return %3 : tensor<3x3x5x2xf64>
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

// pointwise_stride, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x5x4x2xf64>, %arg1: tensor<1x3x2x3xf64>) -> (tensor<1x1x2x3xf64>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 5, 4, 2>, strides = array<i64: 1, 2, 3, 1>} : (tensor<1x5x4x2xf64>) -> tensor<1x3x2x2xf64>
  %1 = "stablehlo.reshape"(%arg1) : (tensor<1x3x2x3xf64>) -> tensor<6x3xf64>
  %2 = "stablehlo.reshape"(%0) : (tensor<1x3x2x2xf64>) -> tensor<6x2xf64>
  %3 = "stablehlo.dot_general"(%2, %1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>} : (tensor<6x2xf64>, tensor<6x3xf64>) -> tensor<2x3xf64>
  %4 = "stablehlo.reshape"(%3) : (tensor<2x3xf64>) -> tensor<1x1x2x3xf64>
  func.return %4 : tensor<1x1x2x3xf64>
}
}

// pointwise_padding, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x2x3x2xf64>, %arg1: tensor<1x3x6x2xf64>) -> (tensor<1x1x2x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 1, 2, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x2x3x2xf64>, tensor<f64>) -> tensor<1x3x6x2xf64>
  %2 = "stablehlo.reshape"(%arg1) : (tensor<1x3x6x2xf64>) -> tensor<18x2xf64>
  %3 = "stablehlo.reshape"(%1) : (tensor<1x3x6x2xf64>) -> tensor<18x2xf64>
  %4 = "stablehlo.dot_general"(%3, %2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>} : (tensor<18x2xf64>, tensor<18x2xf64>) -> tensor<2x2xf64>
  %5 = "stablehlo.reshape"(%4) : (tensor<2x2xf64>) -> tensor<1x1x2x2xf64>
  func.return %5 : tensor<1x1x2x2xf64>
}
}

// one_channel, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x4x5x1xf64>, %arg1: tensor<2x4x5x4xf64>) -> (tensor<3x3x1x4xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 1, 1, 0>, edge_padding_high = array<i64: 0, 1, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<2x4x5x1xf64>, tensor<f64>) -> tensor<2x6x7x1xf64>
  %2 = "stablehlo.transpose"(%1) {permutation = array<i64: 3, 0, 1, 2>} : (tensor<2x6x7x1xf64>) -> tensor<1x2x6x7xf64>
  %3 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 2, 4, 5>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x7xf64>) -> tensor<1x2x4x5xf64>
  %4 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 1>, limit_indices = array<i64: 1, 2, 4, 6>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x7xf64>) -> tensor<1x2x4x5xf64>
  %5 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 2>, limit_indices = array<i64: 1, 2, 4, 7>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x7xf64>) -> tensor<1x2x4x5xf64>
  %6 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 1, 2, 5, 5>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x7xf64>) -> tensor<1x2x4x5xf64>
  %7 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 1, 1>, limit_indices = array<i64: 1, 2, 5, 6>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x7xf64>) -> tensor<1x2x4x5xf64>
  %8 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 1, 2>, limit_indices = array<i64: 1, 2, 5, 7>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x7xf64>) -> tensor<1x2x4x5xf64>
  %9 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 1, 2, 6, 5>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x7xf64>) -> tensor<1x2x4x5xf64>
  %10 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 2, 1>, limit_indices = array<i64: 1, 2, 6, 6>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x7xf64>) -> tensor<1x2x4x5xf64>
  %11 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 2, 2>, limit_indices = array<i64: 1, 2, 6, 7>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x7xf64>) -> tensor<1x2x4x5xf64>
  %12 = "stablehlo.concatenate"(%3, %4, %5, %6, %7, %8, %9, %10, %11) {dimension = 0 : i64} : (tensor<1x2x4x5xf64>, tensor<1x2x4x5xf64>, tensor<1x2x4x5xf64>, tensor<1x2x4x5xf64>, tensor<1x2x4x5xf64>, tensor<1x2x4x5xf64>, tensor<1x2x4x5xf64>, tensor<1x2x4x5xf64>, tensor<1x2x4x5xf64>) -> tensor<9x2x4x5xf64>
  %13 = "stablehlo.reshape"(%12) : (tensor<9x2x4x5xf64>) -> tensor<9x40xf64>
  %14 = "stablehlo.reshape"(%arg1) : (tensor<2x4x5x4xf64>) -> tensor<40x4xf64>
  %15 = "stablehlo.dot_general"(%13, %14) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<9x40xf64>, tensor<40x4xf64>) -> tensor<9x4xf64>
  %16 = "stablehlo.reshape"(%15) : (tensor<9x4xf64>) -> tensor<3x3x1x4xf64>
  func.return %16 : tensor<3x3x1x4xf64>
}
}

// three_channels, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x5x6x3xf64>, %arg1: tensor<1x2x6x4xf64>) -> (tensor<3x2x3x4xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x5x6x3xf64>, tensor<f64>) -> tensor<1x6x7x3xf64>
  %2 = "stablehlo.transpose"(%1) {permutation = array<i64: 3, 0, 1, 2>} : (tensor<1x6x7x3xf64>) -> tensor<3x1x6x7xf64>
  %3 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 3, 1, 3, 6>, strides = array<i64: 1, 1, 2, 1>} : (tensor<3x1x6x7xf64>) -> tensor<3x1x2x6xf64>
  %4 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 1>, limit_indices = array<i64: 3, 1, 3, 7>, strides = array<i64: 1, 1, 2, 1>} : (tensor<3x1x6x7xf64>) -> tensor<3x1x2x6xf64>
  %5 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 3, 1, 4, 6>, strides = array<i64: 1, 1, 2, 1>} : (tensor<3x1x6x7xf64>) -> tensor<3x1x2x6xf64>
  %6 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 1, 1>, limit_indices = array<i64: 3, 1, 4, 7>, strides = array<i64: 1, 1, 2, 1>} : (tensor<3x1x6x7xf64>) -> tensor<3x1x2x6xf64>
  %7 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 3, 1, 5, 6>, strides = array<i64: 1, 1, 2, 1>} : (tensor<3x1x6x7xf64>) -> tensor<3x1x2x6xf64>
  %8 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 2, 1>, limit_indices = array<i64: 3, 1, 5, 7>, strides = array<i64: 1, 1, 2, 1>} : (tensor<3x1x6x7xf64>) -> tensor<3x1x2x6xf64>
  %9 = "stablehlo.concatenate"(%3, %4, %5, %6, %7, %8) {dimension = 0 : i64} : (tensor<3x1x2x6xf64>, tensor<3x1x2x6xf64>, tensor<3x1x2x6xf64>, tensor<3x1x2x6xf64>, tensor<3x1x2x6xf64>, tensor<3x1x2x6xf64>) -> tensor<18x1x2x6xf64>
  %10 = "stablehlo.reshape"(%9) : (tensor<18x1x2x6xf64>) -> tensor<18x12xf64>
  %11 = "stablehlo.reshape"(%arg1) : (tensor<1x2x6x4xf64>) -> tensor<12x4xf64>
  %12 = "stablehlo.dot_general"(%10, %11) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<18x12xf64>, tensor<12x4xf64>) -> tensor<18x4xf64>
  %13 = "stablehlo.reshape"(%12) : (tensor<18x4xf64>) -> tensor<3x2x3x4xf64>
  func.return %13 : tensor<3x2x3x4xf64>
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

