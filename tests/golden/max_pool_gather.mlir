// pairs, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x4x6x3xf64>, %arg1: tensor<2x4x6x3xf64>) -> (tensor<2x2x3x3xf64>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 4, 5, 3>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x6x3xf64>) -> tensor<2x4x3x3xf64>
  %1 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 2, 4, 6, 3>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x6x3xf64>) -> tensor<2x4x3x3xf64>
  %2 = "stablehlo.maximum"(%0, %1) : (tensor<2x4x3x3xf64>, tensor<2x4x3x3xf64>) -> tensor<2x4x3x3xf64>
  %3 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 3, 3, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<2x4x3x3xf64>) -> tensor<2x2x3x3xf64>
  %4 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 2, 4, 3, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<2x4x3x3xf64>) -> tensor<2x2x3x3xf64>
  %5 = "stablehlo.maximum"(%3, %4) : (tensor<2x2x3x3xf64>, tensor<2x2x3x3xf64>) -> tensor<2x2x3x3xf64>
  %6 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 4, 5, 3>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x6x3xf64>) -> tensor<2x4x3x3xf64>
  %7 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 2, 4, 6, 3>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x6x3xf64>) -> tensor<2x4x3x3xf64>
  %8 = "stablehlo.compare"(%6, %6) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x4x3x3xf64>, tensor<2x4x3x3xf64>) -> tensor<2x4x3x3xi1>
  %9 = "stablehlo.compare"(%6, %2) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x4x3x3xf64>, tensor<2x4x3x3xf64>) -> tensor<2x4x3x3xi1>
  %10 = "stablehlo.or"(%9, %8) : (tensor<2x4x3x3xi1>, tensor<2x4x3x3xi1>) -> tensor<2x4x3x3xi1>
  %11 = "stablehlo.compare"(%7, %7) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x4x3x3xf64>, tensor<2x4x3x3xf64>) -> tensor<2x4x3x3xi1>
  %12 = "stablehlo.compare"(%7, %2) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x4x3x3xf64>, tensor<2x4x3x3xf64>) -> tensor<2x4x3x3xi1>
  %13 = "stablehlo.or"(%12, %11) : (tensor<2x4x3x3xi1>, tensor<2x4x3x3xi1>) -> tensor<2x4x3x3xi1>
  %14 = "stablehlo.not"(%10) : (tensor<2x4x3x3xi1>) -> tensor<2x4x3x3xi1>
  %15 = "stablehlo.and"(%13, %14) : (tensor<2x4x3x3xi1>, tensor<2x4x3x3xi1>) -> tensor<2x4x3x3xi1>
  %16 = "stablehlo.or"(%10, %13) : (tensor<2x4x3x3xi1>, tensor<2x4x3x3xi1>) -> tensor<2x4x3x3xi1>
  %17 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 4, 5, 3>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x6x3xf64>) -> tensor<2x4x3x3xf64>
  %18 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 2, 4, 6, 3>, strides = array<i64: 1, 1, 2, 1>} : (tensor<2x4x6x3xf64>) -> tensor<2x4x3x3xf64>
  %19 = "stablehlo.select"(%10, %17, %18) : (tensor<2x4x3x3xi1>, tensor<2x4x3x3xf64>, tensor<2x4x3x3xf64>) -> tensor<2x4x3x3xf64>
  %20 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 3, 3, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<2x4x3x3xf64>) -> tensor<2x2x3x3xf64>
  %21 = "stablehlo.slice"(%2) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 2, 4, 3, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<2x4x3x3xf64>) -> tensor<2x2x3x3xf64>
  %22 = "stablehlo.compare"(%20, %20) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x2x3x3xf64>, tensor<2x2x3x3xf64>) -> tensor<2x2x3x3xi1>
  %23 = "stablehlo.compare"(%20, %5) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x3x3xf64>, tensor<2x2x3x3xf64>) -> tensor<2x2x3x3xi1>
  %24 = "stablehlo.or"(%23, %22) : (tensor<2x2x3x3xi1>, tensor<2x2x3x3xi1>) -> tensor<2x2x3x3xi1>
  %25 = "stablehlo.compare"(%21, %21) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x2x3x3xf64>, tensor<2x2x3x3xf64>) -> tensor<2x2x3x3xi1>
  %26 = "stablehlo.compare"(%21, %5) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x2x3x3xf64>, tensor<2x2x3x3xf64>) -> tensor<2x2x3x3xi1>
  %27 = "stablehlo.or"(%26, %25) : (tensor<2x2x3x3xi1>, tensor<2x2x3x3xi1>) -> tensor<2x2x3x3xi1>
  %28 = "stablehlo.not"(%24) : (tensor<2x2x3x3xi1>) -> tensor<2x2x3x3xi1>
  %29 = "stablehlo.and"(%27, %28) : (tensor<2x2x3x3xi1>, tensor<2x2x3x3xi1>) -> tensor<2x2x3x3xi1>
  %30 = "stablehlo.or"(%24, %27) : (tensor<2x2x3x3xi1>, tensor<2x2x3x3xi1>) -> tensor<2x2x3x3xi1>
  %31 = "stablehlo.slice"(%19) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 3, 3, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<2x4x3x3xf64>) -> tensor<2x2x3x3xf64>
  %32 = "stablehlo.slice"(%19) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 2, 4, 3, 3>, strides = array<i64: 1, 2, 1, 1>} : (tensor<2x4x3x3xf64>) -> tensor<2x2x3x3xf64>
  %33 = "stablehlo.select"(%24, %31, %32) : (tensor<2x2x3x3xi1>, tensor<2x2x3x3xf64>, tensor<2x2x3x3xf64>) -> tensor<2x2x3x3xf64>
  func.return %33 : tensor<2x2x3x3xf64>
}
}

