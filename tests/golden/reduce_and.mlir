// all, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<3x5xi1>) -> (tensor<i1>) {
  %0 = "stablehlo.constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  %5 = "stablehlo.reduce"(%arg0, %0) ({
  ^bb0(%1: tensor<i1>, %2: tensor<i1>):
  %3 = "stablehlo.and"(%1, %2) : (tensor<i1>, tensor<i1>) -> tensor<i1>
  "stablehlo.return"(%3) : (tensor<i1>) -> ()
  }) {dimensions = array<i64: 0, 1>} : (tensor<3x5xi1>, tensor<i1>) -> tensor<i1>
  func.return %5 : tensor<i1>
}
}

