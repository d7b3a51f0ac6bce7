// valid, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x2x4x2xf64>, %arg1: tensor<3x2x5x2xf64>) -> (tensor<2x4x5x5xf64>) {
  %0 = "stablehlo.reverse"(%arg1) {dimensions = array<i64: 0, 1>} : (tensor<3x2x5x2xf64>) -> tensor<3x2x5x2xf64>
  %1 = "stablehlo.transpose"(%0) {permutation = array<i64: 0, 1, 3, 2>} : (tensor<3x2x5x2xf64>) -> tensor<3x2x2x5xf64>
  %2 = "stablehlo.convolution"(%arg0, %1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1, 1>, padding = dense<[[2, 2], [1, 1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x2x4x2xf64>, tensor<3x2x2x5xf64>) -> tensor<2x4x5x5xf64>
  func.return %2 : tensor<2x4x5x5xf64>
}
}

// valid, gpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x2x4x2xf64>, %arg1: tensor<3x2x5x2xf64>) -> (tensor<2x4x5x5xf64>) {
  %0 = "stablehlo.reverse"(%arg1) {dimensions = array<i64: 0, 1>} : (tensor<3x2x5x2xf64>) -> tensor<3x2x5x2xf64>
  %1 = "stablehlo.convolution"(%arg0, %0) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, window_strides = array<i64: 1, 1>, padding = dense<[[2, 2], [1, 1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x2x4x2xf64>, tensor<3x2x5x2xf64>) -> tensor<2x4x5x5xf64>
  func.return %1 : tensor<2x4x5x5xf64>
}
}

// pointwise, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x3x2x4xf64>, %arg1: tensor<1x1x3x4xf64>) -> (tensor<2x3x2x3xf64>) {
  %0 = "stablehlo.reshape"(%arg1) : (tensor<1x1x3x4xf64>) -> tensor<3x4xf64>
  %1 = "stablehlo.reshape"(%arg0) : (tensor<2x3x2x4xf64>) -> tensor<12x4xf64>
  %2 = "stablehlo.dot_general"(%1, %0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<12x4xf64>, tensor<3x4xf64>) -> tensor<12x3xf64>
  %3 = "stablehlo.reshape"(%2) : (tensor<12x3xf64>) -> tensor<2x3x2x3xf64>
  func.return %3 : tensor<2x3x2x3xf64>
}
}

// pointwise_strides, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x3x3x3xf64>, %arg1: tensor<1x1x2x3xf64>) -> (tensor<1x5x4x2xf64>) {
  %0 = "stablehlo.reshape"(%arg1) : (tensor<1x1x2x3xf64>) -> tensor<2x3xf64>
  %1 = "stablehlo.reshape"(%arg0) : (tensor<1x3x3x3xf64>) -> tensor<9x3xf64>
  %2 = "stablehlo.dot_general"(%1, %0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<9x3xf64>, tensor<2x3xf64>) -> tensor<9x2xf64>
  %3 = "stablehlo.reshape"(%2) : (tensor<9x2xf64>) -> tensor<1x3x3x2xf64>
  %4 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %5 = "stablehlo.pad"(%3, %4) {edge_padding_low = array<i64: 0, -1, -2, 0>, edge_padding_high = array<i64: 0, 1, -1, 0>, interior_padding = array<i64: 0, 1, 2, 0>} : (tensor<1x3x3x2xf64>, tensor<f64>) -> tensor<1x5x4x2xf64>
  func.return %5 : tensor<1x5x4x2xf64>
}
}