// overlapping, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x7x6x2xf64>, %arg1: tensor<1x7x6x2xf64>) -> (tensor<1x4x3x2xf64>) {
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
  %13 = "stablehlo.pad"(%arg0, %0) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x6x2xf64>, tensor<f64>) -> tensor<1x7x7x2xf64>
  %14 = "stablehlo.slice"(%13) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 5, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %15 = "stablehlo.slice"(%13) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 1, 7, 6, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %16 = "stablehlo.slice"(%13) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 1, 7, 7, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %17 = "stablehlo.compare"(%14, %14) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xi1>
  %18 = "stablehlo.compare"(%14, %6) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xi1>
  %19 = "stablehlo.or"(%18, %17) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %20 = "stablehlo.compare"(%15, %15) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xi1>
  %21 = "stablehlo.compare"(%15, %6) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xi1>
  %22 = "stablehlo.or"(%21, %20) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %23 = "stablehlo.not"(%19) : (tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %24 = "stablehlo.and"(%22, %23) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %25 = "stablehlo.or"(%19, %22) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %26 = "stablehlo.compare"(%16, %16) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xi1>
  %27 = "stablehlo.compare"(%16, %6) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xi1>
  %28 = "stablehlo.or"(%27, %26) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %29 = "stablehlo.constant"() {value = dense<[true, true, false]> : tensor<3xi1>} : () -> tensor<3xi1>
  %30 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64: 2>} : (tensor<3xi1>) -> tensor<1x7x3x2xi1>
  %31 = "stablehlo.and"(%28, %30) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %32 = "stablehlo.not"(%25) : (tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %33 = "stablehlo.and"(%31, %32) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %34 = "stablehlo.or"(%25, %31) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xi1>) -> tensor<1x7x3x2xi1>
  %35 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %36 = "stablehlo.pad"(%arg1, %35) {edge_padding_low = array<i64: 0, 0, 0, 0>, edge_padding_high = array<i64: 0, 0, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x6x2xf64>, tensor<f64>) -> tensor<1x7x7x2xf64>
  %37 = "stablehlo.slice"(%36) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 5, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %38 = "stablehlo.slice"(%36) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 1, 7, 6, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %39 = "stablehlo.slice"(%36) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 1, 7, 7, 2>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x7x2xf64>) -> tensor<1x7x3x2xf64>
  %40 = "stablehlo.select"(%24, %38, %39) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %41 = "stablehlo.select"(%19, %37, %40) : (tensor<1x7x3x2xi1>, tensor<1x7x3x2xf64>, tensor<1x7x3x2xf64>) -> tensor<1x7x3x2xf64>
  %42 = "stablehlo.pad"(%6, %0) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x3x2xf64>, tensor<f64>) -> tensor<1x9x3x2xf64>
  %43 = "stablehlo.slice"(%42) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %44 = "stablehlo.slice"(%42) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 8, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %45 = "stablehlo.slice"(%42) {start_indices = array<i64: 0, 2, 0, 0>, limit_indices = array<i64: 1, 9, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %46 = "stablehlo.compare"(%43, %43) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xi1>
  %47 = "stablehlo.compare"(%43, %12) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xi1>
  %48 = "stablehlo.or"(%47, %46) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %49 = "stablehlo.constant"() {value = dense<[false, true, true, true]> : tensor<4xi1>} : () -> tensor<4xi1>
  %50 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 1>} : (tensor<4xi1>) -> tensor<1x4x3x2xi1>
  %51 = "stablehlo.and"(%48, %50) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %52 = "stablehlo.compare"(%44, %44) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xi1>
  %53 = "stablehlo.compare"(%44, %12) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xi1>
  %54 = "stablehlo.or"(%53, %52) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %55 = "stablehlo.not"(%51) : (tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %56 = "stablehlo.and"(%54, %55) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %57 = "stablehlo.or"(%51, %54) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %58 = "stablehlo.compare"(%45, %45) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xi1>
  %59 = "stablehlo.compare"(%45, %12) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xi1>
  %60 = "stablehlo.or"(%59, %58) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %61 = "stablehlo.constant"() {value = dense<[true, true, true, false]> : tensor<4xi1>} : () -> tensor<4xi1>
  %62 = "stablehlo.broadcast_in_dim"(%61) {broadcast_dimensions = array<i64: 1>} : (tensor<4xi1>) -> tensor<1x4x3x2xi1>
  %63 = "stablehlo.and"(%60, %62) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %64 = "stablehlo.not"(%57) : (tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %65 = "stablehlo.and"(%63, %64) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %66 = "stablehlo.or"(%57, %63) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xi1>) -> tensor<1x4x3x2xi1>
  %67 = "stablehlo.pad"(%41, %35) {edge_padding_low = array<i64: 0, 1, 0, 0>, edge_padding_high = array<i64: 0, 1, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x3x2xf64>, tensor<f64>) -> tensor<1x9x3x2xf64>
  %68 = "stablehlo.slice"(%67) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %69 = "stablehlo.slice"(%67) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 8, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %70 = "stablehlo.slice"(%67) {start_indices = array<i64: 0, 2, 0, 0>, limit_indices = array<i64: 1, 9, 3, 2>, strides = array<i64: 1, 2, 1, 1>} : (tensor<1x9x3x2xf64>) -> tensor<1x4x3x2xf64>
  %71 = "stablehlo.select"(%56, %69, %70) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xf64>
  %72 = "stablehlo.select"(%51, %68, %71) : (tensor<1x4x3x2xi1>, tensor<1x4x3x2xf64>, tensor<1x4x3x2xf64>) -> tensor<1x4x3x2xf64>
  func.return %72 : tensor<1x4x3x2xf64>
}
}

