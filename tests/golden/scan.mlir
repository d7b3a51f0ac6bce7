// recurrence, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2xf64>, %arg1: tensor<4x2xf64>, %arg2: tensor<2xf64>) -> (tensor<2xf64>, tensor<4x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %1 = "stablehlo.constant"() {value = dense<4> : tensor<i32>} : () -> tensor<i32>
  %2 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<4x2xf64>
  %29:6 = "stablehlo.while"(%0, %1, %arg0, %3, %arg1, %arg2) ({
  ^bb0(%4: tensor<i32>, %5: tensor<i32>, %6: tensor<2xf64>, %7: tensor<4x2xf64>, %8: tensor<4x2xf64>, %9: tensor<2xf64>):
  %10 = "stablehlo.compare"(%4, %5) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  "stablehlo.return"(%10) : (tensor<i1>) -> ()
  }, {
  ^bb0(%12: tensor<i32>, %13: tensor<i32>, %14: tensor<2xf64>, %15: tensor<4x2xf64>, %16: tensor<4x2xf64>, %17: tensor<2xf64>):
  %18 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %19 = "stablehlo.dynamic_slice"(%16, %12, %0) {slice_sizes = array<i64: 1, 2>} : (tensor<4x2xf64>, tensor<i32>, tensor<i32>) -> tensor<1x2xf64>
  %20 = "stablehlo.reshape"(%19) : (tensor<1x2xf64>) -> tensor<2xf64>
  %21 = "stablehlo.multiply"(%14, %17) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %22 = "stablehlo.add"(%21, %20) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %23 = "stablehlo.tanh"(%22) : (tensor<2xf64>) -> tensor<2xf64>
  %24 = "stablehlo.multiply"(%23, %20) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %25 = "stablehlo.add"(%12, %18) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %26 = "stablehlo.reshape"(%24) : (tensor<2xf64>) -> tensor<1x2xf64>
  %27 = "stablehlo.dynamic_update_slice"(%15, %26, %12, %0) : (tensor<4x2xf64>, tensor<1x2xf64>, tensor<i32>, tensor<i32>) -> tensor<4x2xf64>
  "stablehlo.return"(%25, %13, %23, %27, %16, %17) : (tensor<i32>, tensor<i32>, tensor<2xf64>, tensor<4x2xf64>, tensor<4x2xf64>, tensor<2xf64>) -> ()
  }) : (tensor<i32>, tensor<i32>, tensor<2xf64>, tensor<4x2xf64>, tensor<4x2xf64>, tensor<2xf64>) -> (tensor<i32>, tensor<i32>, tensor<2xf64>, tensor<4x2xf64>, tensor<4x2xf64>, tensor<2xf64>)
  func.return %29#2, %29#3 : tensor<2xf64>, tensor<4x2xf64>
}
}

// reverse, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2xf64>, %arg1: tensor<4x2xf64>, %arg2: tensor<2xf64>) -> (tensor<2xf64>, tensor<4x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %1 = "stablehlo.constant"() {value = dense<4> : tensor<i32>} : () -> tensor<i32>
  %2 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<4x2xf64>
  %31:6 = "stablehlo.while"(%0, %1, %arg0, %3, %arg1, %arg2) ({
  ^bb0(%4: tensor<i32>, %5: tensor<i32>, %6: tensor<2xf64>, %7: tensor<4x2xf64>, %8: tensor<4x2xf64>, %9: tensor<2xf64>):
  %10 = "stablehlo.compare"(%4, %5) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  "stablehlo.return"(%10) : (tensor<i1>) -> ()
  }, {
  ^bb0(%12: tensor<i32>, %13: tensor<i32>, %14: tensor<2xf64>, %15: tensor<4x2xf64>, %16: tensor<4x2xf64>, %17: tensor<2xf64>):
  %18 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %19 = "stablehlo.subtract"(%13, %18) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %20 = "stablehlo.subtract"(%19, %12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %21 = "stablehlo.dynamic_slice"(%16, %20, %0) {slice_sizes = array<i64: 1, 2>} : (tensor<4x2xf64>, tensor<i32>, tensor<i32>) -> tensor<1x2xf64>
  %22 = "stablehlo.reshape"(%21) : (tensor<1x2xf64>) -> tensor<2xf64>
  %23 = "stablehlo.multiply"(%14, %17) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %24 = "stablehlo.add"(%23, %22) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %25 = "stablehlo.tanh"(%24) : (tensor<2xf64>) -> tensor<2xf64>
  %26 = "stablehlo.multiply"(%25, %22) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %27 = "stablehlo.add"(%12, %18) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %28 = "stablehlo.reshape"(%26) : (tensor<2xf64>) -> tensor<1x2xf64>
  %29 = "stablehlo.dynamic_update_slice"(%15, %28, %20, %0) : (tensor<4x2xf64>, tensor<1x2xf64>, tensor<i32>, tensor<i32>) -> tensor<4x2xf64>
  "stablehlo.return"(%27, %13, %25, %29, %16, %17) : (tensor<i32>, tensor<i32>, tensor<2xf64>, tensor<4x2xf64>, tensor<4x2xf64>, tensor<2xf64>) -> ()
  }) : (tensor<i32>, tensor<i32>, tensor<2xf64>, tensor<4x2xf64>, tensor<4x2xf64>, tensor<2xf64>) -> (tensor<i32>, tensor<i32>, tensor<2xf64>, tensor<4x2xf64>, tensor<4x2xf64>, tensor<2xf64>)
  func.return %31#2, %31#3 : tensor<2xf64>, tensor<4x2xf64>
}
}