// one_channel, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x6x5x2xf64>, %arg1: tensor<2x3x1x2xf64>) -> (tensor<1x6x7x1xf64>) {
  %0 = "stablehlo.reshape"(%arg1) : (tensor<2x3x1x2xf64>) -> tensor<6x2xf64>
  %1 = "stablehlo.reshape"(%arg0) : (tensor<1x6x5x2xf64>) -> tensor<30x2xf64>
  %2 = "stablehlo.dot_general"(%1, %0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>} : (tensor<30x2xf64>, tensor<6x2xf64>) -> tensor<30x6xf64>
  %3 = "stablehlo.reshape"(%2) : (tensor<30x6xf64>) -> tensor<1x6x5x6xf64>
  %4 = "stablehlo.slice"(%3) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 6, 5, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x6x5x6xf64>) -> tensor<1x6x5x1xf64>
  %5 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %6 = "stablehlo.pad"(%4, %5) {edge_padding_low = array<i64: 0, -1, 0, 0>, edge_padding_high = array<i64: 0, 1, 2, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x6x5x1xf64>, tensor<f64>) -> tensor<1x6x7x1xf64>
  %7 = "stablehlo.slice"(%3) {start_indices = array<i64: 0, 0, 0, 1>, limit_indices = array<i64: 1, 6, 5, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x6x5x6xf64>) -> tensor<1x6x5x1xf64>
  %8 = "stablehlo.pad"(%7, %5) {edge_padding_low = array<i64: 0, -1, 2, 0>, edge_padding_high = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x6x5x1xf64>, tensor<f64>) -> tensor<1x6x7x1xf64>
  %9 = "stablehlo.slice"(%3) {start_indices = array<i64: 0, 0, 0, 2>, limit_indices = array<i64: 1, 6, 5, 3>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x6x5x6xf64>) -> tensor<1x6x5x1xf64>
  %10 = "stablehlo.pad"(%9, %5) {edge_padding_low = array<i64: 0, -1, 4, 0>, edge_padding_high = array<i64: 0, 1, -2, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x6x5x1xf64>, tensor<f64>) -> tensor<1x6x7x1xf64>
  %11 = "stablehlo.slice"(%3) {start_indices = array<i64: 0, 0, 0, 3>, limit_indices = array<i64: 1, 6, 5, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x6x5x6xf64>) -> tensor<1x6x5x1xf64>
  %12 = "stablehlo.pad"(%11, %5) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, -1, 2, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x6x5x1xf64>, tensor<f64>) -> tensor<1x6x7x1xf64>
  %13 = "stablehlo.slice"(%3) {start_indices = array<i64: 0, 0, 0, 4>, limit_indices = array<i64: 1, 6, 5, 5>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x6x5x6xf64>) -> tensor<1x6x5x1xf64>
  %14 = "stablehlo.pad"(%13, %5) {edge_padding_low = array<i64: 0, 1, 2, 0>, edge_padding_high = array<i64: 0, -1, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x6x5x1xf64>, tensor<f64>) -> tensor<1x6x7x1xf64>
  %15 = "stablehlo.slice"(%3) {start_indices = array<i64: 0, 0, 0, 5>, limit_indices = array<i64: 1, 6, 5, 6>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x6x5x6xf64>) -> tensor<1x6x5x1xf64>
  %16 = "stablehlo.pad"(%15, %5) {edge_padding_low = array<i64: 0, 1, 4, 0>, edge_padding_high = array<i64: 0, -1, -2, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x6x5x1xf64>, tensor<f64>) -> tensor<1x6x7x1xf64>
  %17 = "stablehlo.add"(%6, %8) : (tensor<1x6x7x1xf64>, tensor<1x6x7x1xf64>) -> tensor<1x6x7x1xf64>
  %18 = "stablehlo.add"(%17, %10) : (tensor<1x6x7x1xf64>, tensor<1x6x7x1xf64>) -> tensor<1x6x7x1xf64>
  %19 = "stablehlo.add"(%18, %12) : (tensor<1x6x7x1xf64>, tensor<1x6x7x1xf64>) -> tensor<1x6x7x1xf64>
  %20 = "stablehlo.add"(%19, %14) : (tensor<1x6x7x1xf64>, tensor<1x6x7x1xf64>) -> tensor<1x6x7x1xf64>
  %21 = "stablehlo.add"(%20, %16) : (tensor<1x6x7x1xf64>, tensor<1x6x7x1xf64>) -> tensor<1x6x7x1xf64>
  func.return %21 : tensor<1x6x7x1xf64>
}
}

