#include "bare_loop.h"

#include "lower/lower.h"
#include "pjrt/c_api.h"
#include "pjrt/compile_options.h"
#include "pjrt/plugin.h"
#include "platforms/platform.h"
#include "replicator/base/error.h"

namespace replicator::bench {

BareProgram WithoutRuntime(const Program& program) {
  LowerOptions options{.num_replicas = program.num_replicas};
  for (const ProgramParameter& parameter : program.parameters) options.aliases.push_back(parameter.update);
  BareProgram bare{.mlir = LowerToStableHlo(*program.graph, options),
                   .num_replicas = program.num_replicas,
                   .updates = options.aliases,
                   .num_outputs = program.graph->outputs().size()};
  for (int id : program.graph->parameters()) bare.parameters.push_back(program.graph->node(id).results[0]);
  return bare;
}

BareLoop::BareLoop(BareProgram program)
    : client_(platforms::CreateClient({.platform = "cpu", .num_devices = program.num_replicas})),
      api_(client_->plugin().api()),
      num_replicas_(static_cast<size_t>(program.num_replicas)),
      num_outputs_(program.num_outputs),
      update_of_(std::move(program.updates)) {
  std::string& code = program.mlir;
  const std::string compile_options = pjrt::Encode(
      {.num_replicas = program.num_replicas, .overrides = platforms::FindPlatform("cpu").compile_overrides});

  PJRT_Program source{};
  source.struct_size = PJRT_Program_STRUCT_SIZE;
  source.code = code.data();
  source.code_size = code.size();
  source.format = "mlir";
  source.format_size = 4;
  PJRT_Client_Compile_Args compile{};
  compile.struct_size = PJRT_Client_Compile_Args_STRUCT_SIZE;
  compile.client = client_->raw();
  compile.program = &source;
  compile.compile_options = compile_options.data();
  compile.compile_options_size = compile_options.size();
  Check(api_->PJRT_Client_Compile(&compile));
  executable_ = compile.executable;

  arguments_.resize(num_replicas_);
  outputs_.assign(num_replicas_, std::vector<PJRT_Buffer*>(num_outputs_, nullptr));
  for (size_t r = 0; r < num_replicas_; ++r) {
    for (const Shape& shape : program.parameters) arguments_[r].push_back(Put(shape, r));
    argument_lists_.push_back(arguments_[r].data());
    output_lists_.push_back(outputs_[r].data());
  }
}

PJRT_Buffer* BareLoop::Put(const Shape& shape, size_t replica) const {
  const Literal zeros(shape);
  PJRT_Client_BufferFromHostBuffer_Args put{};
  put.struct_size = PJRT_Client_BufferFromHostBuffer_Args_STRUCT_SIZE;
  put.client = client_->raw();
  put.data = zeros.bytes();
  put.type = PJRT_Buffer_Type_F32;
  put.dims = shape.dims.data();
  put.num_dims = shape.dims.size();
  put.host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall;
  put.device = client_->devices()[replica].raw();
  Check(api_->PJRT_Client_BufferFromHostBuffer(&put));
  Await(put.done_with_host_buffer);
  return put.buffer;
}

void BareLoop::Await(PJRT_Event* event) const {
  PJRT_Event_Await_Args await{};
  await.struct_size = PJRT_Event_Await_Args_STRUCT_SIZE;
  await.event = event;
  Check(api_->PJRT_Event_Await(&await));
  PJRT_Event_Destroy_Args destroy{};
  destroy.struct_size = PJRT_Event_Destroy_Args_STRUCT_SIZE;
  destroy.event = event;
  Check(api_->PJRT_Event_Destroy(&destroy));
}

BareLoop::~BareLoop() {
  for (const auto& list : arguments_) {
    for (PJRT_Buffer* buffer : list) Destroy(buffer);
  }
  PJRT_LoadedExecutable_Destroy_Args destroy{};
  destroy.struct_size = PJRT_LoadedExecutable_Destroy_Args_STRUCT_SIZE;
  destroy.executable = executable_;
  Check(api_->PJRT_LoadedExecutable_Destroy(&destroy));
}

void BareLoop::Check(PJRT_Error* error) const {
  if (error != nullptr) pjrt::ThrowError(api_, error, "the bare loop");
}

void BareLoop::Destroy(PJRT_Buffer* buffer) const {
  PJRT_Buffer_Destroy_Args destroy{};
  destroy.struct_size = PJRT_Buffer_Destroy_Args_STRUCT_SIZE;
  destroy.buffer = buffer;
  Check(api_->PJRT_Buffer_Destroy(&destroy));
}

void BareLoop::Execute(std::vector<PJRT_Event*>& done) {
  PJRT_ExecuteOptions options{};
  options.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE;
  PJRT_LoadedExecutable_Execute_Args execute{};
  execute.struct_size = PJRT_LoadedExecutable_Execute_Args_STRUCT_SIZE;
  execute.executable = executable_;
  execute.options = &options;
  execute.argument_lists = argument_lists_.data();
  execute.num_devices = num_replicas_;
  execute.num_args = arguments_[0].size();
  execute.output_lists = output_lists_.data();
  const size_t first = done.size();
  done.resize(first + num_replicas_);
  execute.device_complete_events = done.data() + first;
  Check(api_->PJRT_LoadedExecutable_Execute(&execute));
  for (size_t r = 0; r < num_replicas_; ++r) {
    for (size_t i = 0; i < update_of_.size(); ++i) {
      if (update_of_[i] < 0) continue;
      PJRT_Buffer*& output = outputs_[r][static_cast<size_t>(update_of_[i])];
      Destroy(arguments_[r][i]);
      arguments_[r][i] = output;
      output = nullptr;
    }
    for (PJRT_Buffer*& output : outputs_[r]) {
      if (output != nullptr) Destroy(output);
      output = nullptr;
    }
  }
}

void BareLoop::Run(int steps) {
  std::vector<PJRT_Event*> done;
  done.reserve(static_cast<size_t>(steps) * num_replicas_);
  for (int step = 0; step < steps; ++step) Execute(done);
  for (PJRT_Event* event : done) Await(event);
}

}  // namespace replicator::bench
