// newton, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<f64>, %arg1: tensor<i32>, %arg2: tensor<f64>) -> (tensor<f64>, tensor<i32>) {
  %22:3 = "stablehlo.while"(%arg0, %arg1, %arg2) ({
  ^bb0(%0: tensor<f64>, %1: tensor<i32>, %2: tensor<f64>):
  %3 = "stablehlo.constant"() {value = dense<20> : tensor<i32>} : () -> tensor<i32>
  %4 = "stablehlo.compare"(%1, %3) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %5 = "stablehlo.multiply"(%0, %0) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %6 = "stablehlo.subtract"(%5, %2) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %7 = "stablehlo.abs"(%6) : (tensor<f64>) -> tensor<f64>
  %8 = "stablehlo.constant"() {value = dense<0x3F50624DD2F1A9FC> : tensor<f64>} : () -> tensor<f64>
  %9 = "stablehlo.compare"(%7, %8) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<f64>, tensor<f64>) -> tensor<i1>
  %10 = "stablehlo.and"(%9, %4) : (tensor<i1>, tensor<i1>) -> tensor<i1>
  "stablehlo.return"(%10) : (tensor<i1>) -> ()
  }, {
  ^bb0(%12: tensor<f64>, %13: tensor<i32>, %14: tensor<f64>):
  %15 = "stablehlo.divide"(%14, %12) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %16 = "stablehlo.add"(%12, %15) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %17 = "stablehlo.constant"() {value = dense<0x3FE0000000000000> : tensor<f64>} : () -> tensor<f64>
  %18 = "stablehlo.multiply"(%16, %17) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %19 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %20 = "stablehlo.add"(%13, %19) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%18, %20, %14) : (tensor<f64>, tensor<i32>, tensor<f64>) -> ()
  }) : (tensor<f64>, tensor<i32>, tensor<f64>) -> (tensor<f64>, tensor<i32>, tensor<f64>)
  func.return %22#0, %22#1 : tensor<f64>, tensor<i32>
}
}

