// valid, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x4x5x5xf64>, %arg1: tensor<3x2x5x2xf64>) -> (tensor<2x2x4x2xf64>) {
  %0 = "stablehlo.convolution"(%arg0, %arg1) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x4x5x5xf64>, tensor<3x2x5x2xf64>) -> tensor<2x2x4x2xf64>
  func.return %0 : tensor<2x2x4x2xf64>
}
}

// pointwise, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x3x2x3xf64>, %arg1: tensor<1x1x3x4xf64>) -> (tensor<2x3x2x4xf64>) {
  %0 = "stablehlo.reshape"(%arg1) : (tensor<1x1x3x4xf64>) -> tensor<3x4xf64>
  %1 = "stablehlo.reshape"(%arg0) : (tensor<2x3x2x3xf64>) -> tensor<12x3xf64>
  %2 = "stablehlo.dot_general"(%1, %0) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<12x3xf64>, tensor<3x4xf64>) -> tensor<12x4xf64>
  %3 = "stablehlo.reshape"(%2) : (tensor<12x4xf64>) -> tensor<2x3x2x4xf64>
  func.return %3 : tensor<2x3x2x4xf64>
}
}

// pointwise_strides, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x5x4x2xf64>, %arg1: tensor<1x1x2x3xf64>) -> (tensor<1x3x3x3xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 1, 2, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x5x4x2xf64>, tensor<f64>) -> tensor<1x6x7x2xf64>
  %2 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 5, 7, 2>, strides = array<i64: 1, 2, 3, 1>} : (tensor<1x6x7x2xf64>) -> tensor<1x3x3x2xf64>
  %3 = "stablehlo.reshape"(%arg1) : (tensor<1x1x2x3xf64>) -> tensor<2x3xf64>
  %4 = "stablehlo.reshape"(%2) : (tensor<1x3x3x2xf64>) -> tensor<9x2xf64>
  %5 = "stablehlo.dot_general"(%4, %3) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<9x2xf64>, tensor<2x3xf64>) -> tensor<9x3xf64>
  %6 = "stablehlo.reshape"(%5) : (tensor<9x3xf64>) -> tensor<1x3x3x3xf64>
  func.return %6 : tensor<1x3x3x3xf64>
}
}

