// two_arguments, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {
func.func public @main(%arg0: tensor<2x3xf64>, %arg1: tensor<f64>) -> (tensor<2x3xf64>, tensor<f64>) {
  %0 = "stablehlo.reshape"(%arg0) : (tensor<2x3xf64>) -> tensor<1x2x3xf64>
  %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<1x2x3xf64>) -> tensor<4x2x3xf64>
  %2 = "stablehlo.slice"(%1) {start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 1, 2, 3>, strides = array<i64: 1, 1, 1>} : (tensor<4x2x3xf64>) -> tensor<1x2x3xf64>
  %3 = "stablehlo.reshape"(%2) : (tensor<1x2x3xf64>) -> tensor<2x3xf64>
  %4 = "stablehlo.slice"(%1) {start_indices = array<i64: 1, 0, 0>, limit_indices = array<i64: 2, 2, 3>, strides = array<i64: 1, 1, 1>} : (tensor<4x2x3xf64>) -> tensor<1x2x3xf64>
  %5 = "stablehlo.reshape"(%4) : (tensor<1x2x3xf64>) -> tensor<2x3xf64>
  %6 = "stablehlo.slice"(%1) {start_indices = array<i64: 2, 0, 0>, limit_indices = array<i64: 3, 2, 3>, strides = array<i64: 1, 1, 1>} : (tensor<4x2x3xf64>) -> tensor<1x2x3xf64>
  %7 = "stablehlo.reshape"(%6) : (tensor<1x2x3xf64>) -> tensor<2x3xf64>
  %8 = "stablehlo.slice"(%1) {start_indices = array<i64: 3, 0, 0>, limit_indices = array<i64: 4, 2, 3>, strides = array<i64: 1, 1, 1>} : (tensor<4x2x3xf64>) -> tensor<1x2x3xf64>
  %9 = "stablehlo.reshape"(%8) : (tensor<1x2x3xf64>) -> tensor<2x3xf64>
  %10 = "stablehlo.reshape"(%arg1) : (tensor<f64>) -> tensor<1xf64>
  %11 = "stablehlo.all_gather"(%10) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<1xf64>) -> tensor<4xf64>
  %12 = "stablehlo.slice"(%11) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<4xf64>) -> tensor<1xf64>
  %13 = "stablehlo.reshape"(%12) : (tensor<1xf64>) -> tensor<f64>
  %14 = "stablehlo.slice"(%11) {start_indices = array<i64: 1>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf64>) -> tensor<1xf64>
  %15 = "stablehlo.reshape"(%14) : (tensor<1xf64>) -> tensor<f64>
  %16 = "stablehlo.slice"(%11) {start_indices = array<i64: 2>, limit_indices = array<i64: 3>, strides = array<i64: 1>} : (tensor<4xf64>) -> tensor<1xf64>
  %17 = "stablehlo.reshape"(%16) : (tensor<1xf64>) -> tensor<f64>
  %18 = "stablehlo.slice"(%11) {start_indices = array<i64: 3>, limit_indices = array<i64: 4>, strides = array<i64: 1>} : (tensor<4xf64>) -> tensor<1xf64>
  %19 = "stablehlo.reshape"(%18) : (tensor<1xf64>) -> tensor<f64>
  %20 = "stablehlo.broadcast_in_dim"(%13) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x3xf64>
  %21 = "stablehlo.multiply"(%3, %20) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %22 = "stablehlo.tanh"(%15) : (tensor<f64>) -> tensor<f64>
  %23 = "stablehlo.multiply"(%21, %5) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %24 = "stablehlo.broadcast_in_dim"(%22) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x3xf64>
  %25 = "stablehlo.add"(%23, %24) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %26 = "stablehlo.constant"() {value = dense<0x4000000000000000> : tensor<f64>} : () -> tensor<f64>
  %27 = "stablehlo.multiply"(%13, %26) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %28 = "stablehlo.add"(%27, %15) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %29 = "stablehlo.tanh"(%17) : (tensor<f64>) -> tensor<f64>
  %30 = "stablehlo.multiply"(%25, %7) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %31 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x3xf64>
  %32 = "stablehlo.add"(%30, %31) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %33 = "stablehlo.multiply"(%28, %26) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %34 = "stablehlo.add"(%33, %17) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %35 = "stablehlo.tanh"(%19) : (tensor<f64>) -> tensor<f64>
  %36 = "stablehlo.multiply"(%32, %9) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %37 = "stablehlo.broadcast_in_dim"(%35) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2x3xf64>
  %38 = "stablehlo.add"(%36, %37) : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  %39 = "stablehlo.multiply"(%34, %26) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  %40 = "stablehlo.add"(%39, %19) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  func.return %38, %40 : tensor<2x3xf64>, tensor<f64>
}
}

