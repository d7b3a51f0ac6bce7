// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>) -> (tensor<4x3xf64>) {
  %4 = "stablehlo.all_reduce"(%arg0) ({
  ^bb0(%0: tensor<f64>, %1: tensor<f64>):
  %2 = "stablehlo.add"(%0, %1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%2) : (tensor<f64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x3xf64>) -> tensor<4x3xf64>
  %5 = "stablehlo.constant"() {value = dense<0x4010000000000000> : tensor<f64>} : () -> tensor<f64>
  %6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<4x3xf64>
  %7 = "stablehlo.divide"(%4, %6) : (tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  func.return %7 : tensor<4x3xf64>
}
}

// nest, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>, %arg1: tensor<4xf32>, %arg2: tensor<f64>) -> (tensor<4x3xf64>, tensor<4xf32>, tensor<f64>) {
  %4 = "stablehlo.all_reduce"(%arg1) ({
  ^bb0(%0: tensor<f32>, %1: tensor<f32>):
  %2 = "stablehlo.add"(%0, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %9:2 = "stablehlo.all_reduce"(%arg0, %arg2) ({
  ^bb0(%5: tensor<f64>, %6: tensor<f64>):
  %7 = "stablehlo.add"(%5, %6) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%7) : (tensor<f64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x3xf64>, tensor<f64>) -> (tensor<4x3xf64>, tensor<f64>)
  %10 = "stablehlo.constant"() {value = dense<0x4010000000000000> : tensor<f64>} : () -> tensor<f64>
  %11 = "stablehlo.broadcast_in_dim"(%10) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<4x3xf64>
  %12 = "stablehlo.divide"(%9#0, %11) : (tensor<4x3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  %13 = "stablehlo.constant"() {value = dense<0x40800000> : tensor<f32>} : () -> tensor<f32>
  %14 = "stablehlo.broadcast_in_dim"(%13) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<4xf32>
  %15 = "stablehlo.divide"(%4, %14) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %16 = "stablehlo.divide"(%9#1, %10) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  func.return %12, %15, %16 : tensor<4x3xf64>, tensor<4xf32>, tensor<f64>
}
}

