// A value on a device.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "pjrt/event.h"
#include "replicator/base/literal.h"

struct PJRT_Buffer;

namespace replicator::pjrt {

class Client;
class Device;

// What is known of a buffer without asking the plugin; shared by all buffers of one output of an executable.
struct BufferInfo {
  std::shared_ptr<Client> client;  // outlives its buffers
  const Device* device = nullptr;
  Shape shape;
};

// A copy to the host under way. Movable. Dropping it abandons the copy safely.
class HostCopy {
 public:
  HostCopy(Event done, Literal literal) : done_(std::move(done)), literal_(std::move(literal)) {}
  HostCopy(HostCopy&&) noexcept = default;
  HostCopy& operator=(HostCopy&&) = delete;
  ~HostCopy();

  bool IsReady() const { return done_.IsReady(); }
  // Waits. Throws the Error with which the computation of the value or the copy failed.
  Literal Get();

 private:
  Event done_;
  Literal literal_;
};

// Owns one device buffer; movable. Const functions may be called from several threads at once.
// A buffer whose computation failed reports it in ready events and copies, not here.
class Buffer {
 public:
  // Empty: only assignment, destruction and `valid` are allowed.
  Buffer() = default;
  // Takes ownership of `buffer`.
  Buffer(PJRT_Buffer* buffer, std::shared_ptr<const BufferInfo> info) : raw_(buffer), info_(std::move(info)) {}
  Buffer(Buffer&& other) noexcept
      : raw_(std::exchange(other.raw_, nullptr)),
        info_(std::move(other.info_)),
        deleted_(other.deleted_),
        owned_(other.owned_) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(raw_, other.raw_);
    std::swap(info_, other.info_);
    std::swap(deleted_, other.deleted_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~Buffer() {
    if (raw_ != nullptr && owned_) Destroy();
  }

  bool valid() const { return raw_ != nullptr; }
  const Shape& shape() const { return info_->shape; }
  DType dtype() const { return info_->shape.dtype; }
  const Dims& dims() const { return info_->shape.dims; }
  const Device& device() const { return *info_->device; }
  const std::shared_ptr<Client>& client() const { return info_->client; }

  // True after Delete, and after a launch to which the buffer was donated.
  bool IsDeleted() const;
  // Gives the memory back as soon as the launches that use it have completed.
  void Delete();
  // Bytes, padding included.
  size_t OnDeviceSize() const;
  // Complete when the value has been computed, with the Error if that failed.
  Event ReadyEvent() const;

  // Starts a copy to the host. Throws Error(kInvalidArgument) for a deleted or donated buffer.
  HostCopy ToLiteralAsync() const;
  Literal ToLiteral() const { return ToLiteralAsync().Get(); }
  // On another device of the same client. Asynchronous.
  Buffer CopyTo(const Device& device) const;

  // The address of the value in the device's memory; the plugin may move it unless it is in host memory. For tests of
  // aliasing.
  const void* UnsafePointer() const;

  // The same device buffer without its ownership: only to be passed as an argument that is not donated, while the owner
  // lives (moving it is allowed) and is not donated either.
  Buffer Borrowed() const;

  PJRT_Buffer* raw() const { return raw_; }
  // For Executable: what Execute knows about donation, so that it need not ask the plugin about every argument.
  bool known_deleted() const { return deleted_; }
  void set_known_deleted() { deleted_ = true; }

 private:
  void Destroy() noexcept;

  PJRT_Buffer* raw_ = nullptr;
  std::shared_ptr<const BufferInfo> info_;
  bool deleted_ = false;
  bool owned_ = true;
};

// Reads a buffer in place, without a copy, where device memory is host memory (CPU). While it lives, the buffer must
// neither be destroyed nor donated. Movable.
class HostView {
 public:
  // Waits for the value. Throws its Error if it failed, and Error(kUnimplemented) where the memory is not the host's.
  explicit HostView(const Buffer& buffer);
  HostView(HostView&& other) noexcept : buffer_(std::exchange(other.buffer_, nullptr)), data_(other.data_) {}
  HostView& operator=(HostView&&) = delete;
  ~HostView();

  // Row-major.
  const std::byte* bytes() const { return data_; }

 private:
  const Buffer* buffer_ = nullptr;
  const std::byte* data_ = nullptr;
};

// Whether HostView works.
bool IsOnHost(const Buffer& buffer);

// The value of a buffer that is no longer needed on the device: waits, and reads it in place where that is possible
// (the literal then owns the buffer), else copies it.
Literal TakeLiteral(Buffer buffer);

}  // namespace replicator::pjrt