// gaps, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<1x7x8x1xf64>, %arg1: tensor<1x7x8x1xf64>) -> (tensor<1x2x4x1xf64>) {
  %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 7, 1>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x8x1xf64>) -> tensor<1x7x4x1xf64>
  %1 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 4, 4, 1>, strides = array<i64: 1, 3, 1, 1>} : (tensor<1x7x4x1xf64>) -> tensor<1x2x4x1xf64>
  %2 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 5, 4, 1>, strides = array<i64: 1, 3, 1, 1>} : (tensor<1x7x4x1xf64>) -> tensor<1x2x4x1xf64>
  %3 = "stablehlo.maximum"(%1, %2) : (tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xf64>
  %4 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 7, 1>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x8x1xf64>) -> tensor<1x7x4x1xf64>
  %5 = "stablehlo.compare"(%4, %4) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x7x4x1xf64>, tensor<1x7x4x1xf64>) -> tensor<1x7x4x1xi1>
  %6 = "stablehlo.compare"(%4, %0) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x7x4x1xf64>, tensor<1x7x4x1xf64>) -> tensor<1x7x4x1xi1>
  %7 = "stablehlo.or"(%6, %5) : (tensor<1x7x4x1xi1>, tensor<1x7x4x1xi1>) -> tensor<1x7x4x1xi1>
  %8 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 7, 7, 1>, strides = array<i64: 1, 1, 2, 1>} : (tensor<1x7x8x1xf64>) -> tensor<1x7x4x1xf64>
  %9 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 4, 4, 1>, strides = array<i64: 1, 3, 1, 1>} : (tensor<1x7x4x1xf64>) -> tensor<1x2x4x1xf64>
  %10 = "stablehlo.slice"(%0) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 5, 4, 1>, strides = array<i64: 1, 3, 1, 1>} : (tensor<1x7x4x1xf64>) -> tensor<1x2x4x1xf64>
  %11 = "stablehlo.compare"(%9, %9) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xi1>
  %12 = "stablehlo.compare"(%9, %3) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xi1>
  %13 = "stablehlo.or"(%12, %11) : (tensor<1x2x4x1xi1>, tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
  %14 = "stablehlo.compare"(%10, %10) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xi1>
  %15 = "stablehlo.compare"(%10, %3) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xi1>
  %16 = "stablehlo.or"(%15, %14) : (tensor<1x2x4x1xi1>, tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
  %17 = "stablehlo.not"(%13) : (tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
  %18 = "stablehlo.and"(%16, %17) : (tensor<1x2x4x1xi1>, tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
  %19 = "stablehlo.or"(%13, %16) : (tensor<1x2x4x1xi1>, tensor<1x2x4x1xi1>) -> tensor<1x2x4x1xi1>
  %20 = "stablehlo.slice"(%8) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 1, 4, 4, 1>, strides = array<i64: 1, 3, 1, 1>} : (tensor<1x7x4x1xf64>) -> tensor<1x2x4x1xf64>
  %21 = "stablehlo.slice"(%8) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 1, 5, 4, 1>, strides = array<i64: 1, 3, 1, 1>} : (tensor<1x7x4x1xf64>) -> tensor<1x2x4x1xf64>
  %22 = "stablehlo.select"(%13, %20, %21) : (tensor<1x2x4x1xi1>, tensor<1x2x4x1xf64>, tensor<1x2x4x1xf64>) -> tensor<1x2x4x1xf64>
  func.return %22 : tensor<1x2x4x1xf64>
}
}

