// pairs, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x4x6x3xf64>, %arg1: tensor<2x2x3x3xf64>) -> (tensor<2x4x6x3xf64>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 4, 5, 3>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x6x3xf64>) -> tensor<2x4x3x3xf64>
  %1 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 2, 4, 6, 3>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x6x3xf64>) -> tensor<2x4x3x3xf64>
  %2 = "stablehlo.maximum"(%0, %1) : (tensor<2x4x3x3xf64>, tensor<2x4x3x3xf64>) -> tensor<2x4x3x3xf64>
  %3 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 3, 3, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<2x4x3x3xf64>) -> tensor<2x2x3x3xf64>
  %4 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 2, 4, 3, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<2x4x3x3xf64>) -> tensor<2x2x3x3xf64>
  %5 = "stablehlo.maximum"(%3, %4) : (tensor<2x2x3x3xf64>, tensor<2x2x3x3xf64>) -> tensor<2x2x3x3xf64>
  %6 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 3, 3, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<2x4x3x3xf64>) -> tensor<2x2x3x3xf64>
  %7 = "stablehlo.compare"(%6, %6) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x2x3x3xf64>, tensor<2x2x3x3xf64>) -> tensor<2x2x3x3xi1>
  %8 = "stablehlo.compare"(%6, %5) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x3x3xf64>, tensor<2x2x3x3xf64>) -> tensor<2x2x3x3xi1>
  %9 = "stablehlo.or"(%8, %7) : (tensor<2x2x3x3xi1>, tensor<2x2x3x3xi1>) -> tensor<2x2x3x3xi1>
  %10 = "stablehlo.constant"() {value = dense<[true, false]> : tensor<2xi1>} : () -> tensor<2xi1>
  %11 = "stablehlo.broadcast_in_dim"(%10) {broadcast_dimensions = array<i64: 2>} : (tensor<2xi1>) -> tensor<2x2x2x3x3xi1>
  %12 = "stablehlo.broadcast_in_dim"(%9) {broadcast_dimensions = array<i64: 0, 1, 3, 4>} : (tensor<2x2x3x3xi1>) -> tensor<2x2x2x3x3xi1>
  %13 = "stablehlo.compare"(%12, %11) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x2x3x3xi1>, tensor<2x2x2x3x3xi1>) -> tensor<2x2x2x3x3xi1>
  %14 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %15 = "stablehlo.broadcast_in_dim"(%14) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x2x2x3x3xf64>
  %16 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64: 0, 1, 3, 4>} : (tensor<2x2x3x3xf64>) -> tensor<2x2x2x3x3xf64>
  %17 = "stablehlo.select"(%13, %16, %15) : (tensor<2x2x2x3x3xi1>, tensor<2x2x2x3x3xf64>, tensor<2x2x2x3x3xf64>) -> tensor<2x2x2x3x3xf64>
  %18 = "stablehlo.reshape"(%17) : (tensor<2x2x2x3x3xf64>) -> tensor<2x4x3x3xf64>
  %19 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 4, 5, 3>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x6x3xf64>) -> tensor<2x4x3x3xf64>
  %20 = "stablehlo.compare"(%19, %19) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x4x3x3xf64>, tensor<2x4x3x3xf64>) -> tensor<2x4x3x3xi1>
  %21 = "stablehlo.compare"(%19, %2) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x4x3x3xf64>, tensor<2x4x3x3xf64>) -> tensor<2x4x3x3xi1>
  %22 = "stablehlo.or"(%21, %20) : (tensor<2x4x3x3xi1>, tensor<2x4x3x3xi1>) -> tensor<2x4x3x3xi1>
  %23 = "stablehlo.constant"() {value = dense<[true, false]> : tensor<2xi1>} : () -> tensor<2xi1>
  %24 = "stablehlo.broadcast_in_dim"(%23) {broadcast_dimensions = array<i64: 3>} : (tensor<2xi1>) -> tensor<2x4x3x2x3xi1>
  %25 = "stablehlo.broadcast_in_dim"(%22) {broadcast_dimensions = array<i64: 0, 1, 2, 4>} : (tensor<2x4x3x3xi1>) -> tensor<2x4x3x2x3xi1>
  %26 = "stablehlo.compare"(%25, %24) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x4x3x2x3xi1>, tensor<2x4x3x2x3xi1>) -> tensor<2x4x3x2x3xi1>
  %27 = "stablehlo.broadcast_in_dim"(%14) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x4x3x2x3xf64>
  %28 = "stablehlo.broadcast_in_dim"(%18) {broadcast_dimensions = array<i64: 0, 1, 2, 4>} : (tensor<2x4x3x3xf64>) -> tensor<2x4x3x2x3xf64>
  %29 = "stablehlo.select"(%26, %28, %27) : (tensor<2x4x3x2x3xi1>, tensor<2x4x3x2x3xf64>, tensor<2x4x3x2x3xf64>) -> tensor<2x4x3x2x3xf64>
  %30 = "stablehlo.reshape"(%29) : (tensor<2x4x3x2x3xf64>) -> tensor<2x4x6x3xf64>
  func.return %30 : tensor<2x4x6x3xf64>
}
}

