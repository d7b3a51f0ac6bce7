// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>) -> (tensor<4x3xf64>) {
  %0 = "stablehlo.compare"(%arg0, %arg0) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x3xi1>
  %1 = "stablehlo.constant"() {value = dense<0x7FF8000000000000> : tensor<f64>} : () -> tensor<f64>
  %2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<4x3xf64>
  %3 = "stablehlo.select"(%0, %2, %arg0) : (tensor<4x3xi1>, tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  %4 = "stablehlo.bitcast_convert"(%3) : (tensor<4x3xf64>) -> tensor<4x3xi64>
  %5 = "stablehlo.constant"() {value = dense<9223372036854775807> : tensor<i64>} : () -> tensor<i64>
  %6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<4x3xi64>
  %7 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %8 = "stablehlo.broadcast_in_dim"(%7) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<4x3xi64>
  %9 = "stablehlo.compare"(%4, %8) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
  %10 = "stablehlo.xor"(%4, %6) : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi64>
  %11 = "stablehlo.select"(%9, %10, %4) : (tensor<4x3xi1>, tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi64>
  %16 = "stablehlo.all_reduce"(%11) ({
  ^bb0(%12: tensor<i64>, %13: tensor<i64>):
  %14 = "stablehlo.maximum"(%12, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  "stablehlo.return"(%14) : (tensor<i64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x3xi64>) -> tensor<4x3xi64>
  %17 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<4x3xi64>
  %18 = "stablehlo.broadcast_in_dim"(%7) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<4x3xi64>
  %19 = "stablehlo.compare"(%16, %18) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
  %20 = "stablehlo.xor"(%16, %17) : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi64>
  %21 = "stablehlo.select"(%19, %20, %16) : (tensor<4x3xi1>, tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi64>
  %22 = "stablehlo.bitcast_convert"(%21) : (tensor<4x3xi64>) -> tensor<4x3xf64>
  func.return %22 : tensor<4x3xf64>
}
}

// nest, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>, %arg1: tensor<4xf32>, %arg2: tensor<f64>) -> (tensor<4x3xf64>, tensor<4xf32>, tensor<f64>) {
  %0 = "stablehlo.compare"(%arg0, %arg0) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x3xi1>
  %1 = "stablehlo.constant"() {value = dense<0x7FF8000000000000> : tensor<f64>} : () -> tensor<f64>
  %2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<4x3xf64>
  %3 = "stablehlo.select"(%0, %2, %arg0) : (tensor<4x3xi1>, tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  %4 = "stablehlo.bitcast_convert"(%3) : (tensor<4x3xf64>) -> tensor<4x3xi64>
  %5 = "stablehlo.constant"() {value = dense<9223372036854775807> : tensor<i64>} : () -> tensor<i64>
  %6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<4x3xi64>
  %7 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %8 = "stablehlo.broadcast_in_dim"(%7) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<4x3xi64>
  %9 = "stablehlo.compare"(%4, %8) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
  %10 = "stablehlo.xor"(%4, %6) : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi64>
  %11 = "stablehlo.select"(%9, %10, %4) : (tensor<4x3xi1>, tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi64>
  %12 = "stablehlo.compare"(%arg1, %arg1) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %13 = "stablehlo.constant"() {value = dense<0x7FC00000> : tensor<f32>} : () -> tensor<f32>
  %14 = "stablehlo.broadcast_in_dim"(%13) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<4xf32>
  %15 = "stablehlo.select"(%12, %14, %arg1) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %16 = "stablehlo.bitcast_convert"(%15) : (tensor<4xf32>) -> tensor<4xi32>
  %17 = "stablehlo.constant"() {value = dense<2147483647> : tensor<i32>} : () -> tensor<i32>
  %18 = "stablehlo.broadcast_in_dim"(%17) {broadcast_dimensions = array<i64>} : (tensor<i32>) -> tensor<4xi32>
  %19 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %20 = "stablehlo.broadcast_in_dim"(%19) {broadcast_dimensions = array<i64>} : (tensor<i32>) -> tensor<4xi32>
  %21 = "stablehlo.compare"(%16, %20) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %22 = "stablehlo.xor"(%16, %18) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %23 = "stablehlo.select"(%21, %22, %16) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %24 = "stablehlo.compare"(%arg2, %arg2) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %25 = "stablehlo.select"(%24, %1, %arg2) : (tensor<i1>, tensor<f64>, tensor<f64>) -> tensor<f64>
  %26 = "stablehlo.bitcast_convert"(%25) : (tensor<f64>) -> tensor<i64>
  %27 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<i64>
  %28 = "stablehlo.compare"(%26, %7) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %29 = "stablehlo.xor"(%26, %27) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %30 = "stablehlo.select"(%28, %29, %26) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %35 = "stablehlo.all_reduce"(%23) ({
  ^bb0(%31: tensor<i32>, %32: tensor<i32>):
  %33 = "stablehlo.maximum"(%31, %32) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%33) : (tensor<i32>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4xi32>) -> tensor<4xi32>
  %40:2 = "stablehlo.all_reduce"(%11, %30) ({
  ^bb0(%36: tensor<i64>, %37: tensor<i64>):
  %38 = "stablehlo.maximum"(%36, %37) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  "stablehlo.return"(%38) : (tensor<i64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x3xi64>, tensor<i64>) -> (tensor<4x3xi64>, tensor<i64>)
  %41 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<4x3xi64>
  %42 = "stablehlo.broadcast_in_dim"(%7) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<4x3xi64>
  %43 = "stablehlo.compare"(%40#0, %42) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi1>
  %44 = "stablehlo.xor"(%40#0, %41) : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi64>
  %45 = "stablehlo.select"(%43, %44, %40#0) : (tensor<4x3xi1>, tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<4x3xi64>
  %46 = "stablehlo.bitcast_convert"(%45) : (tensor<4x3xi64>) -> tensor<4x3xf64>
  %47 = "stablehlo.broadcast_in_dim"(%17) {broadcast_dimensions = array<i64>} : (tensor<i32>) -> tensor<4xi32>
  %48 = "stablehlo.broadcast_in_dim"(%19) {broadcast_dimensions = array<i64>} : (tensor<i32>) -> tensor<4xi32>
  %49 = "stablehlo.compare"(%35, %48) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %50 = "stablehlo.xor"(%35, %47) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %51 = "stablehlo.select"(%49, %50, %35) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %52 = "stablehlo.bitcast_convert"(%51) : (tensor<4xi32>) -> tensor<4xf32>
  %53 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<i64>
  %54 = "stablehlo.compare"(%40#1, %7) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %55 = "stablehlo.xor"(%40#1, %53) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %56 = "stablehlo.select"(%54, %55, %40#1) : (tensor<i1>, tensor<i64>, tensor<i64>) -> tensor<i64>
  %57 = "stablehlo.bitcast_convert"(%56) : (tensor<i64>) -> tensor<f64>
  func.return %46, %52, %57 : tensor<4x3xf64>, tensor<4xf32>, tensor<f64>
}
}

