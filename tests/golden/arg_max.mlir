// rows, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<4x7xf64>) -> (tensor<4xi32>) {
  %0 = "stablehlo.constant"() {value = dense<0xFFF0000000000000> : tensor<f64>} : () -> tensor<f64>
  %5 = "stablehlo.reduce"(%arg0, %0) ({
  ^bb0(%1: tensor<f64>, %2: tensor<f64>):
  %3 = "stablehlo.maximum"(%1, %2) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%3) : (tensor<f64>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x7xf64>, tensor<f64>) -> tensor<4xf64>
  %6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64: 0>} : (tensor<4xf64>) -> tensor<4x7xf64>
  %7 = "stablehlo.compare"(%arg0, %6) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<4x7xf64>, tensor<4x7xf64>) -> tensor<4x7xi1>
  %8 = "stablehlo.compare"(%arg0, %arg0) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<4x7xf64>, tensor<4x7xf64>) -> tensor<4x7xi1>
  %9 = "stablehlo.or"(%7, %8) : (tensor<4x7xi1>, tensor<4x7xi1>) -> tensor<4x7xi1>
  %10 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<4x7xi32>
  %11 = "stablehlo.constant"() {value = dense<2147483647> : tensor<i32>} : () -> tensor<i32>
  %12 = "stablehlo.broadcast_in_dim"(%11) {broadcast_dimensions = array<i64>} : (tensor<i32>) -> tensor<4x7xi32>
  %13 = "stablehlo.select"(%9, %10, %12) : (tensor<4x7xi1>, tensor<4x7xi32>, tensor<4x7xi32>) -> tensor<4x7xi32>
  %18 = "stablehlo.reduce"(%13, %11) ({
  ^bb0(%14: tensor<i32>, %15: tensor<i32>):
  %16 = "stablehlo.minimum"(%14, %15) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%16) : (tensor<i32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<4x7xi32>, tensor<i32>) -> tensor<4xi32>
  func.return %18 : tensor<4xi32>
}
}

// ties, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<3x12xi32>) -> (tensor<3xi32>) {
  %0 = "stablehlo.constant"() {value = dense<-2147483648> : tensor<i32>} : () -> tensor<i32>
  %5 = "stablehlo.reduce"(%arg0, %0) ({
  ^bb0(%1: tensor<i32>, %2: tensor<i32>):
  %3 = "stablehlo.maximum"(%1, %2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%3) : (tensor<i32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<3x12xi32>, tensor<i32>) -> tensor<3xi32>
  %6 = "stablehlo.broadcast_in_dim"(%5) {broadcast_dimensions = array<i64: 0>} : (tensor<3xi32>) -> tensor<3x12xi32>
  %7 = "stablehlo.compare"(%arg0, %6) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<3x12xi32>, tensor<3x12xi32>) -> tensor<3x12xi1>
  %8 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<3x12xi32>
  %9 = "stablehlo.constant"() {value = dense<2147483647> : tensor<i32>} : () -> tensor<i32>
  %10 = "stablehlo.broadcast_in_dim"(%9) {broadcast_dimensions = array<i64>} : (tensor<i32>) -> tensor<3x12xi32>
  %11 = "stablehlo.select"(%7, %8, %10) : (tensor<3x12xi1>, tensor<3x12xi32>, tensor<3x12xi32>) -> tensor<3x12xi32>
  %16 = "stablehlo.reduce"(%11, %9) ({
  ^bb0(%12: tensor<i32>, %13: tensor<i32>):
  %14 = "stablehlo.minimum"(%12, %13) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%14) : (tensor<i32>) -> ()
  }) {dimensions = array<i64: 1>} : (tensor<3x12xi32>, tensor<i32>) -> tensor<3xi32>
  func.return %16 : tensor<3xi32>
}
}