// one_channel, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x6x7x1xf64>, %arg1: tensor<2x3x1x2xf64>) -> (tensor<1x6x5x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 1, 2, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x6x7x1xf64>, tensor<f64>) -> tensor<1x8x9x1xf64>
  %2 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 6, 5, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x8x9x1xf64>) -> tensor<1x6x5x1xf64>
  %3 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 1, 1, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<1x1x1x2xf64>
  %4 = "stablehlo.reshape"(%3) : (tensor<1x1x1x2xf64>) -> tensor<2xf64>
  %5 = "stablehlo.broadcast_in_dim"(%4) {broadcast_dimensions = array<i64: 3>} : (tensor<2xf64>) -> tensor<1x6x5x2xf64>
  %6 = "stablehlo.reshape"(%2) : (tensor<1x6x5x1xf64>) -> tensor<1x6x5xf64>
  %7 = "stablehlo.broadcast_in_dim"(%6) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x6x5xf64>) -> tensor<1x6x5x2xf64>
  %8 = "stablehlo.multiply"(%7, %5) : (tensor<1x6x5x2xf64>, tensor<1x6x5x2xf64>) -> tensor<1x6x5x2xf64>
  %9 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 1, 6, 7, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x8x9x1xf64>) -> tensor<1x6x5x1xf64>
  %10 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 2, 1, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<1x1x1x2xf64>
  %11 = "stablehlo.reshape"(%10) : (tensor<1x1x1x2xf64>) -> tensor<2xf64>
  %12 = "stablehlo.broadcast_in_dim"(%11) {broadcast_dimensions = array<i64: 3>} : (tensor<2xf64>) -> tensor<1x6x5x2xf64>
  %13 = "stablehlo.reshape"(%9) : (tensor<1x6x5x1xf64>) -> tensor<1x6x5xf64>
  %14 = "stablehlo.broadcast_in_dim"(%13) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x6x5xf64>) -> tensor<1x6x5x2xf64>
  %15 = "stablehlo.multiply"(%14, %12) : (tensor<1x6x5x2xf64>, tensor<1x6x5x2xf64>) -> tensor<1x6x5x2xf64>
  %16 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 4, 0>, limit_indices = array<i64: 1, 6, 9, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x8x9x1xf64>) -> tensor<1x6x5x1xf64>
  %17 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 2, 0, 0>, limit_indices = array<i64: 1, 3, 1, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<1x1x1x2xf64>
  %18 = "stablehlo.reshape"(%17) : (tensor<1x1x1x2xf64>) -> tensor<2xf64>
  %19 = "stablehlo.broadcast_in_dim"(%18) {broadcast_dimensions = array<i64: 3>} : (tensor<2xf64>) -> tensor<1x6x5x2xf64>
  %20 = "stablehlo.reshape"(%16) : (tensor<1x6x5x1xf64>) -> tensor<1x6x5xf64>
  %21 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x6x5xf64>) -> tensor<1x6x5x2xf64>
  %22 = "stablehlo.multiply"(%21, %19) : (tensor<1x6x5x2xf64>, tensor<1x6x5x2xf64>) -> tensor<1x6x5x2xf64>
  %23 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 2, 0, 0>, limit_indices = array<i64: 1, 8, 5, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x8x9x1xf64>) -> tensor<1x6x5x1xf64>
  %24 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 1, 0, 0, 0>, limit_indices = array<i64: 2, 1, 1, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<1x1x1x2xf64>
  %25 = "stablehlo.reshape"(%24) : (tensor<1x1x1x2xf64>) -> tensor<2xf64>
  %26 = "stablehlo.broadcast_in_dim"(%25) {broadcast_dimensions = array<i64: 3>} : (tensor<2xf64>) -> tensor<1x6x5x2xf64>
  %27 = "stablehlo.reshape"(%23) : (tensor<1x6x5x1xf64>) -> tensor<1x6x5xf64>
  %28 = "stablehlo.broadcast_in_dim"(%27) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x6x5xf64>) -> tensor<1x6x5x2xf64>
  %29 = "stablehlo.multiply"(%28, %26) : (tensor<1x6x5x2xf64>, tensor<1x6x5x2xf64>) -> tensor<1x6x5x2xf64>
  %30 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 2, 2, 0>, limit_indices = array<i64: 1, 8, 7, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x8x9x1xf64>) -> tensor<1x6x5x1xf64>
  %31 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 1, 1, 0, 0>, limit_indices = array<i64: 2, 2, 1, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<1x1x1x2xf64>
  %32 = "stablehlo.reshape"(%31) : (tensor<1x1x1x2xf64>) -> tensor<2xf64>
  %33 = "stablehlo.broadcast_in_dim"(%32) {broadcast_dimensions = array<i64: 3>} : (tensor<2xf64>) -> tensor<1x6x5x2xf64>
  %34 = "stablehlo.reshape"(%30) : (tensor<1x6x5x1xf64>) -> tensor<1x6x5xf64>
  %35 = "stablehlo.broadcast_in_dim"(%34) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x6x5xf64>) -> tensor<1x6x5x2xf64>
  %36 = "stablehlo.multiply"(%35, %33) : (tensor<1x6x5x2xf64>, tensor<1x6x5x2xf64>) -> tensor<1x6x5x2xf64>
  %37 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 2, 4, 0>, limit_indices = array<i64: 1, 8, 9, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x8x9x1xf64>) -> tensor<1x6x5x1xf64>
  %38 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 1, 2, 0, 0>, limit_indices = array<i64: 2, 3, 1, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<1x1x1x2xf64>
  %39 = "stablehlo.reshape"(%38) : (tensor<1x1x1x2xf64>) -> tensor<2xf64>
  %40 = "stablehlo.broadcast_in_dim"(%39) {broadcast_dimensions = array<i64: 3>} : (tensor<2xf64>) -> tensor<1x6x5x2xf64>
  %41 = "stablehlo.reshape"(%37) : (tensor<1x6x5x1xf64>) -> tensor<1x6x5xf64>
  %42 = "stablehlo.broadcast_in_dim"(%41) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x6x5xf64>) -> tensor<1x6x5x2xf64>
  %43 = "stablehlo.multiply"(%42, %40) : (tensor<1x6x5x2xf64>, tensor<1x6x5x2xf64>) -> tensor<1x6x5x2xf64>
  %44 = "stablehlo.add"(%8, %15) : (tensor<1x6x5x2xf64>, tensor<1x6x5x2xf64>) -> tensor<1x6x5x2xf64>
  %45 = "stablehlo.add"(%44, %22) : (tensor<1x6x5x2xf64>, tensor<1x6x5x2xf64>) -> tensor<1x6x5x2xf64>
  %46 = "stablehlo.add"(%45, %29) : (tensor<1x6x5x2xf64>, tensor<1x6x5x2xf64>) -> tensor<1x6x5x2xf64>
  %47 = "stablehlo.add"(%46, %36) : (tensor<1x6x5x2xf64>, tensor<1x6x5x2xf64>) -> tensor<1x6x5x2xf64>
  %48 = "stablehlo.add"(%47, %43) : (tensor<1x6x5x2xf64>, tensor<1x6x5x2xf64>) -> tensor<1x6x5x2xf64>
  func.return %48 : tensor<1x6x5x2xf64>
}
}

