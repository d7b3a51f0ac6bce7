// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>) -> (tensor<1x3xf64>) {
  %4 = "stablehlo.reduce_scatter"(%arg0) ({
  ^bb0(%0: tensor<f64>, %1: tensor<f64>):
  %2 = "stablehlo.add"(%0, %1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%2) : (tensor<f64>) -> ()
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x3xf64>) -> tensor<1x3xf64>
  func.return %4 : tensor<1x3xf64>
}
}

// nest, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>, %arg1: tensor<4xf32>, %arg2: tensor<8xf64>) -> (tensor<1x3xf64>, tensor<1xf32>, tensor<2xf64>) {
  %4 = "stablehlo.reduce_scatter"(%arg0) ({
  ^bb0(%0: tensor<f64>, %1: tensor<f64>):
  %2 = "stablehlo.add"(%0, %1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%2) : (tensor<f64>) -> ()
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x3xf64>) -> tensor<1x3xf64>
  %9 = "stablehlo.reduce_scatter"(%arg1) ({
  ^bb0(%5: tensor<f32>, %6: tensor<f32>):
  %7 = "stablehlo.add"(%5, %6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%7) : (tensor<f32>) -> ()
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4xf32>) -> tensor<1xf32>
  %14 = "stablehlo.reduce_scatter"(%arg2) ({
  ^bb0(%10: tensor<f64>, %11: tensor<f64>):
  %12 = "stablehlo.add"(%10, %11) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%12) : (tensor<f64>) -> ()
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8xf64>) -> tensor<2xf64>
  func.return %4, %9, %14 : tensor<1x3xf64>, tensor<1xf32>, tensor<2xf64>
}
}

