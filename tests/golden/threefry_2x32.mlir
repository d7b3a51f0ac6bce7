// matrix, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<3x5xui32>, %arg3: tensor<3x5xui32>) -> (tensor<3x5xui32>, tensor<3x5xui32>) {
  %0 = "stablehlo.constant"() {value = dense<466688986> : tensor<ui32>} : () -> tensor<ui32>
  %1 = "stablehlo.xor"(%arg0, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %2 = "stablehlo.xor"(%1, %0) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %3 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %4 = "stablehlo.add"(%arg2, %3) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %5 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %6 = "stablehlo.add"(%arg3, %5) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %7 = "stablehlo.add"(%4, %6) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %8 = "stablehlo.constant"() {value = dense<13> : tensor<ui32>} : () -> tensor<ui32>
  %9 = "stablehlo.broadcast_in_dim"(%8) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %10 = "stablehlo.shift_left"(%6, %9) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %11 = "stablehlo.constant"() {value = dense<19> : tensor<ui32>} : () -> tensor<ui32>
  %12 = "stablehlo.broadcast_in_dim"(%11) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %13 = "stablehlo.shift_right_logical"(%6, %12) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %14 = "stablehlo.or"(%10, %13) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %15 = "stablehlo.xor"(%14, %7) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %16 = "stablehlo.add"(%7, %15) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %17 = "stablehlo.constant"() {value = dense<15> : tensor<ui32>} : () -> tensor<ui32>
  %18 = "stablehlo.broadcast_in_dim"(%17) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %19 = "stablehlo.shift_left"(%15, %18) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %20 = "stablehlo.constant"() {value = dense<17> : tensor<ui32>} : () -> tensor<ui32>
  %21 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %22 = "stablehlo.shift_right_logical"(%15, %21) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %23 = "stablehlo.or"(%19, %22) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %24 = "stablehlo.xor"(%23, %16) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %25 = "stablehlo.add"(%16, %24) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %26 = "stablehlo.constant"() {value = dense<26> : tensor<ui32>} : () -> tensor<ui32>
  %27 = "stablehlo.broadcast_in_dim"(%26) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %28 = "stablehlo.shift_left"(%24, %27) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %29 = "stablehlo.constant"() {value = dense<6> : tensor<ui32>} : () -> tensor<ui32>
  %30 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %31 = "stablehlo.shift_right_logical"(%24, %30) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %32 = "stablehlo.or"(%28, %31) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %33 = "stablehlo.xor"(%32, %25) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %34 = "stablehlo.add"(%25, %33) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %35 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %36 = "stablehlo.shift_left"(%33, %35) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %37 = "stablehlo.broadcast_in_dim"(%26) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %38 = "stablehlo.shift_right_logical"(%33, %37) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %39 = "stablehlo.or"(%36, %38) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %40 = "stablehlo.xor"(%39, %34) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %41 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %42 = "stablehlo.add"(%34, %41) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %43 = "stablehlo.constant"() {value = dense<1> : tensor<ui32>} : () -> tensor<ui32>
  %44 = "stablehlo.add"(%2, %43) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %45 = "stablehlo.broadcast_in_dim"(%44) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %46 = "stablehlo.add"(%40, %45) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %47 = "stablehlo.add"(%42, %46) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %48 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %49 = "stablehlo.shift_left"(%46, %48) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %50 = "stablehlo.broadcast_in_dim"(%17) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %51 = "stablehlo.shift_right_logical"(%46, %50) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %52 = "stablehlo.or"(%49, %51) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %53 = "stablehlo.xor"(%52, %47) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %54 = "stablehlo.add"(%47, %53) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %55 = "stablehlo.constant"() {value = dense<29> : tensor<ui32>} : () -> tensor<ui32>
  %56 = "stablehlo.broadcast_in_dim"(%55) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %57 = "stablehlo.shift_left"(%53, %56) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %58 = "stablehlo.constant"() {value = dense<3> : tensor<ui32>} : () -> tensor<ui32>
  %59 = "stablehlo.broadcast_in_dim"(%58) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %60 = "stablehlo.shift_right_logical"(%53, %59) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %61 = "stablehlo.or"(%57, %60) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %62 = "stablehlo.xor"(%61, %54) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %63 = "stablehlo.add"(%54, %62) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %64 = "stablehlo.constant"() {value = dense<16> : tensor<ui32>} : () -> tensor<ui32>
  %65 = "stablehlo.broadcast_in_dim"(%64) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %66 = "stablehlo.shift_left"(%62, %65) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %67 = "stablehlo.broadcast_in_dim"(%64) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %68 = "stablehlo.shift_right_logical"(%62, %67) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %69 = "stablehlo.or"(%66, %68) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %70 = "stablehlo.xor"(%69, %63) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %71 = "stablehlo.add"(%63, %70) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %72 = "stablehlo.constant"() {value = dense<24> : tensor<ui32>} : () -> tensor<ui32>
  %73 = "stablehlo.broadcast_in_dim"(%72) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %74 = "stablehlo.shift_left"(%70, %73) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %75 = "stablehlo.constant"() {value = dense<8> : tensor<ui32>} : () -> tensor<ui32>
  %76 = "stablehlo.broadcast_in_dim"(%75) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %77 = "stablehlo.shift_right_logical"(%70, %76) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %78 = "stablehlo.or"(%74, %77) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %79 = "stablehlo.xor"(%78, %71) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %80 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %81 = "stablehlo.add"(%71, %80) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %82 = "stablehlo.constant"() {value = dense<2> : tensor<ui32>} : () -> tensor<ui32>
  %83 = "stablehlo.add"(%arg0, %82) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %84 = "stablehlo.broadcast_in_dim"(%83) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %85 = "stablehlo.add"(%79, %84) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %86 = "stablehlo.add"(%81, %85) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %87 = "stablehlo.broadcast_in_dim"(%8) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %88 = "stablehlo.shift_left"(%85, %87) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %89 = "stablehlo.broadcast_in_dim"(%11) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %90 = "stablehlo.shift_right_logical"(%85, %89) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %91 = "stablehlo.or"(%88, %90) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %92 = "stablehlo.xor"(%91, %86) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %93 = "stablehlo.add"(%86, %92) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %94 = "stablehlo.broadcast_in_dim"(%17) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %95 = "stablehlo.shift_left"(%92, %94) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %96 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %97 = "stablehlo.shift_right_logical"(%92, %96) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %98 = "stablehlo.or"(%95, %97) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %99 = "stablehlo.xor"(%98, %93) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %100 = "stablehlo.add"(%93, %99) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %101 = "stablehlo.broadcast_in_dim"(%26) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %102 = "stablehlo.shift_left"(%99, %101) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %103 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %104 = "stablehlo.shift_right_logical"(%99, %103) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %105 = "stablehlo.or"(%102, %104) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %106 = "stablehlo.xor"(%105, %100) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %107 = "stablehlo.add"(%100, %106) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %108 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %109 = "stablehlo.shift_left"(%106, %108) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %110 = "stablehlo.broadcast_in_dim"(%26) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %111 = "stablehlo.shift_right_logical"(%106, %110) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %112 = "stablehlo.or"(%109, %111) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %113 = "stablehlo.xor"(%112, %107) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %114 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %115 = "stablehlo.add"(%107, %114) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %116 = "stablehlo.add"(%arg1, %58) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %117 = "stablehlo.broadcast_in_dim"(%116) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %118 = "stablehlo.add"(%113, %117) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %119 = "stablehlo.add"(%115, %118) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %120 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %121 = "stablehlo.shift_left"(%118, %120) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %122 = "stablehlo.broadcast_in_dim"(%17) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %123 = "stablehlo.shift_right_logical"(%118, %122) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %124 = "stablehlo.or"(%121, %123) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %125 = "stablehlo.xor"(%124, %119) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %126 = "stablehlo.add"(%119, %125) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %127 = "stablehlo.broadcast_in_dim"(%55) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %128 = "stablehlo.shift_left"(%125, %127) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %129 = "stablehlo.broadcast_in_dim"(%58) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %130 = "stablehlo.shift_right_logical"(%125, %129) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %131 = "stablehlo.or"(%128, %130) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %132 = "stablehlo.xor"(%131, %126) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %133 = "stablehlo.add"(%126, %132) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %134 = "stablehlo.broadcast_in_dim"(%64) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %135 = "stablehlo.shift_left"(%132, %134) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %136 = "stablehlo.broadcast_in_dim"(%64) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %137 = "stablehlo.shift_right_logical"(%132, %136) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %138 = "stablehlo.or"(%135, %137) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %139 = "stablehlo.xor"(%138, %133) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %140 = "stablehlo.add"(%133, %139) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %141 = "stablehlo.broadcast_in_dim"(%72) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %142 = "stablehlo.shift_left"(%139, %141) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %143 = "stablehlo.broadcast_in_dim"(%75) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %144 = "stablehlo.shift_right_logical"(%139, %143) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %145 = "stablehlo.or"(%142, %144) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %146 = "stablehlo.xor"(%145, %140) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %147 = "stablehlo.broadcast_in_dim"(%arg1) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %148 = "stablehlo.add"(%140, %147) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %149 = "stablehlo.constant"() {value = dense<4> : tensor<ui32>} : () -> tensor<ui32>
  %150 = "stablehlo.add"(%2, %149) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %151 = "stablehlo.broadcast_in_dim"(%150) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %152 = "stablehlo.add"(%146, %151) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %153 = "stablehlo.add"(%148, %152) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %154 = "stablehlo.broadcast_in_dim"(%8) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %155 = "stablehlo.shift_left"(%152, %154) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %156 = "stablehlo.broadcast_in_dim"(%11) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %157 = "stablehlo.shift_right_logical"(%152, %156) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %158 = "stablehlo.or"(%155, %157) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %159 = "stablehlo.xor"(%158, %153) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %160 = "stablehlo.add"(%153, %159) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %161 = "stablehlo.broadcast_in_dim"(%17) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %162 = "stablehlo.shift_left"(%159, %161) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %163 = "stablehlo.broadcast_in_dim"(%20) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %164 = "stablehlo.shift_right_logical"(%159, %163) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %165 = "stablehlo.or"(%162, %164) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %166 = "stablehlo.xor"(%165, %160) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %167 = "stablehlo.add"(%160, %166) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %168 = "stablehlo.broadcast_in_dim"(%26) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %169 = "stablehlo.shift_left"(%166, %168) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %170 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %171 = "stablehlo.shift_right_logical"(%166, %170) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %172 = "stablehlo.or"(%169, %171) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %173 = "stablehlo.xor"(%172, %167) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %174 = "stablehlo.add"(%167, %173) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %175 = "stablehlo.broadcast_in_dim"(%29) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %176 = "stablehlo.shift_left"(%173, %175) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %177 = "stablehlo.broadcast_in_dim"(%26) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %178 = "stablehlo.shift_right_logical"(%173, %177) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %179 = "stablehlo.or"(%176, %178) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %180 = "stablehlo.xor"(%179, %174) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %181 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %182 = "stablehlo.add"(%174, %181) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  %183 = "stablehlo.constant"() {value = dense<5> : tensor<ui32>} : () -> tensor<ui32>
  %184 = "stablehlo.add"(%arg0, %183) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %185 = "stablehlo.broadcast_in_dim"(%184) {broadcast_dimensions = array<i64>} : (tensor<ui32>) -> tensor<3x5xui32>
  %186 = "stablehlo.add"(%180, %185) : (tensor<3x5xui32>, tensor<3x5xui32>) -> tensor<3x5xui32>
  func.return %182, %186 : tensor<3x5xui32>, tensor<3x5xui32>
}
}