// phases, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x2x4x1xf64>, %arg1: tensor<4x2x16x1xf64>) -> (tensor<1x5x4x16xf64>) {
  %0 = "stablehlo.transpose"(%arg1) {permutation = array<i64: 0, 1, 3, 2>} : (tensor<4x2x16x1xf64>) -> tensor<4x2x1x16xf64>
  %1 = "stablehlo.slice"(%0) {start_indices = array<i64: 1, 0, 0, 0>, limit_indices = array<i64: 4, 2, 1, 16>, strides = array<i64: 2, 2, 1, 1>} : (tensor<4x2x1x16xf64>) -> tensor<2x1x1x16xf64>
  %2 = "stablehlo.reverse"(%1) {dimensions = array<i64: 0, 1>} : (tensor<2x1x1x16xf64>) -> tensor<2x1x1x16xf64>
  %3 = "stablehlo.convolution"(%arg0, %2) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1, 1>, padding = dense<[[1, 1], [-1, -1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x2x4x1xf64>, tensor<2x1x1x16xf64>) -> tensor<1x3x2x16xf64>
  %4 = "stablehlo.reshape"(%3) : (tensor<1x3x2x16xf64>) -> tensor<1x3x1x2x1x16xf64>
  %5 = "stablehlo.slice"(%0) {start_indices = array<i64: 1, 1, 0, 0>, limit_indices = array<i64: 4, 2, 1, 16>, strides = array<i64: 2, 2, 1, 1>} : (tensor<4x2x1x16xf64>) -> tensor<2x1x1x16xf64>
  %6 = "stablehlo.reverse"(%5) {dimensions = array<i64: 0, 1>} : (tensor<2x1x1x16xf64>) -> tensor<2x1x1x16xf64>
  %7 = "stablehlo.convolution"(%arg0, %6) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1, 1>, padding = dense<[[1, 1], [-1, -1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x2x4x1xf64>, tensor<2x1x1x16xf64>) -> tensor<1x3x2x16xf64>
  %8 = "stablehlo.reshape"(%7) : (tensor<1x3x2x16xf64>) -> tensor<1x3x1x2x1x16xf64>
  %9 = "stablehlo.concatenate"(%4, %8) {dimension = 4 : i64} : (tensor<1x3x1x2x1x16xf64>, tensor<1x3x1x2x1x16xf64>) -> tensor<1x3x1x2x2x16xf64>
  %10 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 4, 2, 1, 16>, strides = array<i64: 2, 2, 1, 1>} : (tensor<4x2x1x16xf64>) -> tensor<2x1x1x16xf64>
  %11 = "stablehlo.reverse"(%10) {dimensions = array<i64: 0, 1>} : (tensor<2x1x1x16xf64>) -> tensor<2x1x1x16xf64>
  %12 = "stablehlo.convolution"(%arg0, %11) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 2], [-1, -1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x2x4x1xf64>, tensor<2x1x1x16xf64>) -> tensor<1x3x2x16xf64>
  %13 = "stablehlo.reshape"(%12) : (tensor<1x3x2x16xf64>) -> tensor<1x3x1x2x1x16xf64>
  %14 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 4, 2, 1, 16>, strides = array<i64: 2, 2, 1, 1>} : (tensor<4x2x1x16xf64>) -> tensor<2x1x1x16xf64>
  %15 = "stablehlo.reverse"(%14) {dimensions = array<i64: 0, 1>} : (tensor<2x1x1x16xf64>) -> tensor<2x1x1x16xf64>
  %16 = "stablehlo.convolution"(%arg0, %15) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 2], [-1, -1]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x2x4x1xf64>, tensor<2x1x1x16xf64>) -> tensor<1x3x2x16xf64>
  %17 = "stablehlo.reshape"(%16) : (tensor<1x3x2x16xf64>) -> tensor<1x3x1x2x1x16xf64>
  %18 = "stablehlo.concatenate"(%13, %17) {dimension = 4 : i64} : (tensor<1x3x1x2x1x16xf64>, tensor<1x3x1x2x1x16xf64>) -> tensor<1x3x1x2x2x16xf64>
  %19 = "stablehlo.concatenate"(%9, %18) {dimension = 2 : i64} : (tensor<1x3x1x2x2x16xf64>, tensor<1x3x1x2x2x16xf64>) -> tensor<1x3x2x2x2x16xf64>
  %20 = "stablehlo.reshape"(%19) : (tensor<1x3x2x2x2x16xf64>) -> tensor<1x6x4x16xf64>
  %21 = "stablehlo.slice"(%20) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 5, 4, 16>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x6x4x16xf64>) -> tensor<1x5x4x16xf64>
  func.return %21 : tensor<1x5x4x16xf64>
}
}

// no_examples, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<0x2x2x3xf64>, %arg1: tensor<3x3x2x3xf64>) -> (tensor<0x4x4x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<0x4x4x2xf64>
  func.return %1 : tensor<0x4x4x2xf64>
}
}