// pairs_remainder, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x5x7x2xf64>, %arg1: tensor<1x2x3x2xf64>) -> (tensor<1x5x7x2xf64>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 5, 5, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x5x7x2xf64>) -> tensor<1x5x3x2xf64>
  %1 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 1, 5, 6, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x5x7x2xf64>) -> tensor<1x5x3x2xf64>
  %2 = "stablehlo.maximum"(%0, %1) : (tensor<1x5x3x2xf64>, tensor<1x5x3x2xf64>) -> tensor<1x5x3x2xf64>
  %3 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 3, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x5x3x2xf64>) -> tensor<1x2x3x2xf64>
  %4 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 4, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x5x3x2xf64>) -> tensor<1x2x3x2xf64>
  %5 = "stablehlo.maximum"(%3, %4) : (tensor<1x2x3x2xf64>, tensor<1x2x3x2xf64>) -> tensor<1x2x3x2xf64>
  %6 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 3, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x5x3x2xf64>) -> tensor<1x2x3x2xf64>
  %7 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 4, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x5x3x2xf64>) -> tensor<1x2x3x2xf64>
  %8 = "stablehlo.compare"(%6, %6) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x2x3x2xf64>, tensor<1x2x3x2xf64>) -> tensor<1x2x3x2xi1>
  %9 = "stablehlo.compare"(%6, %5) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x3x2xf64>, tensor<1x2x3x2xf64>) -> tensor<1x2x3x2xi1>
  %10 = "stablehlo.or"(%9, %8) : (tensor<1x2x3x2xi1>, tensor<1x2x3x2xi1>) -> tensor<1x2x3x2xi1>
  %11 = "stablehlo.compare"(%7, %7) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x2x3x2xf64>, tensor<1x2x3x2xf64>) -> tensor<1x2x3x2xi1>
  %12 = "stablehlo.compare"(%7, %5) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x3x2xf64>, tensor<1x2x3x2xf64>) -> tensor<1x2x3x2xi1>
  %13 = "stablehlo.or"(%12, %11) : (tensor<1x2x3x2xi1>, tensor<1x2x3x2xi1>) -> tensor<1x2x3x2xi1>
  %14 = "stablehlo.not"(%10) : (tensor<1x2x3x2xi1>) -> tensor<1x2x3x2xi1>
  %15 = "stablehlo.and"(%13, %14) : (tensor<1x2x3x2xi1>, tensor<1x2x3x2xi1>) -> tensor<1x2x3x2xi1>
  %16 = "stablehlo.or"(%10, %13) : (tensor<1x2x3x2xi1>, tensor<1x2x3x2xi1>) -> tensor<1x2x3x2xi1>
  %17 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %18 = "stablehlo.broadcast_in_dim"(%17) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<1x2x3x2xf64>
  %19 = "stablehlo.select"(%10, %arg1, %18) : (tensor<1x2x3x2xi1>, tensor<1x2x3x2xf64>, tensor<1x2x3x2xf64>) -> tensor<1x2x3x2xf64>
  %20 = "stablehlo.pad"(%19, %17) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 2, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>} : (tensor<1x2x3x2xf64>, tensor<f64>) -> tensor<1x5x3x2xf64>
  %21 = "stablehlo.select"(%15, %arg1, %18) : (tensor<1x2x3x2xi1>, tensor<1x2x3x2xf64>, tensor<1x2x3x2xf64>) -> tensor<1x2x3x2xf64>
  %22 = "stablehlo.pad"(%21, %17) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>} : (tensor<1x2x3x2xf64>, tensor<f64>) -> tensor<1x5x3x2xf64>
  %23 = "stablehlo.add"(%20, %22) : (tensor<1x5x3x2xf64>, tensor<1x5x3x2xf64>) -> tensor<1x5x3x2xf64>
  %24 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 5, 5, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x5x7x2xf64>) -> tensor<1x5x3x2xf64>
  %25 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 1, 5, 6, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x5x7x2xf64>) -> tensor<1x5x3x2xf64>
  %26 = "stablehlo.compare"(%24, %24) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x5x3x2xf64>, tensor<1x5x3x2xf64>) -> tensor<1x5x3x2xi1>
  %27 = "stablehlo.compare"(%24, %2) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x5x3x2xf64>, tensor<1x5x3x2xf64>) -> tensor<1x5x3x2xi1>
  %28 = "stablehlo.or"(%27, %26) : (tensor<1x5x3x2xi1>, tensor<1x5x3x2xi1>) -> tensor<1x5x3x2xi1>
  %29 = "stablehlo.compare"(%25, %25) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x5x3x2xf64>, tensor<1x5x3x2xf64>) -> tensor<1x5x3x2xi1>
  %30 = "stablehlo.compare"(%25, %2) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x5x3x2xf64>, tensor<1x5x3x2xf64>) -> tensor<1x5x3x2xi1>
  %31 = "stablehlo.or"(%30, %29) : (tensor<1x5x3x2xi1>, tensor<1x5x3x2xi1>) -> tensor<1x5x3x2xi1>
  %32 = "stablehlo.not"(%28) : (tensor<1x5x3x2xi1>) -> tensor<1x5x3x2xi1>
  %33 = "stablehlo.and"(%31, %32) : (tensor<1x5x3x2xi1>, tensor<1x5x3x2xi1>) -> tensor<1x5x3x2xi1>
  %34 = "stablehlo.or"(%28, %31) : (tensor<1x5x3x2xi1>, tensor<1x5x3x2xi1>) -> tensor<1x5x3x2xi1>
  %35 = "stablehlo.broadcast_in_dim"(%17) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<1x5x3x2xf64>
  %36 = "stablehlo.select"(%28, %23, %35) : (tensor<1x5x3x2xi1>, tensor<1x5x3x2xf64>, tensor<1x5x3x2xf64>) -> tensor<1x5x3x2xf64>
  %37 = "stablehlo.pad"(%36, %17) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 2, 0>, interior_padding = array<i64: 0, 0, 1, 0>} : (tensor<1x5x3x2xf64>, tensor<f64>) -> tensor<1x5x7x2xf64>
  %38 = "stablehlo.select"(%33, %23, %35) : (tensor<1x5x3x2xi1>, tensor<1x5x3x2xf64>, tensor<1x5x3x2xf64>) -> tensor<1x5x3x2xf64>
  %39 = "stablehlo.pad"(%38, %17) {edge_padding_low = array<i64: 0, 0, 1, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 1, 0>} : (tensor<1x5x3x2xf64>, tensor<f64>) -> tensor<1x5x7x2xf64>
  %40 = "stablehlo.add"(%37, %39) : (tensor<1x5x7x2xf64>, tensor<1x5x7x2xf64>) -> tensor<1x5x7x2xf64>
  func.return %40 : tensor<1x5x7x2xf64>
}
}