// scalar, cpu
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<ui32>, %arg3: tensor<ui32>) -> (tensor<ui32>, tensor<ui32>) {
  %0 = "stablehlo.constant"() {value = dense<466688986> : tensor<ui32>} : () -> tensor<ui32>
  %1 = "stablehlo.xor"(%arg0, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %2 = "stablehlo.xor"(%1, %0) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %3 = "stablehlo.add"(%arg2, %arg0) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %4 = "stablehlo.add"(%arg3, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %5 = "stablehlo.add"(%3, %4) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %6 = "stablehlo.constant"() {value = dense<13> : tensor<ui32>} : () -> tensor<ui32>
  %7 = "stablehlo.shift_left"(%4, %6) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %8 = "stablehlo.constant"() {value = dense<19> : tensor<ui32>} : () -> tensor<ui32>
  %9 = "stablehlo.shift_right_logical"(%4, %8) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %10 = "stablehlo.or"(%7, %9) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %11 = "stablehlo.xor"(%10, %5) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %12 = "stablehlo.add"(%5, %11) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %13 = "stablehlo.constant"() {value = dense<15> : tensor<ui32>} : () -> tensor<ui32>
  %14 = "stablehlo.shift_left"(%11, %13) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %15 = "stablehlo.constant"() {value = dense<17> : tensor<ui32>} : () -> tensor<ui32>
  %16 = "stablehlo.shift_right_logical"(%11, %15) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %17 = "stablehlo.or"(%14, %16) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %18 = "stablehlo.xor"(%17, %12) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %19 = "stablehlo.add"(%12, %18) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %20 = "stablehlo.constant"() {value = dense<26> : tensor<ui32>} : () -> tensor<ui32>
  %21 = "stablehlo.shift_left"(%18, %20) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %22 = "stablehlo.constant"() {value = dense<6> : tensor<ui32>} : () -> tensor<ui32>
  %23 = "stablehlo.shift_right_logical"(%18, %22) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %24 = "stablehlo.or"(%21, %23) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %25 = "stablehlo.xor"(%24, %19) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %26 = "stablehlo.add"(%19, %25) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %27 = "stablehlo.shift_left"(%25, %22) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %28 = "stablehlo.shift_right_logical"(%25, %20) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %29 = "stablehlo.or"(%27, %28) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %30 = "stablehlo.xor"(%29, %26) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %31 = "stablehlo.add"(%26, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %32 = "stablehlo.constant"() {value = dense<1> : tensor<ui32>} : () -> tensor<ui32>
  %33 = "stablehlo.add"(%2, %32) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %34 = "stablehlo.add"(%30, %33) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %35 = "stablehlo.add"(%31, %34) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %36 = "stablehlo.shift_left"(%34, %15) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %37 = "stablehlo.shift_right_logical"(%34, %13) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %38 = "stablehlo.or"(%36, %37) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %39 = "stablehlo.xor"(%38, %35) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %40 = "stablehlo.add"(%35, %39) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %41 = "stablehlo.constant"() {value = dense<29> : tensor<ui32>} : () -> tensor<ui32>
  %42 = "stablehlo.shift_left"(%39, %41) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %43 = "stablehlo.constant"() {value = dense<3> : tensor<ui32>} : () -> tensor<ui32>
  %44 = "stablehlo.shift_right_logical"(%39, %43) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %45 = "stablehlo.or"(%42, %44) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %46 = "stablehlo.xor"(%45, %40) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %47 = "stablehlo.add"(%40, %46) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %48 = "stablehlo.constant"() {value = dense<16> : tensor<ui32>} : () -> tensor<ui32>
  %49 = "stablehlo.shift_left"(%46, %48) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %50 = "stablehlo.shift_right_logical"(%46, %48) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %51 = "stablehlo.or"(%49, %50) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %52 = "stablehlo.xor"(%51, %47) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %53 = "stablehlo.add"(%47, %52) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %54 = "stablehlo.constant"() {value = dense<24> : tensor<ui32>} : () -> tensor<ui32>
  %55 = "stablehlo.shift_left"(%52, %54) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %56 = "stablehlo.constant"() {value = dense<8> : tensor<ui32>} : () -> tensor<ui32>
  %57 = "stablehlo.shift_right_logical"(%52, %56) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %58 = "stablehlo.or"(%55, %57) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %59 = "stablehlo.xor"(%58, %53) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %60 = "stablehlo.add"(%53, %2) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %61 = "stablehlo.constant"() {value = dense<2> : tensor<ui32>} : () -> tensor<ui32>
  %62 = "stablehlo.add"(%arg0, %61) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %63 = "stablehlo.add"(%59, %62) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %64 = "stablehlo.add"(%60, %63) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %65 = "stablehlo.shift_left"(%63, %6) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %66 = "stablehlo.shift_right_logical"(%63, %8) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %67 = "stablehlo.or"(%65, %66) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %68 = "stablehlo.xor"(%67, %64) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %69 = "stablehlo.add"(%64, %68) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %70 = "stablehlo.shift_left"(%68, %13) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %71 = "stablehlo.shift_right_logical"(%68, %15) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %72 = "stablehlo.or"(%70, %71) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %73 = "stablehlo.xor"(%72, %69) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %74 = "stablehlo.add"(%69, %73) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %75 = "stablehlo.shift_left"(%73, %20) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %76 = "stablehlo.shift_right_logical"(%73, %22) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %77 = "stablehlo.or"(%75, %76) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %78 = "stablehlo.xor"(%77, %74) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %79 = "stablehlo.add"(%74, %78) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %80 = "stablehlo.shift_left"(%78, %22) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %81 = "stablehlo.shift_right_logical"(%78, %20) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %82 = "stablehlo.or"(%80, %81) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %83 = "stablehlo.xor"(%82, %79) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %84 = "stablehlo.add"(%79, %arg0) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %85 = "stablehlo.add"(%arg1, %43) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %86 = "stablehlo.add"(%83, %85) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %87 = "stablehlo.add"(%84, %86) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %88 = "stablehlo.shift_left"(%86, %15) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %89 = "stablehlo.shift_right_logical"(%86, %13) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %90 = "stablehlo.or"(%88, %89) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %91 = "stablehlo.xor"(%90, %87) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %92 = "stablehlo.add"(%87, %91) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %93 = "stablehlo.shift_left"(%91, %41) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %94 = "stablehlo.shift_right_logical"(%91, %43) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %95 = "stablehlo.or"(%93, %94) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %96 = "stablehlo.xor"(%95, %92) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %97 = "stablehlo.add"(%92, %96) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %98 = "stablehlo.shift_left"(%96, %48) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %99 = "stablehlo.shift_right_logical"(%96, %48) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %100 = "stablehlo.or"(%98, %99) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %101 = "stablehlo.xor"(%100, %97) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %102 = "stablehlo.add"(%97, %101) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %103 = "stablehlo.shift_left"(%101, %54) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %104 = "stablehlo.shift_right_logical"(%101, %56) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %105 = "stablehlo.or"(%103, %104) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %106 = "stablehlo.xor"(%105, %102) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %107 = "stablehlo.add"(%102, %arg1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %108 = "stablehlo.constant"() {value = dense<4> : tensor<ui32>} : () -> tensor<ui32>
  %109 = "stablehlo.add"(%2, %108) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %110 = "stablehlo.add"(%106, %109) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %111 = "stablehlo.add"(%107, %110) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %112 = "stablehlo.shift_left"(%110, %6) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %113 = "stablehlo.shift_right_logical"(%110, %8) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %114 = "stablehlo.or"(%112, %113) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %115 = "stablehlo.xor"(%114, %111) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %116 = "stablehlo.add"(%111, %115) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %117 = "stablehlo.shift_left"(%115, %13) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %118 = "stablehlo.shift_right_logical"(%115, %15) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %119 = "stablehlo.or"(%117, %118) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %120 = "stablehlo.xor"(%119, %116) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %121 = "stablehlo.add"(%116, %120) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %122 = "stablehlo.shift_left"(%120, %20) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %123 = "stablehlo.shift_right_logical"(%120, %22) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %124 = "stablehlo.or"(%122, %123) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %125 = "stablehlo.xor"(%124, %121) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %126 = "stablehlo.add"(%121, %125) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %127 = "stablehlo.shift_left"(%125, %22) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %128 = "stablehlo.shift_right_logical"(%125, %20) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %129 = "stablehlo.or"(%127, %128) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %130 = "stablehlo.xor"(%129, %126) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %131 = "stablehlo.add"(%126, %2) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %132 = "stablehlo.constant"() {value = dense<5> : tensor<ui32>} : () -> tensor<ui32>
  %133 = "stablehlo.add"(%arg0, %132) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %134 = "stablehlo.add"(%130, %133) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  func.return %131, %134 : tensor<ui32>, tensor<ui32>
}
}

