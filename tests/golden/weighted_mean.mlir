// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<2x3xf64>, %arg1: tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>) {
  %4:2 = "stablehlo.all_reduce"(%arg0, %arg1) ({
  ^bb0(%0: tensor<f64>, %1: tensor<f64>):
  %2 = "stablehlo.add"(%0, %1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%2) : (tensor<f64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2x3xf64>, tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2x3xf64>)
  %5 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x3xf64>
  %7 = "stablehlo.divide"(%4#0, %4#1) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %8 = "stablehlo.compare"(%4#1, %6) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xi1>
  %9 = "stablehlo.select"(%8, %6, %7) : (tensor<2x3xi1>, tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  func.return %9, %4#1 : tensor<2x3xf64>, tensor<2x3xf64>
}
}

// nest, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<2x3xf64>, %arg1: tensor<f64>, %arg2: tensor<2x3xf64>, %arg3: tensor<f64>) -> (tensor<2x3xf64>, tensor<f64>, tensor<2x3xf64>, tensor<f64>) {
  %4:4 = "stablehlo.all_reduce"(%arg0, %arg1, %arg2, %arg3) ({
  ^bb0(%0: tensor<f64>, %1: tensor<f64>):
  %2 = "stablehlo.add"(%0, %1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%2) : (tensor<f64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2x3xf64>, tensor<f64>, tensor<2x3xf64>, tensor<f64>) -> (tensor<2x3xf64>, tensor<f64>, tensor<2x3xf64>, tensor<f64>)
  %5 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x3xf64>
  %7 = "stablehlo.divide"(%4#0, %4#2) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %8 = "stablehlo.compare"(%4#2, %6) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xi1>
  %9 = "stablehlo.select"(%8, %6, %7) : (tensor<2x3xi1>, tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %10 = "stablehlo.divide"(%4#1, %4#3) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %11 = "stablehlo.compare"(%4#3, %5) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %12 = "stablehlo.select"(%11, %5, %10) : (tensor<i1>, tensor<f64>, tensor<f64>) -> tensor<f64>
  func.return %9, %12, %4#2, %4#3 : tensor<2x3xf64>, tensor<f64>, tensor<2x3xf64>, tensor<f64>
}
}