// overlapping, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x7x6x2xf64>, %arg1: tensor<1x4x3x2xf64>) -> (tensor<1x7x6x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0xFFF0000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x6x2xf64>, tensor<f64>) -> tensor<1x7x7x2xf64>
  %2 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 5, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %3 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 1, 7, 6, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %4 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 1, 7, 7, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %5 = "stablehlo.maximum"(%2, %3) : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %6 = "stablehlo.maximum"(%5, %4) : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %7 = "stablehlo.pad"(%6, %0) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x3x2xf64>, tensor<f64>) -> tensor<1x9x3x2xf64>
  %8 = "stablehlo.slice"(%7) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %9 = "stablehlo.slice"(%7) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 8, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %10 = "stablehlo.slice"(%7) {start_indices = array<i64: 0, 2, 0, 0>, limit_indices = array<i64: 1, 9, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %11 = "stablehlo.maximum"(%8, %9) : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xf64>
  %12 = "stablehlo.maximum"(%11, %10) : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xf64>
  %13 = "stablehlo.pad"(%6, %0) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x3x2xf64>, tensor<f64>) -> tensor<1x9x3x2xf64>
  %14 = "stablehlo.slice"(%13) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %15 = "stablehlo.slice"(%13) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 8, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %16 = "stablehlo.slice"(%13) {start_indices = array<i64: 0, 2, 0, 0>, limit_indices = array<i64: 1, 9, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %17 = "stablehlo.compare"(%14, %14) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xi1>
  %18 = "stablehlo.compare"(%14, %12) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xi1>
  %19 = "stablehlo.or"(%18, %17) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %20 = "stablehlo.constant"() {value = dense<[false, true, true, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %21 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64: 1>} : (tensor<4xi1>) -> tensor<1x4x3x2xi1>
  %22 = "stablehlo.and"(%19, %21) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %23 = "stablehlo.compare"(%15, %15) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xi1>
  %24 = "stablehlo.compare"(%15, %12) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xi1>
  %25 = "stablehlo.or"(%24, %23) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %26 = "stablehlo.not"(%22) : (tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %27 = "stablehlo.and"(%25, %26) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %28 = "stablehlo.or"(%22, %25) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %29 = "stablehlo.compare"(%16, %16) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xi1>
  %30 = "stablehlo.compare"(%16, %12) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xi1>
  %31 = "stablehlo.or"(%30, %29) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %32 = "stablehlo.constant"() {value = dense<[true, true, true, false]> : tensor<4xi1>} : () -> tensor<4xi1>
  %33 = "stablehlo.broadcast_in_dim"(%32) {broadcast_dimensions = array<i64: 1>} : (tensor<4xi1>) -> tensor<1x4x3x2xi1>
  %34 = "stablehlo.and"(%31, %33) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %35 = "stablehlo.not"(%28) : (tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %36 = "stablehlo.and"(%34, %35) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %37 = "stablehlo.or"(%28, %34) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %38 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %39 = "stablehlo.broadcast_in_dim"(%38) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<1x4x3x2xf64>
  %40 = "stablehlo.select"(%22, %arg1, %39) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xf64>
  %41 = "stablehlo.pad"(%40, %38) {edge_padding_low = array<i64: 0, -1, 0, 0>, edge_padding_high = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>} : (tensor<1x4x3x2xf64>, tensor<f64>) -> tensor<1x7x3x2xf64>
  %42 = "stablehlo.select"(%27, %arg1, %39) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xf64>
  %43 = "stablehlo.pad"(%42, %38) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>} : (tensor<1x4x3x2xf64>, tensor<f64>) -> tensor<1x7x3x2xf64>
  %44 = "stablehlo.select"(%36, %arg1, %39) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xf64>
  %45 = "stablehlo.pad"(%44, %38) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, -1, 0, 0>, interior_padding = array<i64: 0, 1, 0, 0>} : (tensor<1x4x3x2xf64>, tensor<f64>) -> tensor<1x7x3x2xf64>
  %46 = "stablehlo.add"(%41, %43) : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %47 = "stablehlo.add"(%46, %45) : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %48 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x6x2xf64>, tensor<f64>) -> tensor<1x7x7x2xf64>
  %49 = "stablehlo.slice"(%48) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 5, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %50 = "stablehlo.slice"(%48) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 1, 7, 6, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %51 = "stablehlo.slice"(%48) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 1, 7, 7, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %52 = "stablehlo.compare"(%49, %49) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xi1>
  %53 = "stablehlo.compare"(%49, %6) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xi1>
  %54 = "stablehlo.or"(%53, %52) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %55 = "stablehlo.compare"(%50, %50) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xi1>
  %56 = "stablehlo.compare"(%50, %6) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xi1>
  %57 = "stablehlo.or"(%56, %55) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %58 = "stablehlo.not"(%54) : (tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %59 = "stablehlo.and"(%57, %58) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %60 = "stablehlo.or"(%54, %57) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %61 = "stablehlo.compare"(%51, %51) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xi1>
  %62 = "stablehlo.compare"(%51, %6) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xi1>
  %63 = "stablehlo.or"(%62, %61) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %64 = "stablehlo.constant"() {value = dense<[true, true, false]> : tensor<3xi1>} : () -> tensor<3xi1>
  %65 = "stablehlo.broadcast_in_dim"(%64) {broadcast_dimensions = array<i64: 2>} : (tensor<3xi1>) -> tensor<1x7x3x2xi1>
  %66 = "stablehlo.and"(%63, %65) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %67 = "stablehlo.not"(%60) : (tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %68 = "stablehlo.and"(%66, %67) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %69 = "stablehlo.or"(%60, %66) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %70 = "stablehlo.broadcast_in_dim"(%38) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<1x7x3x2xf64>
  %71 = "stablehlo.select"(%54, %47, %70) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %72 = "stablehlo.pad"(%71, %38) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 1, 0>} : (tensor<1x7x3x2xf64>, tensor<f64>) -> tensor<1x7x6x2xf64>
  %73 = "stablehlo.select"(%59, %47, %70) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %74 = "stablehlo.pad"(%73, %38) {edge_padding_low = array<i64: 0, 0, 1, 0>, edge_padding_high = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 1, 0>} : (tensor<1x7x3x2xf64>, tensor<f64>) -> tensor<1x7x6x2xf64>
  %75 = "stablehlo.select"(%68, %47, %70) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %76 = "stablehlo.pad"(%75, %38) {edge_padding_low = array<i64: 0, 0, 2, 0>, edge_padding_high = array<i64: 0, 0, -1, 0>, interior_padding = array<i64: 0, 0, 1, 0>} : (tensor<1x7x3x2xf64>, tensor<f64>) -> tensor<1x7x6x2xf64>
  %77 = "stablehlo.add"(%72, %74) : (tensor<1x7x6x2xf64>, tensor<1x7x6x2xf64>) -> tensor<1x7x6x2xf64>
  %78 = "stablehlo.add"(%77, %76) : (tensor<1x7x6x2xf64>, tensor<1x7x6x2xf64>) -> tensor<1x7x6x2xf64>
  func.return %78 : tensor<1x7x6x2xf64>
}
}

