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

// long_image, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2x32x17x5xf64>) -> (tensor<5xf64>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x32x17x5xf64>) -> tensor<1088x5xf64>
  %5 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %6 = "stablehlo.reduce_window"(%0, %5) ({
  ^bb0(%1: tensor<f64>, %2: tensor<f64>):
  %3 = "stablehlo.add"(%1, %2) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%3) : (tensor<f64>) -> ()
  }) {padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 32, 1>, window_strides = array<i64: 32, 1>} : (tensor<1088x5xf64>, tensor<f64>) -> tensor<34x5xf64>
  %11 = "stablehlo.reduce"(%6, %5) ({
  ^bb0(%7: tensor<f64>, %8: tensor<f64>):
  %9 = "stablehlo.add"(%7, %8) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%9) : (tensor<f64>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<34x5xf64>, tensor<f64>) -> tensor<5xf64>
  func.return %11 : tensor<5xf64>
}
}

// long_rows, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<33x131xf64>) -> (tensor<33xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0x3FF0000000000000> : tensor<f64>} : () -> tensor<f64>
  %1 = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<131xf64>
  %2 = "stablehlo.dot_general"(%arg0, %1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<33x131xf64>, tensor<131xf64>) -> tensor<33xf64>
  func.return %2 : tensor<33xf64>
}
}

// long_all, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<13x17x19xf64>) -> (tensor<f64>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<13x17x19xf64>) -> tensor<13x323xf64>
  %1 = "stablehlo.constant"() {value = dense<0x3FF0000000000000> : tensor<f64>} : () -> tensor<f64>
  %2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<323xf64>
  %3 = "stablehlo.dot_general"(%0, %2) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (tensor<13x323xf64>, tensor<323xf64>) -> tensor<13xf64>
  %4 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %9 = "stablehlo.reduce"(%3, %4) ({
  ^bb0(%5: tensor<f64>, %6: tensor<f64>):
  %7 = "stablehlo.add"(%5, %6) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%7) : (tensor<f64>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<13xf64>, tensor<f64>) -> tensor<f64>
  func.return %9 : tensor<f64>
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

