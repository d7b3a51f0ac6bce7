// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>) -> (tensor<4x3xf64>) {
  %4 = "stablehlo.all_reduce"(%arg0) ({
  ^bb0(%0: tensor<f64>, %1: tensor<f64>):
  %2 = "stablehlo.minimum"(%0, %1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%2) : (tensor<f64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x3xf64>) -> tensor<4x3xf64>
  func.return %4 : tensor<4x3xf64>
}
}

// nest, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<4x3xf64>, %arg1: tensor<4xf32>, %arg2: tensor<f64>) -> (tensor<4x3xf64>, tensor<4xf32>, tensor<f64>) {
  %4 = "stablehlo.all_reduce"(%arg1) ({
  ^bb0(%0: tensor<f32>, %1: tensor<f32>):
  %2 = "stablehlo.minimum"(%0, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%2) : (tensor<f32>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %9:2 = "stablehlo.all_reduce"(%arg0, %arg2) ({
  ^bb0(%5: tensor<f64>, %6: tensor<f64>):
  %7 = "stablehlo.minimum"(%5, %6) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%7) : (tensor<f64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x3xf64>, tensor<f64>) -> (tensor<4x3xf64>, tensor<f64>)
  func.return %9#0, %4, %9#1 : tensor<4x3xf64>, tensor<4xf32>, tensor<f64>
}
}