// empty, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<2xf64>, %arg1: tensor<0x2xf64>, %arg2: tensor<2xf64>) -> (tensor<2xf64>, tensor<0x2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %1 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<0x2xf64>
  func.return %arg0, %2 : tensor<2xf64>, tensor<0x2xf64>
}
}

// dynamic, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2xf64>, %arg2: tensor<2xf64>) -> (tensor<2xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %1 = "stablehlo.constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %2 = "stablehlo.maximum"(%arg0, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %3 = "stablehlo.minimum"(%2, %1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %22:4 = "stablehlo.while"(%0, %3, %arg1, %arg2) ({
  ^bb0(%4: tensor<i32>, %5: tensor<i32>, %6: tensor<2xf64>, %7: tensor<2xf64>):
  %8 = "stablehlo.compare"(%4, %5) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  "stablehlo.return"(%8) : (tensor<i1>) -> ()
  }, {
  ^bb0(%10: tensor<i32>, %11: tensor<i32>, %12: tensor<2xf64>, %13: tensor<2xf64>):
  %14 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %15 = "stablehlo.convert"(%10) : (tensor<i32>) -> tensor<f64>
  %16 = "stablehlo.sine"(%12) : (tensor<2xf64>) -> tensor<2xf64>
  %17 = "stablehlo.multiply"(%16, %13) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %18 = "stablehlo.broadcast_in_dim"(%15) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<2xf64>
  %19 = "stablehlo.add"(%17, %18) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %20 = "stablehlo.add"(%10, %14) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%20, %11, %19, %13) : (tensor<i32>, tensor<i32>, tensor<2xf64>, tensor<2xf64>) -> ()
  }) : (tensor<i32>, tensor<i32>, tensor<2xf64>, tensor<2xf64>) -> (tensor<i32>, tensor<i32>, tensor<2xf64>, tensor<2xf64>)
  func.return %22#2 : tensor<2xf64>
}
}

// map, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<4x2xf64>) -> (tensor<4xf64>) {
  %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %1 = "stablehlo.constant"() {value = dense<4> : tensor<i32>} : () -> tensor<i32>
  %2 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>
  %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<f64>) -> tensor<4xf64>
  %28:4 = "stablehlo.while"(%0, %1, %3, %arg0) ({
  ^bb0(%4: tensor<i32>, %5: tensor<i32>, %6: tensor<4xf64>, %7: tensor<4x2xf64>):
  %8 = "stablehlo.compare"(%4, %5) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  "stablehlo.return"(%8) : (tensor<i1>) -> ()
  }, {
  ^bb0(%10: tensor<i32>, %11: tensor<i32>, %12: tensor<4xf64>, %13: tensor<4x2xf64>):
  %14 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %15 = "stablehlo.dynamic_slice"(%13, %10, %0) {slice_sizes = array<i64: 1, 2>} : (tensor<4x2xf64>, tensor<i32>, tensor<i32>) -> tensor<1x2xf64>
  %16 = "stablehlo.reshape"(%15) : (tensor<1x2xf64>) -> tensor<2xf64>
  %17 = "stablehlo.multiply"(%16, %16) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %18 = "stablehlo.multiply"(%17, %16) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %23 = "stablehlo.reduce"(%18, %2) ({
  ^bb0(%19: tensor<f64>, %20: tensor<f64>):
  %21 = "stablehlo.add"(%19, %20) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  "stablehlo.return"(%21) : (tensor<f64>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
  %24 = "stablehlo.add"(%10, %14) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %25 = "stablehlo.reshape"(%23) : (tensor<f64>) -> tensor<1xf64>
  %26 = "stablehlo.dynamic_update_slice"(%12, %25, %10) : (tensor<4xf64>, tensor<1xf64>, tensor<i32>) -> tensor<4xf64>
  "stablehlo.return"(%24, %11, %26, %13) : (tensor<i32>, tensor<i32>, tensor<4xf64>, tensor<4x2xf64>) -> ()
  }) : (tensor<i32>, tensor<i32>, tensor<4xf64>, tensor<4x2xf64>) -> (tensor<i32>, tensor<i32>, tensor<4xf64>, tensor<4x2xf64>)
  func.return %28#2 : tensor<4xf64>
}
}

