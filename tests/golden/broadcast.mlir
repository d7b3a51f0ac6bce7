// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<2x3xf64>) -> (tensor<2x3xf64>) {
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<2x3xf64>) -> tensor<2x3xui64>
  %1 = "stablehlo.constant"() {value = dense<0> : tensor<ui32>} : () -> tensor<ui32>
  %2 = "stablehlo.replica_id"() : () -> tensor<ui32>
  %3 = "stablehlo.compare"(%2, %1) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %4 = "stablehlo.constant"() {value = dense<0> : tensor<ui64>} : () -> tensor<ui64>
  %5 = "stablehlo.broadcast_in_dim"(%4) {broadcast_dimensions = array<i64>} : (tensor<ui64>) -> tensor<2x3xui64>
  %6 = "stablehlo.select"(%3, %0, %5) : (tensor<i1>, tensor<2x3xui64>, tensor<2x3xui64>) -> tensor<2x3xui64>
  %11 = "stablehlo.all_reduce"(%6) ({
  ^bb0(%7: tensor<ui64>, %8: tensor<ui64>):
  %9 = "stablehlo.add"(%7, %8) : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
  "stablehlo.return"(%9) : (tensor<ui64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2x3xui64>) -> tensor<2x3xui64>
  %12 = "stablehlo.bitcast_convert"(%11) : (tensor<2x3xui64>) -> tensor<2x3xf64>
  func.return %12 : tensor<2x3xf64>
}
}

// scalar, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<f64>) -> (tensor<f64>) {
  %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<f64>) -> tensor<ui64>
  %1 = "stablehlo.constant"() {value = dense<0> : tensor<ui32>} : () -> tensor<ui32>
  %2 = "stablehlo.replica_id"() : () -> tensor<ui32>
  %3 = "stablehlo.compare"(%2, %1) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %4 = "stablehlo.constant"() {value = dense<0> : tensor<ui64>} : () -> tensor<ui64>
  %5 = "stablehlo.select"(%3, %0, %4) : (tensor<i1>, tensor<ui64>, tensor<ui64>) -> tensor<ui64>
  %10 = "stablehlo.all_reduce"(%5) ({
  ^bb0(%6: tensor<ui64>, %7: tensor<ui64>):
  %8 = "stablehlo.add"(%6, %7) : (tensor<ui64>, tensor<ui64>) -> tensor<ui64>
  "stablehlo.return"(%8) : (tensor<ui64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<ui64>) -> tensor<ui64>
  %11 = "stablehlo.bitcast_convert"(%10) : (tensor<ui64>) -> tensor<f64>
  func.return %11 : tensor<f64>
}
}

