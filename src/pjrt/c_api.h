// The only way in which this room calls the C API: sizes filled in, functions that an older plugin lacks noticed, and
// every PJRT_Error turned into an Error and freed.
#pragma once

#include <pjrt_c_api.h>

#include <string>

#include "replicator/base/dtype.h"

namespace replicator::pjrt {

// Throws Error(kUnimplemented): the plugin's table of functions ends before `function`.
[[noreturn]] void ThrowMissing(const PJRT_Api* api, const char* function);
// Frees `error` and throws it as an Error whose sentence starts with `context`.
[[noreturn]] void ThrowError(const PJRT_Api* api, PJRT_Error* error, const char* context);
// Frees `error`, which may be null; for destructors and callbacks, where nothing can be thrown.
void DiscardError(const PJRT_Api* api, PJRT_Error* error) noexcept;

// Whether the plugin's table of functions reaches as far as `member` and has an entry there.
template <typename Function>
bool Has(const PJRT_Api* api, Function* PJRT_Api::* member) {
  const auto* entry = reinterpret_cast<const char*>(&(api->*member));
  const auto end = static_cast<size_t>(entry - reinterpret_cast<const char*>(api)) + sizeof(Function*);
  return end <= api->struct_size && api->*member != nullptr;
}

template <typename Args>
void Call(const PJRT_Api* api, PJRT_Error* (*PJRT_Api::*member)(Args*), const char* name, Args* args) {
  if (!Has(api, member)) ThrowMissing(api, name);
  if (PJRT_Error* error = (api->*member)(args); error != nullptr) ThrowError(api, error, name);
}

template <typename Args>
void CallQuietly(const PJRT_Api* api, PJRT_Error* (*PJRT_Api::*member)(Args*), Args* args) noexcept {
  if (Has(api, member)) DiscardError(api, (api->*member)(args));
}

// Declares the zeroed arguments of the C function `fn`, with the size that the header knows.
#define REPLICATOR_PJRT_ARGS(fn, variable) \
  fn##_Args variable{};                    \
  variable.struct_size = fn##_Args_STRUCT_SIZE
// Calls `fn`; throws when the plugin lacks it or it fails.
#define REPLICATOR_PJRT_CALL(api, fn, variable) ::replicator::pjrt::Call(api, &PJRT_Api::fn, #fn, &variable)
// Calls `fn` and ignores a failure.
#define REPLICATOR_PJRT_CALL_QUIETLY(api, fn, variable) ::replicator::pjrt::CallQuietly(api, &PJRT_Api::fn, &variable)

PJRT_Buffer_Type ToPjrt(DType dtype);
// Throws Error(kUnimplemented) for an element type that the library does not have.
DType FromPjrt(PJRT_Buffer_Type type);

// A thread of a plugin is running a callback of ours. Destroying a client there would make it wait for itself, so
// whoever drops the last reference asks InPluginCallback() and hands the work to another thread.
class PluginCallbackScope {
 public:
  PluginCallbackScope();
  ~PluginCallbackScope();
  PluginCallbackScope(const PluginCallbackScope&) = delete;
  PluginCallbackScope& operator=(const PluginCallbackScope&) = delete;
};
bool InPluginCallback();

}  // namespace replicator::pjrt
