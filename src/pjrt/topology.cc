#include "pjrt/topology.h"

#include "pjrt/c_api.h"
#include "pjrt/named_values.h"
#include "pjrt/program.h"

namespace replicator::pjrt {

Topology Topology::Create(const Plugin& plugin, const std::string& name, const Options& options) {
  const std::vector<PJRT_NamedValue> values = ToNamedValues(options);
  REPLICATOR_PJRT_ARGS(PJRT_TopologyDescription_Create, args);
  args.topology_name = name.data();
  args.topology_name_size = name.size();
  args.create_options = values.data();
  args.num_options = values.size();
  REPLICATOR_PJRT_CALL(plugin.api(), PJRT_TopologyDescription_Create, args);
  return Topology(plugin, args.topology);
}

Topology::~Topology() {
  if (topology_ == nullptr) return;
  REPLICATOR_PJRT_ARGS(PJRT_TopologyDescription_Destroy, args);
  args.topology = topology_;
  REPLICATOR_PJRT_CALL_QUIETLY(plugin_.api(), PJRT_TopologyDescription_Destroy, args);
}

std::string Topology::PlatformName() const {
  REPLICATOR_PJRT_ARGS(PJRT_TopologyDescription_PlatformName, args);
  args.topology = topology_;
  REPLICATOR_PJRT_CALL(plugin_.api(), PJRT_TopologyDescription_PlatformName, args);
  return std::string(args.platform_name, args.platform_name_size);
}

std::string Topology::PlatformVersion() const {
  REPLICATOR_PJRT_ARGS(PJRT_TopologyDescription_PlatformVersion, args);
  args.topology = topology_;
  REPLICATOR_PJRT_CALL(plugin_.api(), PJRT_TopologyDescription_PlatformVersion, args);
  return std::string(args.platform_version, args.platform_version_size);
}

std::vector<DeviceDescription> Topology::Devices() const {
  REPLICATOR_PJRT_ARGS(PJRT_TopologyDescription_GetDeviceDescriptions, args);
  args.topology = topology_;
  REPLICATOR_PJRT_CALL(plugin_.api(), PJRT_TopologyDescription_GetDeviceDescriptions, args);
  std::vector<DeviceDescription> devices;
  for (size_t i = 0; i < args.num_descriptions; ++i) devices.push_back(Describe(plugin_.api(), args.descriptions[i]));
  return devices;
}

Options Topology::Attributes() const {
  REPLICATOR_PJRT_ARGS(PJRT_TopologyDescription_Attributes, args);
  args.topology = topology_;
  REPLICATOR_PJRT_CALL(plugin_.api(), PJRT_TopologyDescription_Attributes, args);
  return FromNamedValues({args.attributes, args.num_attributes});
}

UnloadedExecutable Topology::Compile(std::string_view mlir, const CompileOptions& options) const {
  const std::string encoded = Encode(options);
  const PJRT_Program program = MlirProgram(mlir);
  REPLICATOR_PJRT_ARGS(PJRT_Compile, args);
  args.topology = topology_;
  args.program = &program;
  args.compile_options = encoded.data();
  args.compile_options_size = encoded.size();
  Call(plugin_.api(), &PJRT_Api::PJRT_Compile, "compilation", &args);
  return UnloadedExecutable(plugin_.api(), args.executable);
}

}  // namespace replicator::pjrt
