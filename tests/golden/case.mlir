// two_branches, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2x3xf64>) -> (tensor<2x3xf64>) {
  %6 = "stablehlo.case"(%arg0) ({
  %0 = "stablehlo.exponential"(%arg1) : (tensor<2x3xf64>) -> tensor<2x3xf64>
  "stablehlo.return"(%0) : (tensor<2x3xf64>) -> ()
  }, {
  %2 = "stablehlo.constant"() {value = dense<0x4000000000000000> : tensor<f64>} : () -> tensor<f64>
  %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x3xf64>
  %4 = "stablehlo.multiply"(%arg1, %3) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  "stablehlo.return"(%4) : (tensor<2x3xf64>) -> ()
  }) : (tensor<i32>) -> tensor<2x3xf64>
  func.return %6 : tensor<2x3xf64>
}
}

// three_branches_two_results, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2x3xf64>, %arg2: tensor<3xf64>) -> (tensor<2x3xf64>, tensor<3xf64>) {
  %14:2 = "stablehlo.case"(%arg0) ({
  %0 = "stablehlo.broadcast_in_dim"(%arg2) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf64>) -> tensor<2x3xf64>
  %1 = "stablehlo.multiply"(%arg1, %0) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  "stablehlo.return"(%1, %arg2) : (tensor<2x3xf64>, tensor<3xf64>) -> ()
  }, {
  %3 = "stablehlo.sine"(%arg1) : (tensor<2x3xf64>) -> tensor<2x3xf64>
  %4 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %9 = "stablehlo.reduce"(%arg1, %4) ({
  ^bb0(%5: tensor<f64>, %6: tensor<f64>):
  %7 = "stablehlo.add"(%5, %6) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%7) : (tensor<f64>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<2x3xf64>, tensor<f64>) -> tensor<3xf64>
  "stablehlo.return"(%3, %9) : (tensor<2x3xf64>, tensor<3xf64>) -> ()
  }, {
  %11 = "stablehlo.multiply"(%arg2, %arg2) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %12 = "stablehlo.multiply"(%11, %arg2) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  "stablehlo.return"(%arg1, %12) : (tensor<2x3xf64>, tensor<3xf64>) -> ()
  }) : (tensor<i32>) -> (tensor<2x3xf64>, tensor<3xf64>)
  func.return %14#0, %14#1 : tensor<2x3xf64>, tensor<3xf64>
}
}

