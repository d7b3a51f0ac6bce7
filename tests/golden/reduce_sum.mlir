// all, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<3x5xf64>) -> (tensor<f64>) {
  %0 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %5 = "stablehlo.reduce"(%arg0, %0) ({
  ^bb0(%1: tensor<f64>, %2: tensor<f64>):
  %3 = "stablehlo.add"(%1, %2) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%3) : (tensor<f64>) -> ()
  }) {dimensions = array<i64: 0, 1>} : (tensor<3x5xf64>, tensor<f64>) -> tensor<f64>
  func.return %5 : tensor<f64>
}
}

// bf16, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<3x2xbf16>) -> (tensor<2xbf16>) {
  %0 = "stablehlo.convert"(%arg0) : (tensor<3x2xbf16>) -> tensor<3x2xf32>
  %1 = "stablehlo.constant"() {value = dense<0x00000000> : tensor<f32>} : () -> tensor<f32>
  %6 = "stablehlo.reduce"(%0, %1) ({
  ^bb0(%2: tensor<f32>, %3: tensor<f32>):
  %4 = "stablehlo.add"(%2, %3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%4) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<3x2xf32>, tensor<f32>) -> tensor<2xf32>
  %7 = "stablehlo.convert"(%6) : (tensor<2xf32>) -> tensor<2xbf16>
  func.return %7 : tensor<2xbf16>
}
}

