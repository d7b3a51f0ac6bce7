#include "pjrt/c_api.h"

#include <array>

#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

thread_local int callback_depth = 0;

// In the order of DType.
constexpr std::array<PJRT_Buffer_Type, 13> kTypes = {
    PJRT_Buffer_Type_PRED, PJRT_Buffer_Type_S8,  PJRT_Buffer_Type_S16, PJRT_Buffer_Type_S32, PJRT_Buffer_Type_S64,
    PJRT_Buffer_Type_U8,   PJRT_Buffer_Type_U16, PJRT_Buffer_Type_U32, PJRT_Buffer_Type_U64, PJRT_Buffer_Type_F16,
    PJRT_Buffer_Type_BF16, PJRT_Buffer_Type_F32, PJRT_Buffer_Type_F64};

std::string Message(const PJRT_Api* api, const PJRT_Error* error) {
  REPLICATOR_PJRT_ARGS(PJRT_Error_Message, args);
  args.error = error;
  api->PJRT_Error_Message(&args);
  return args.message == nullptr ? "" : std::string(args.message, args.message_size);
}

ErrorCode Code(const PJRT_Api* api, const PJRT_Error* error) {
  REPLICATOR_PJRT_ARGS(PJRT_Error_GetCode, args);
  args.error = error;
  if (PJRT_Error* inner = api->PJRT_Error_GetCode(&args); inner != nullptr) {
    DiscardError(api, inner);
    return ErrorCode::kUnknown;
  }
  if (args.code == PJRT_Error_Code_UNAUTHENTICATED) return ErrorCode::kPermissionDenied;
  if (args.code >= PJRT_Error_Code_CANCELLED && args.code <= PJRT_Error_Code_DATA_LOSS) {
    return static_cast<ErrorCode>(args.code);
  }
  return ErrorCode::kUnknown;
}

}  // namespace

void ThrowMissing(const PJRT_Api* api, const char* function) {
  throw Error(ErrorCode::kUnimplemented, "the plugin implements PJRT API " +
                                             std::to_string(api->pjrt_api_version.major_version) + "." +
                                             std::to_string(api->pjrt_api_version.minor_version) + ", which has no " +
                                             function + "; use a newer plugin");
}

void ThrowError(const PJRT_Api* api, PJRT_Error* error, const char* context) {
  const ErrorCode code = Code(api, error);
  std::string message = std::string(context) + " failed: " + Message(api, error);
  DiscardError(api, error);
  throw Error(code, std::move(message));
}

void DiscardError(const PJRT_Api* api, PJRT_Error* error) noexcept {
  if (error == nullptr) return;
  REPLICATOR_PJRT_ARGS(PJRT_Error_Destroy, args);
  args.error = error;
  api->PJRT_Error_Destroy(&args);
}

PJRT_Buffer_Type ToPjrt(DType dtype) { return kTypes[static_cast<size_t>(dtype)]; }

DType FromPjrt(PJRT_Buffer_Type type) {
  for (DType dtype : kAllDTypes) {
    if (ToPjrt(dtype) == type) return dtype;
  }
  throw Error(ErrorCode::kUnimplemented, "the plugin gave a value of PJRT element type " + std::to_string(type) +
                                             ", which the library does not have; convert it inside the program");
}

PluginCallbackScope::PluginCallbackScope() { ++callback_depth; }
PluginCallbackScope::~PluginCallbackScope() { --callback_depth; }
bool InPluginCallback() { return callback_depth > 0; }

}  // namespace replicator::pjrt