// whole_image, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x3x5x2xf64>, %arg1: tensor<2x3x5x2xf64>) -> (tensor<2x1x1x2xf64>) {
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
  %14 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 3, 1, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %15 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 2, 3, 2, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %16 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 2, 3, 3, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %17 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 3, 0>, limit_indices = array<i64: 2, 3, 4, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %18 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0, 0, 4, 0>, limit_indices = array<i64: 2, 3, 5, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %19 = "stablehlo.compare"(%14, %14) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %20 = "stablehlo.compare"(%14, %8) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %21 = "stablehlo.or"(%20, %19) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %22 = "stablehlo.compare"(%15, %15) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %23 = "stablehlo.compare"(%15, %8) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %24 = "stablehlo.or"(%23, %22) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %25 = "stablehlo.not"(%21) : (tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %26 = "stablehlo.and"(%24, %25) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %27 = "stablehlo.or"(%21, %24) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %28 = "stablehlo.compare"(%16, %16) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %29 = "stablehlo.compare"(%16, %8) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %30 = "stablehlo.or"(%29, %28) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %31 = "stablehlo.not"(%27) : (tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %32 = "stablehlo.and"(%30, %31) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %33 = "stablehlo.or"(%27, %30) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %34 = "stablehlo.compare"(%17, %17) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %35 = "stablehlo.compare"(%17, %8) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %36 = "stablehlo.or"(%35, %34) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %37 = "stablehlo.not"(%33) : (tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %38 = "stablehlo.and"(%36, %37) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %39 = "stablehlo.or"(%33, %36) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %40 = "stablehlo.compare"(%18, %18) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %41 = "stablehlo.compare"(%18, %8) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xi1>
  %42 = "stablehlo.or"(%41, %40) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %43 = "stablehlo.not"(%39) : (tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %44 = "stablehlo.and"(%42, %43) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %45 = "stablehlo.or"(%39, %42) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xi1>) -> tensor<2x3x1x2xi1>
  %46 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 3, 1, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %47 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 1, 0>, limit_indices = array<i64: 2, 3, 2, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %48 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 2, 0>, limit_indices = array<i64: 2, 3, 3, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %49 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 3, 0>, limit_indices = array<i64: 2, 3, 4, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %50 = "stablehlo.slice"(%arg1) {start_indices = array<i64: 0, 0, 4, 0>, limit_indices = array<i64: 2, 3, 5, 2>, strides = array<i64: 1, 1, 5, 1>} : (tensor<2x3x5x2xf64>) -> tensor<2x3x1x2xf64>
  %51 = "stablehlo.select"(%38, %49, %50) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %52 = "stablehlo.select"(%32, %48, %51) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %53 = "stablehlo.select"(%26, %47, %52) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %54 = "stablehlo.select"(%21, %46, %53) : (tensor<2x3x1x2xi1>, tensor<2x3x1x2xf64>, tensor<2x3x1x2xf64>) -> tensor<2x3x1x2xf64>
  %55 = "stablehlo.slice"(%8) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 1, 1, 2>, strides = array<i64: 1, 3, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<2x1x1x2xf64>
  %56 = "stablehlo.slice"(%8) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 2, 2, 1, 2>, strides = array<i64: 1, 3, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<2x1x1x2xf64>
  %57 = "stablehlo.slice"(%8) {start_indices = array<i64: 0, 2, 0, 0>, limit_indices = array<i64: 2, 3, 1, 2>, strides = array<i64: 1, 3, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<2x1x1x2xf64>
  %58 = "stablehlo.compare"(%55, %55) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xi1>
  %59 = "stablehlo.compare"(%55, %13) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xi1>
  %60 = "stablehlo.or"(%59, %58) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %61 = "stablehlo.compare"(%56, %56) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xi1>
  %62 = "stablehlo.compare"(%56, %13) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xi1>
  %63 = "stablehlo.or"(%62, %61) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %64 = "stablehlo.not"(%60) : (tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %65 = "stablehlo.and"(%63, %64) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %66 = "stablehlo.or"(%60, %63) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %67 = "stablehlo.compare"(%57, %57) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xi1>
  %68 = "stablehlo.compare"(%57, %13) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xi1>
  %69 = "stablehlo.or"(%68, %67) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %70 = "stablehlo.not"(%66) : (tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %71 = "stablehlo.and"(%69, %70) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %72 = "stablehlo.or"(%66, %69) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xi1>) -> tensor<2x1x1x2xi1>
  %73 = "stablehlo.slice"(%54) {start_indices = array<i64: 0, 0, 0, 0>, limit_indices = array<i64: 2, 1, 1, 2>, strides = array<i64: 1, 3, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<2x1x1x2xf64>
  %74 = "stablehlo.slice"(%54) {start_indices = array<i64: 0, 1, 0, 0>, limit_indices = array<i64: 2, 2, 1, 2>, strides = array<i64: 1, 3, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<2x1x1x2xf64>
  %75 = "stablehlo.slice"(%54) {start_indices = array<i64: 0, 2, 0, 0>, limit_indices = array<i64: 2, 3, 1, 2>, strides = array<i64: 1, 3, 1, 1>} : (tensor<2x3x1x2xf64>) -> tensor<2x1x1x2xf64>
  %76 = "stablehlo.select"(%65, %74, %75) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xf64>
  %77 = "stablehlo.select"(%60, %73, %76) : (tensor<2x1x1x2xi1>, tensor<2x1x1x2xf64>, tensor<2x1x1x2xf64>) -> tensor<2x1x1x2xf64>
  func.return %77 : tensor<2x1x1x2xf64>
}
}

// no_examples, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<0x4x4x2xf64>, %arg1: tensor<0x4x4x2xf64>) -> (tensor<0x2x2x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<0x2x2x2xf64>
  func.return %1 : tensor<0x2x2x2xf64>
}
}