// three_channels, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x5x6x3xf64>, %arg1: tensor<3x2x3x4xf64>) -> (tensor<1x2x6x4xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x5x6x3xf64>, tensor<f64>) -> tensor<1x6x7x3xf64>
  %2 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 3, 6, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x6x7x3xf64>) -> tensor<1x2x6x3xf64>
  %3 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 2, 6, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %4 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 1, 1, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %5 = "stablehlo.reshape"(%4) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %7 = "stablehlo.reshape"(%3) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %8 = "stablehlo.broadcast_in_dim"(%7) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %9 = "stablehlo.multiply"(%8, %6) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %10 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 1>, limit_indices = array<i64: 1, 2, 6, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %11 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 1, 1, 2, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %12 = "stablehlo.reshape"(%11) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %13 = "stablehlo.broadcast_in_dim"(%12) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %14 = "stablehlo.reshape"(%10) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %15 = "stablehlo.broadcast_in_dim"(%14) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %16 = "stablehlo.multiply"(%15, %13) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %17 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 2>, limit_indices = array<i64: 1, 2, 6, 3>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %18 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 1, 1, 3, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %19 = "stablehlo.reshape"(%18) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %20 = "stablehlo.broadcast_in_dim"(%19) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %21 = "stablehlo.reshape"(%17) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %22 = "stablehlo.broadcast_in_dim"(%21) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %23 = "stablehlo.multiply"(%22, %20) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %24 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 1, 3, 7, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x6x7x3xf64>) -> tensor<1x2x6x3xf64>
  %25 = "stablehlo.slice"(%24) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 2, 6, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %26 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 2, 1, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %27 = "stablehlo.reshape"(%26) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %28 = "stablehlo.broadcast_in_dim"(%27) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %29 = "stablehlo.reshape"(%25) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %30 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %31 = "stablehlo.multiply"(%30, %28) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %32 = "stablehlo.slice"(%24) {start_indices = array<i64: 0, 0, 0, 1>, limit_indices = array<i64: 1, 2, 6, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %33 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 1, 1, 0>, limit_indices = array<i64: 1, 2, 2, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %34 = "stablehlo.reshape"(%33) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %35 = "stablehlo.broadcast_in_dim"(%34) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %36 = "stablehlo.reshape"(%32) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %37 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %38 = "stablehlo.multiply"(%37, %35) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %39 = "stablehlo.slice"(%24) {start_indices = array<i64: 0, 0, 0, 2>, limit_indices = array<i64: 1, 2, 6, 3>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %40 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 1, 2, 0>, limit_indices = array<i64: 1, 2, 3, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %41 = "stablehlo.reshape"(%40) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %42 = "stablehlo.broadcast_in_dim"(%41) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %43 = "stablehlo.reshape"(%39) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %44 = "stablehlo.broadcast_in_dim"(%43) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %45 = "stablehlo.multiply"(%44, %42) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %46 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 4, 6, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x6x7x3xf64>) -> tensor<1x2x6x3xf64>
  %47 = "stablehlo.slice"(%46) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 2, 6, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %48 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 1, 0, 0, 0>, limit_indices = array<i64: 2, 1, 1, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %49 = "stablehlo.reshape"(%48) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %50 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %51 = "stablehlo.reshape"(%47) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %52 = "stablehlo.broadcast_in_dim"(%51) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %53 = "stablehlo.multiply"(%52, %50) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %54 = "stablehlo.slice"(%46) {start_indices = array<i64: 0, 0, 0, 1>, limit_indices = array<i64: 1, 2, 6, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %55 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 1, 0, 1, 0>, limit_indices = array<i64: 2, 1, 2, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %56 = "stablehlo.reshape"(%55) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %57 = "stablehlo.broadcast_in_dim"(%56) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %58 = "stablehlo.reshape"(%54) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %59 = "stablehlo.broadcast_in_dim"(%58) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %60 = "stablehlo.multiply"(%59, %57) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %61 = "stablehlo.slice"(%46) {start_indices = array<i64: 0, 0, 0, 2>, limit_indices = array<i64: 1, 2, 6, 3>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %62 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 1, 0, 2, 0>, limit_indices = array<i64: 2, 1, 3, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %63 = "stablehlo.reshape"(%62) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %64 = "stablehlo.broadcast_in_dim"(%63) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %65 = "stablehlo.reshape"(%61) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %66 = "stablehlo.broadcast_in_dim"(%65) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %67 = "stablehlo.multiply"(%66, %64) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %68 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 1, 1, 0>, limit_indices = array<i64: 1, 4, 7, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x6x7x3xf64>) -> tensor<1x2x6x3xf64>
  %69 = "stablehlo.slice"(%68) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 2, 6, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %70 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 1, 1, 0, 0>, limit_indices = array<i64: 2, 2, 1, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %71 = "stablehlo.reshape"(%70) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %72 = "stablehlo.broadcast_in_dim"(%71) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %73 = "stablehlo.reshape"(%69) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %74 = "stablehlo.broadcast_in_dim"(%73) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %75 = "stablehlo.multiply"(%74, %72) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %76 = "stablehlo.slice"(%68) {start_indices = array<i64: 0, 0, 0, 1>, limit_indices = array<i64: 1, 2, 6, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %77 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 1, 1, 1, 0>, limit_indices = array<i64: 2, 2, 2, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %78 = "stablehlo.reshape"(%77) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %79 = "stablehlo.broadcast_in_dim"(%78) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %80 = "stablehlo.reshape"(%76) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %81 = "stablehlo.broadcast_in_dim"(%80) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %82 = "stablehlo.multiply"(%81, %79) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %83 = "stablehlo.slice"(%68) {start_indices = array<i64: 0, 0, 0, 2>, limit_indices = array<i64: 1, 2, 6, 3>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %84 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 1, 1, 2, 0>, limit_indices = array<i64: 2, 2, 3, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %85 = "stablehlo.reshape"(%84) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %86 = "stablehlo.broadcast_in_dim"(%85) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %87 = "stablehlo.reshape"(%83) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %88 = "stablehlo.broadcast_in_dim"(%87) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %89 = "stablehlo.multiply"(%88, %86) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %90 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 2, 0, 0>, limit_indices = array<i64: 1, 5, 6, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x6x7x3xf64>) -> tensor<1x2x6x3xf64>
  %91 = "stablehlo.slice"(%90) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 2, 6, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %92 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 2, 0, 0, 0>, limit_indices = array<i64: 3, 1, 1, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %93 = "stablehlo.reshape"(%92) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %94 = "stablehlo.broadcast_in_dim"(%93) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %95 = "stablehlo.reshape"(%91) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %96 = "stablehlo.broadcast_in_dim"(%95) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %97 = "stablehlo.multiply"(%96, %94) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %98 = "stablehlo.slice"(%90) {start_indices = array<i64: 0, 0, 0, 1>, limit_indices = array<i64: 1, 2, 6, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %99 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 2, 0, 1, 0>, limit_indices = array<i64: 3, 1, 2, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %100 = "stablehlo.reshape"(%99) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %101 = "stablehlo.broadcast_in_dim"(%100) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %102 = "stablehlo.reshape"(%98) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %103 = "stablehlo.broadcast_in_dim"(%102) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %104 = "stablehlo.multiply"(%103, %101) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %105 = "stablehlo.slice"(%90) {start_indices = array<i64: 0, 0, 0, 2>, limit_indices = array<i64: 1, 2, 6, 3>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %106 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 2, 0, 2, 0>, limit_indices = array<i64: 3, 1, 3, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %107 = "stablehlo.reshape"(%106) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %108 = "stablehlo.broadcast_in_dim"(%107) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %109 = "stablehlo.reshape"(%105) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %110 = "stablehlo.broadcast_in_dim"(%109) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %111 = "stablehlo.multiply"(%110, %108) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %112 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 2, 1, 0>, limit_indices = array<i64: 1, 5, 7, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x6x7x3xf64>) -> tensor<1x2x6x3xf64>
  %113 = "stablehlo.slice"(%112) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 2, 6, 1>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %114 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 2, 1, 0, 0>, limit_indices = array<i64: 3, 2, 1, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %115 = "stablehlo.reshape"(%114) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %116 = "stablehlo.broadcast_in_dim"(%115) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %117 = "stablehlo.reshape"(%113) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %118 = "stablehlo.broadcast_in_dim"(%117) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %119 = "stablehlo.multiply"(%118, %116) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %120 = "stablehlo.slice"(%112) {start_indices = array<i64: 0, 0, 0, 1>, limit_indices = array<i64: 1, 2, 6, 2>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %121 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 2, 1, 1, 0>, limit_indices = array<i64: 3, 2, 2, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %122 = "stablehlo.reshape"(%121) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %123 = "stablehlo.broadcast_in_dim"(%122) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %124 = "stablehlo.reshape"(%120) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %125 = "stablehlo.broadcast_in_dim"(%124) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %126 = "stablehlo.multiply"(%125, %123) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %127 = "stablehlo.slice"(%112) {start_indices = array<i64: 0, 0, 0, 2>, limit_indices = array<i64: 1, 2, 6, 3>, strides = array<i64: 1, 1, 1, 1>} : (tensor<1x2x6x3xf64>) -> tensor<1x2x6x1xf64>
  %128 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 2, 1, 2, 0>, limit_indices = array<i64: 3, 2, 3, 4>, strides = array<i64: 1, 1, 1, 1>} : (tensor<3x2x3x4xf64>) -> tensor<1x1x1x4xf64>
  %129 = "stablehlo.reshape"(%128) : (tensor<1x1x1x4xf64>) -> tensor<4xf64>
  %130 = "stablehlo.broadcast_in_dim"(%129) {broadcast_dimensions = array<i64: 3>} : (tensor<4xf64>) -> tensor<1x2x6x4xf64>
  %131 = "stablehlo.reshape"(%127) : (tensor<1x2x6x1xf64>) -> tensor<1x2x6xf64>
  %132 = "stablehlo.broadcast_in_dim"(%131) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x6xf64>) -> tensor<1x2x6x4xf64>
  %133 = "stablehlo.multiply"(%132, %130) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %134 = "stablehlo.add"(%9, %16) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %135 = "stablehlo.add"(%134, %23) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %136 = "stablehlo.add"(%135, %31) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %137 = "stablehlo.add"(%136, %38) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %138 = "stablehlo.add"(%137, %45) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %139 = "stablehlo.add"(%138, %53) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %140 = "stablehlo.add"(%139, %60) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %141 = "stablehlo.add"(%140, %67) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %142 = "stablehlo.add"(%141, %75) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %143 = "stablehlo.add"(%142, %82) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %144 = "stablehlo.add"(%143, %89) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %145 = "stablehlo.add"(%144, %97) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %146 = "stablehlo.add"(%145, %104) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %147 = "stablehlo.add"(%146, %111) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %148 = "stablehlo.add"(%147, %119) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %149 = "stablehlo.add"(%148, %126) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  %150 = "stablehlo.add"(%149, %133) : (tensor<1x2x6x4xf64>, tensor<1x2x6x4xf64>) -> tensor<1x2x6x4xf64>
  func.return %150 : tensor<1x2x6x4xf64>
}
}

// no_examples, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<0x4x4x2xf64>, %arg1: tensor<3x3x2x3xf64>) -> (tensor<0x2x2x3xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<0x2x2x3xf64>
  func.return %1 : tensor<0x2x2x3xf64>
}
}

