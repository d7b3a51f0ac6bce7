// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>) -> (tensor<4x3xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0> : tensor<ui32>} : () -> tensor<ui32>
  %1 = "stablehlo.replica_id"() : () -> tensor<ui32>
  %2 = "stablehlo.compare"(%1, %0) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %3 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4x3xf64>) -> tensor<4x3xui64>
  %4 = "stablehlo.constant"() {value = dense<0> : tensor<ui64>} : () -> tensor<ui64>
  %5 = "stablehlo.broadcast_in_dim"(%4) {broadcast_dimensions = array<i64>} : (tensor<ui64>) -> tensor<4x3xui64>
  %6 = "stablehlo.select"(%2, %3, %5) : (tensor<i1>, tensor<4x3xui64>, tensor<4x3xui64>) -> tensor<4x3xui64>
  %11 = "stablehlo.all_reduce"(%6) ({
  ^bb0(%7: tensor<ui64>, %8: tensor<ui64>):
  %9 = "stablehlo.add"(%7, %8) : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
  "stablehlo.return"(%9) : (tensor<ui64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x3xui64>) -> tensor<4x3xui64>
  %12 = "stablehlo.bitcast_convert"(%11) : (tensor<4x3xui64>) -> tensor<4x3xf64>
  func.return %12 : tensor<4x3xf64>
}
}

// nest, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>, %arg1: tensor<4xf32>, %arg2: tensor<f64>) -> (tensor<4x3xf64>, tensor<4xf32>, tensor<f64>) {
  %0 = "stablehlo.constant"() {value = dense<0> : tensor<ui32>} : () -> tensor<ui32>
  %1 = "stablehlo.replica_id"() : () -> tensor<ui32>
  %2 = "stablehlo.compare"(%1, %0) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %3 = "stablehlo.bitcast_convert"(%arg0) : (tensor<4x3xf64>) -> tensor<4x3xui64>
  %4 = "stablehlo.constant"() {value = dense<0> : tensor<ui64>} : () -> tensor<ui64>
  %5 = "stablehlo.broadcast_in_dim"(%4) {broadcast_dimensions = array<i64>} : (tensor<ui64>) -> tensor<4x3xui64>
  %6 = "stablehlo.select"(%2, %3, %5) : (tensor<i1>, tensor<4x3xui64>, tensor<4x3xui64>) -> tensor<4x3xui64>
  %7 = "stablehlo.bitcast_convert"(%arg1) : (tensor<4xf32>) -> tensor<4xui32>
  %8 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<4xui32>
  %9 = "stablehlo.select"(%2, %7, %8) : (tensor<i1>, tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
  %10 = "stablehlo.bitcast_convert"(%arg2) : (tensor<f64>) -> tensor<ui64>
  %11 = "stablehlo.select"(%2, %10, %4) : (tensor<i1>, tensor<ui64>, tensor<ui64>) -> tensor<ui64>
  %16 = "stablehlo.all_reduce"(%9) ({
  ^bb0(%12: tensor<ui32>, %13: tensor<ui32>):
  %14 = "stablehlo.add"(%12, %13) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  "stablehlo.return"(%14) : (tensor<ui32>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4xui32>) -> tensor<4xui32>
  %21:2 = "stablehlo.all_reduce"(%6, %11) ({
  ^bb0(%17: tensor<ui64>, %18: tensor<ui64>):
  %19 = "stablehlo.add"(%17, %18) : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
  "stablehlo.return"(%19) : (tensor<ui64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x3xui64>, tensor<ui64>) -> (tensor<4x3xui64>, tensor<ui64>)
  %22 = "stablehlo.bitcast_convert"(%21#0) : (tensor<4x3xui64>) -> tensor<4x3xf64>
  %23 = "stablehlo.bitcast_convert"(%16) : (tensor<4xui32>) -> tensor<4xf32>
  %24 = "stablehlo.bitcast_convert"(%21#1) : (tensor<ui64>) -> tensor<f64>
  func.return %22, %23, %24 : tensor<4x3xf64>, tensor<4xf32>, tensor<f64>
}
}