// gaps, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x7x8x1xf64>, %arg1: tensor<1x2x4x1xf64>) -> (tensor<1x7x8x1xf64>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 7, 1>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x8x1xf64>) -> tensor<1x7x4x1xf64>
  %1 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 4, 4, 1>, strides = array<i64: 1, 3, 1, 1>} : (tensor<1x7x4x1xf64>) -> tensor<1x2x4x1xf64>
  %2 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 5, 4, 1>, strides = array<i64: 1, 3, 1, 1>} : (tensor<1x7x4x1xf64>) -> tensor<1x2x4x1xf64>
  %3 = "stablehlo.maximum"(%1, %2) : (tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xf64>
  %4 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 4, 4, 1>, strides = array<i64: 1, 3, 1, 1>} : (tensor<1x7x4x1xf64>) -> tensor<1x2x4x1xf64>
  %5 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 5, 4, 1>, strides = array<i64: 1, 3, 1, 1>} : (tensor<1x7x4x1xf64>) -> tensor<1x2x4x1xf64>
  %6 = "stablehlo.compare"(%4, %4) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xi1>
  %7 = "stablehlo.compare"(%4, %3) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xi1>
  %8 = "stablehlo.or"(%7, %6) : (tensor<1x2x4x1xi1>, tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
  %9 = "stablehlo.compare"(%5, %5) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xi1>
  %10 = "stablehlo.compare"(%5, %3) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xi1>
  %11 = "stablehlo.or"(%10, %9) : (tensor<1x2x4x1xi1>, tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
  %12 = "stablehlo.not"(%8) : (tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
  %13 = "stablehlo.and"(%11, %12) : (tensor<1x2x4x1xi1>, tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
  %14 = "stablehlo.or"(%8, %11) : (tensor<1x2x4x1xi1>, tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
  %15 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %16 = "stablehlo.broadcast_in_dim"(%15) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<1x2x4x1xf64>
  %17 = "stablehlo.select"(%8, %arg1, %16) : (tensor<1x2x4x1xi1>, tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xf64>
  %18 = "stablehlo.pad"(%17, %15) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 3, 0, 0>, interior_padding = array<i64: 0, 2, 0, 0>} : (tensor<1x2x4x1xf64>, tensor<f64>) -> tensor<1x7x4x1xf64>
  %19 = "stablehlo.select"(%13, %arg1, %16) : (tensor<1x2x4x1xi1>, tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xf64>
  %20 = "stablehlo.pad"(%19, %15) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 2, 0, 0>, interior_padding = array<i64: 0, 2, 0, 0>} : (tensor<1x2x4x1xf64>, tensor<f64>) -> tensor<1x7x4x1xf64>
  %21 = "stablehlo.add"(%18, %20) : (tensor<1x7x4x1xf64>, tensor<1x7x4x1xf64>) -> tensor<1x7x4x1xf64>
  %22 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 7, 1>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x8x1xf64>) -> tensor<1x7x4x1xf64>
  %23 = "stablehlo.compare"(%22, %22) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x7x4x1xf64>, tensor<1x7x4x1xf64>) -> tensor<1x7x4x1xi1>
  %24 = "stablehlo.compare"(%22, %0) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x7x4x1xf64>, tensor<1x7x4x1xf64>) -> tensor<1x7x4x1xi1>
  %25 = "stablehlo.or"(%24, %23) : (tensor<1x7x4x1xi1>, tensor<1x7x4x1xi1>) -> tensor<1x7x4x1xi1>
  %26 = "stablehlo.broadcast_in_dim"(%15) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<1x7x4x1xf64>
  %27 = "stablehlo.select"(%25, %21, %26) : (tensor<1x7x4x1xi1>, tensor<1x7x4x1xf64>, tensor<1x7x4x1xf64>) -> tensor<1x7x4x1xf64>
  %28 = "stablehlo.pad"(%27, %15) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 1, 0>} : (tensor<1x7x4x1xf64>, tensor<f64>) -> tensor<1x7x8x1xf64>
  func.return %28 : tensor<1x7x8x1xf64>
}
}

