// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<2x3xf64>) -> (tensor<2x3xf64>) {
  %4 = "stablehlo.all_reduce"(%arg0) ({
  ^bb0(%0: tensor<f64>, %1: tensor<f64>):
  %2 = "stablehlo.minimum"(%0, %1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%2) : (tensor<f64>) -> ()
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2x3xf64>) -> tensor<2x3xf64>
  func.return %4 : tensor<2x3xf64>
}
}

