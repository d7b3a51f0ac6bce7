#include "pjrt/buffer.h"

#include <new>
#include <numeric>

#include "pjrt/c_api.h"
#include "pjrt/client.h"
#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

const PJRT_Api* Api(const Buffer& buffer) { return buffer.client()->plugin().api(); }

// Not zeroed: the copy writes every byte.
Literal Uninitialised(const Shape& shape) {
  constexpr std::align_val_t kAlign{Literal::kAlignment};
  auto* memory = static_cast<std::byte*>(::operator new(std::max(shape.byte_size(), Literal::kAlignment), kAlign));
  return Literal(shape, std::shared_ptr<const std::byte>(
                            memory, [](const std::byte* p) { ::operator delete(const_cast<std::byte*>(p), kAlign); }));
}

// The host's memory is row-major; a device's own layout may be anything.
struct RowMajor {
  explicit RowMajor(size_t rank) : minor_to_major(rank) {
    for (size_t i = 0; i < rank; ++i) minor_to_major[i] = static_cast<int64_t>(rank - 1 - i);
    layout.struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE;
    layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
    layout.tiled.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE;
    layout.tiled.minor_to_major = minor_to_major.data();
    layout.tiled.minor_to_major_size = rank;
  }
  std::vector<int64_t> minor_to_major;
  PJRT_Buffer_MemoryLayout layout{};
};

}  // namespace

HostCopy::~HostCopy() {
  // The plugin may still be writing: the memory lives until it has finished.
  if (!done_.IsReady()) done_.OnReady([keep = literal_](std::exception_ptr) {});
}

Literal HostCopy::Get() {
  done_.Await();
  return literal_;
}

void Buffer::Destroy() noexcept {
  REPLICATOR_PJRT_ARGS(PJRT_Buffer_Destroy, args);
  args.buffer = raw_;
  REPLICATOR_PJRT_CALL_QUIETLY(Api(*this), PJRT_Buffer_Destroy, args);
}

bool Buffer::IsDeleted() const {
  REPLICATOR_PJRT_ARGS(PJRT_Buffer_IsDeleted, args);
  args.buffer = raw_;
  REPLICATOR_PJRT_CALL(Api(*this), PJRT_Buffer_IsDeleted, args);
  return args.is_deleted;
}

void Buffer::Delete() {
  REPLICATOR_PJRT_ARGS(PJRT_Buffer_Delete, args);
  args.buffer = raw_;
  REPLICATOR_PJRT_CALL(Api(*this), PJRT_Buffer_Delete, args);
  deleted_ = true;
}

size_t Buffer::OnDeviceSize() const {
  REPLICATOR_PJRT_ARGS(PJRT_Buffer_OnDeviceSizeInBytes, args);
  args.buffer = raw_;
  REPLICATOR_PJRT_CALL(Api(*this), PJRT_Buffer_OnDeviceSizeInBytes, args);
  return args.on_device_size_in_bytes;
}

Event Buffer::ReadyEvent() const {
  REPLICATOR_PJRT_ARGS(PJRT_Buffer_ReadyEvent, args);
  args.buffer = raw_;
  REPLICATOR_PJRT_CALL(Api(*this), PJRT_Buffer_ReadyEvent, args);
  return Event(Api(*this), args.event);
}

HostCopy Buffer::ToLiteralAsync() const {
  Literal literal = Uninitialised(shape());
  RowMajor row_major(dims().size());
  REPLICATOR_PJRT_ARGS(PJRT_Buffer_ToHostBuffer, args);
  args.src = raw_;
  args.host_layout = &row_major.layout;
  args.dst = const_cast<std::byte*>(literal.bytes());
  args.dst_size = literal.byte_size();
  REPLICATOR_PJRT_CALL(Api(*this), PJRT_Buffer_ToHostBuffer, args);
  return HostCopy(Event(Api(*this), args.event), std::move(literal));
}

Buffer Buffer::CopyTo(const Device& device) const {
  REPLICATOR_PJRT_ARGS(PJRT_Buffer_CopyToDevice, args);
  args.buffer = raw_;
  args.dst_device = device.raw();
  REPLICATOR_PJRT_CALL(Api(*this), PJRT_Buffer_CopyToDevice, args);
  return Buffer(args.dst_buffer, std::make_shared<const BufferInfo>(BufferInfo{client(), &device, shape()}));
}

Buffer Buffer::Borrowed() const {
  Buffer borrowed(raw_, info_);
  borrowed.deleted_ = deleted_;
  borrowed.owned_ = false;
  return borrowed;
}

const void* Buffer::UnsafePointer() const {
  REPLICATOR_PJRT_ARGS(PJRT_Buffer_UnsafePointer, args);
  args.buffer = raw_;
  REPLICATOR_PJRT_CALL(Api(*this), PJRT_Buffer_UnsafePointer, args);
  return reinterpret_cast<const void*>(args.buffer_pointer);
}

bool IsOnHost(const Buffer& buffer) {
  REPLICATOR_PJRT_ARGS(PJRT_Buffer_IsOnCpu, args);
  args.buffer = buffer.raw();
  REPLICATOR_PJRT_CALL(Api(buffer), PJRT_Buffer_IsOnCpu, args);
  return args.is_on_cpu;
}

HostView::HostView(const Buffer& buffer) {
  if (!IsOnHost(buffer)) {
    throw Error(ErrorCode::kUnimplemented, "the value " + ToString(buffer.shape()) + " on " +
                                               buffer.device().description().name +
                                               " is not in the host's memory; copy it to a literal");
  }
  buffer.ReadyEvent().Await();
  REPLICATOR_PJRT_ARGS(PJRT_Buffer_IncreaseExternalReferenceCount, hold);
  hold.buffer = buffer.raw();
  REPLICATOR_PJRT_CALL(Api(buffer), PJRT_Buffer_IncreaseExternalReferenceCount, hold);
  buffer_ = &buffer;
  REPLICATOR_PJRT_ARGS(PJRT_Buffer_OpaqueDeviceMemoryDataPointer, pointer);
  pointer.buffer = buffer.raw();
  REPLICATOR_PJRT_CALL(Api(buffer), PJRT_Buffer_OpaqueDeviceMemoryDataPointer, pointer);
  data_ = static_cast<const std::byte*>(pointer.device_memory_ptr);
}

HostView::~HostView() {
  if (buffer_ == nullptr) return;
  REPLICATOR_PJRT_ARGS(PJRT_Buffer_DecreaseExternalReferenceCount, args);
  args.buffer = buffer_->raw();
  REPLICATOR_PJRT_CALL_QUIETLY(Api(*buffer_), PJRT_Buffer_DecreaseExternalReferenceCount, args);
}

Literal TakeLiteral(Buffer buffer) {
  if (buffer.shape().num_elements() == 0 || !IsOnHost(buffer)) return buffer.ToLiteral();
  struct Owner {
    explicit Owner(Buffer taken) : buffer(std::move(taken)), view(buffer) {}
    Buffer buffer;
    HostView view;
  };
  const auto owner = std::make_shared<const Owner>(std::move(buffer));
  return Literal(owner->buffer.shape(), std::shared_ptr<const std::byte>(owner, owner->view.bytes()));
}

}  // namespace replicator::pjrt