// whole_image, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x3x5x2xf64>, %arg1: tensor<2x1x1x2xf64>) -> (tensor<2x3x5x2xf64>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 3, 1, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %1 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 2, 3, 2, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %2 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 2, 3, 3, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %3 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 3, 0>, limit_indices = array<i64: 2, 3, 4, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %4 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 4, 0>, limit_indices = array<i64: 2, 3, 5, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %5 = "stablehlo.maximum"(%0, %1) : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %6 = "stablehlo.maximum"(%5, %2) : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %7 = "stablehlo.maximum"(%6, %3) : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %8 = "stablehlo.maximum"(%7, %4) : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %9 = "stablehlo.slice"(%8) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 1, 1, 2>, strides = array<i64: 1, 3, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<2x1x1x2xf64>
  %10 = "stablehlo.slice"(%8) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 2, 2, 1, 2>, strides = array<i64: 1, 3, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<2x1x1x2xf64>
  %11 = "stablehlo.slice"(%8) {start_indices = array<i64: 0, 2, 0, 0>, limit_indices = array<i64: 2, 3, 1, 2>, strides = array<i64: 1, 3, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<2x1x1x2xf64>
  %12 = "stablehlo.maximum"(%9, %10) : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xf64>
  %13 = "stablehlo.maximum"(%12, %11) : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xf64>
  %14 = "stablehlo.slice"(%8) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 1, 1, 2>, strides = array<i64: 1, 3, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<2x1x1x2xf64>
  %15 = "stablehlo.slice"(%8) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 2, 2, 1, 2>, strides = array<i64: 1, 3, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<2x1x1x2xf64>
  %16 = "stablehlo.slice"(%8) {start_indices = array<i64: 0, 2, 0, 0>, limit_indices = array<i64: 2, 3, 1, 2>, strides = array<i64: 1, 3, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<2x1x1x2xf64>
  %17 = "stablehlo.compare"(%14, %14) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xi1>
  %18 = "stablehlo.compare"(%14, %13) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xi1>
  %19 = "stablehlo.or"(%18, %17) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %20 = "stablehlo.compare"(%15, %15) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xi1>
  %21 = "stablehlo.compare"(%15, %13) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xi1>
  %22 = "stablehlo.or"(%21, %20) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %23 = "stablehlo.not"(%19) : (tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %24 = "stablehlo.and"(%22, %23) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %25 = "stablehlo.or"(%19, %22) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %26 = "stablehlo.compare"(%16, %16) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xi1>
  %27 = "stablehlo.compare"(%16, %13) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xi1>
  %28 = "stablehlo.or"(%27, %26) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %29 = "stablehlo.not"(%25) : (tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %30 = "stablehlo.and"(%28, %29) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %31 = "stablehlo.or"(%25, %28) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %32 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %33 = "stablehlo.broadcast_in_dim"(%32) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x1x1x2xf64>
  %34 = "stablehlo.select"(%19, %arg1, %33) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xf64>
  %35 = "stablehlo.pad"(%34, %32) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 2, 0, 0>, interior_padding = array<i64: 0, 2, 0, 0>} : (tensor<2x1x1x2xf64>, tensor<f64>) -> tensor<2x3x1x2xf64>
  %36 = "stablehlo.select"(%24, %arg1, %33) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xf64>
  %37 = "stablehlo.pad"(%36, %32) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 2, 0, 0>} : (tensor<2x1x1x2xf64>, tensor<f64>) -> tensor<2x3x1x2xf64>
  %38 = "stablehlo.select"(%30, %arg1, %33) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xf64>
  %39 = "stablehlo.pad"(%38, %32) {edge_padding_low = array<i64: 0, 2, 0, 0>, edge_padding_high = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 2, 0, 0>} : (tensor<2x1x1x2xf64>, tensor<f64>) -> tensor<2x3x1x2xf64>
  %40 = "stablehlo.add"(%35, %37) : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %41 = "stablehlo.add"(%40, %39) : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %42 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 3, 1, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %43 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 2, 3, 2, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %44 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 2, 3, 3, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %45 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 3, 0>, limit_indices = array<i64: 2, 3, 4, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %46 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 4, 0>, limit_indices = array<i64: 2, 3, 5, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %47 = "stablehlo.compare"(%42, %42) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %48 = "stablehlo.compare"(%42, %8) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %49 = "stablehlo.or"(%48, %47) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %50 = "stablehlo.compare"(%43, %43) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %51 = "stablehlo.compare"(%43, %8) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %52 = "stablehlo.or"(%51, %50) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %53 = "stablehlo.not"(%49) : (tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %54 = "stablehlo.and"(%52, %53) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %55 = "stablehlo.or"(%49, %52) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %56 = "stablehlo.compare"(%44, %44) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %57 = "stablehlo.compare"(%44, %8) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %58 = "stablehlo.or"(%57, %56) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %59 = "stablehlo.not"(%55) : (tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %60 = "stablehlo.and"(%58, %59) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %61 = "stablehlo.or"(%55, %58) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %62 = "stablehlo.compare"(%45, %45) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %63 = "stablehlo.compare"(%45, %8) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %64 = "stablehlo.or"(%63, %62) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %65 = "stablehlo.not"(%61) : (tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %66 = "stablehlo.and"(%64, %65) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %67 = "stablehlo.or"(%61, %64) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %68 = "stablehlo.compare"(%46, %46) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %69 = "stablehlo.compare"(%46, %8) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %70 = "stablehlo.or"(%69, %68) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %71 = "stablehlo.not"(%67) : (tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %72 = "stablehlo.and"(%70, %71) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %73 = "stablehlo.or"(%67, %70) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %74 = "stablehlo.broadcast_in_dim"(%32) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x3x1x2xf64>
  %75 = "stablehlo.select"(%49, %41, %74) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %76 = "stablehlo.pad"(%75, %32) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 4, 0>, interior_padding = array<i64: 0, 0, 4, 0>} : (tensor<2x3x1x2xf64>, tensor<f64>) -> tensor<2x3x5x2xf64>
  %77 = "stablehlo.select"(%54, %41, %74) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %78 = "stablehlo.pad"(%77, %32) {edge_padding_low = array<i64: 0, 0, 1, 0>, edge_padding_high = array<i64: 0, 0, 3, 0>, interior_padding = array<i64: 0, 0, 4, 0>} : (tensor<2x3x1x2xf64>, tensor<f64>) -> tensor<2x3x5x2xf64>
  %79 = "stablehlo.select"(%60, %41, %74) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %80 = "stablehlo.pad"(%79, %32) {edge_padding_low = array<i64: 0, 0, 2, 0>, edge_padding_high = array<i64: 0, 0, 2, 0>, interior_padding = array<i64: 0, 0, 4, 0>} : (tensor<2x3x1x2xf64>, tensor<f64>) -> tensor<2x3x5x2xf64>
  %81 = "stablehlo.select"(%66, %41, %74) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %82 = "stablehlo.pad"(%81, %32) {edge_padding_low = array<i64: 0, 0, 3, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 4, 0>} : (tensor<2x3x1x2xf64>, tensor<f64>) -> tensor<2x3x5x2xf64>
  %83 = "stablehlo.select"(%72, %41, %74) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %84 = "stablehlo.pad"(%83, %32) {edge_padding_low = array<i64: 0, 0, 4, 0>, edge_padding_high = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 4, 0>} : (tensor<2x3x1x2xf64>, tensor<f64>) -> tensor<2x3x5x2xf64>
  %85 = "stablehlo.add"(%76, %78) : (tensor<2x3x5x2xf64>, tensor<2x3x5x2xf64>) -> tensor<2x3x5x2xf64>
  %86 = "stablehlo.add"(%85, %80) : (tensor<2x3x5x2xf64>, tensor<2x3x5x2xf64>) -> tensor<2x3x5x2xf64>
  %87 = "stablehlo.add"(%86, %82) : (tensor<2x3x5x2xf64>, tensor<2x3x5x2xf64>) -> tensor<2x3x5x2xf64>
  %88 = "stablehlo.add"(%87, %84) : (tensor<2x3x5x2xf64>, tensor<2x3x5x2xf64>) -> tensor<2x3x5x2xf64>
  func.return %88 : tensor<2x3x5x2xf64>
}
}

// no_examples, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<0x4x4x2xf64>, %arg1: tensor<0x2x2x2xf64>) -> (tensor<0x4x4x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<0x4x4x2xf64>
  func.return %1 : tensor<0x4x4x2xf64>
}
}

