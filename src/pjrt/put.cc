// Transfers from the host.
#include "pjrt/c_api.h"
#include "pjrt/client.h"

namespace replicator::pjrt {
namespace {

struct Transfer {
  PJRT_Buffer* buffer;
  Event done_with_host;
};

Transfer Start(const Client& client, const Shape& shape, const void* data, const Device& device,
               PJRT_HostBufferSemantics semantics) {
  REPLICATOR_PJRT_ARGS(PJRT_Client_BufferFromHostBuffer, args);
  args.client = client.raw();
  args.data = data;
  args.type = ToPjrt(shape.dtype);
  args.dims = shape.dims.data();
  args.num_dims = shape.dims.size();
  args.host_buffer_semantics = semantics;
  args.device = device.raw();
  const PJRT_Api* api = client.plugin().api();
  Call(api, &PJRT_Api::PJRT_Client_BufferFromHostBuffer, "the transfer to the device", &args);
  return {args.buffer, Event(api, args.done_with_host_buffer)};
}

}  // namespace

Buffer Client::Put(const Literal& literal, const Device& device) {
  return Put(literal.shape(), literal.bytes(), literal.owner(), device);
}

Buffer Client::Put(const Shape& shape, const void* data, std::shared_ptr<const void> owner, const Device& device) {
  // Elsewhere than on CPU this means the same as kImmutableUntilTransferCompletes; unaligned data are copied.
  Transfer transfer = Start(*this, shape, data, device, PJRT_HostBufferSemantics_kImmutableZeroCopy);
  Buffer buffer(transfer.buffer, std::make_shared<const BufferInfo>(BufferInfo{shared_from_this(), &device, shape}));
  transfer.done_with_host.OnReady([keep = std::move(owner)](std::exception_ptr) {});
  return buffer;
}

Buffer Client::PutCopy(const Shape& shape, const void* data, const Device& device) {
  const Transfer transfer = Start(*this, shape, data, device, PJRT_HostBufferSemantics_kImmutableOnlyDuringCall);
  return Buffer(transfer.buffer, std::make_shared<const BufferInfo>(BufferInfo{shared_from_this(), &device, shape}));
}

}  // namespace replicator::pjrt
