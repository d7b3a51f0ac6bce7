#include "replicator/io/event_writer.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <utility>

#include "base/file_system.h"
#include "base/logging.h"
#include "io/event_record.h"
#include "replicator/base/error.h"

namespace replicator::io {
namespace {

constexpr size_t kWriteOutBytes = size_t{64} << 10;
constexpr size_t kMostPendingBytes = size_t{4} << 20;

double WallTime() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

std::string FileName() {
  static std::atomic<int> count{0};
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0 || host[0] == '\0') host = {"localhost"};
  std::string seconds = std::to_string(static_cast<int64_t>(WallTime()));
  seconds.insert(0, seconds.size() < 10 ? 10 - seconds.size() : 0, '0');
  return "events.out.tfevents." + seconds + "." + host.data() + "." + std::to_string(::getpid()) + "." +
         std::to_string(count++) + ".v2";
}

}  // namespace

class EventWriter::Impl {
 public:
  Impl(const std::string& directory, EventWriterOptions options)
      : directory_(directory),
        options_(options),
        file_system_(options.file_system != nullptr ? *options.file_system : FileSystem::Default()) {
    file_system_.CreateDirectories(directory_);
    OpenFile();
  }

  void Add(std::string_view event) {
    const std::string record = FrameRecord(event);
    const std::lock_guard lock(mutex_);
    if (pending_.size() + record.size() > kMostPendingBytes) {
      ++dropped_;
      return;
    }
    pending_ += record;
    const auto age = std::chrono::steady_clock::now() - written_at_;
    if (pending_.size() < kWriteOutBytes && age < std::chrono::duration<double>(options_.flush_seconds)) return;
    if (file_ == nullptr) return;  // Flush tries again: trying at every event would be slow
    try {
      WriteOut();
    } catch (const Error&) {
      // Flush meets it again, unless the cause has gone by then.
    }
  }

  void Flush() {
    const std::lock_guard lock(mutex_);
    if (file_ == nullptr) OpenFile();
    WriteOut();
    if (const int64_t dropped = std::exchange(dropped_, 0); dropped != 0) {
      throw Error(ErrorCode::kResourceExhausted, std::to_string(dropped) + " events for '" + path_ +
                                                     "' were dropped while earlier ones could not be written");
    }
  }

  std::string path() const {
    const std::lock_guard lock(mutex_);
    return path_;
  }

 private:
  void OpenFile() {
    path_ = JoinPath(directory_, FileName());
    auto file = file_system_.OpenForWriting(path_);
    file->Append(FrameRecord(VersionEvent(WallTime())));
    file_ = std::move(file);
    written_at_ = std::chrono::steady_clock::now();
  }

  // After a failure the file may end inside a record: it is given up, and the events stay pending.
  void WriteOut() {
    written_at_ = std::chrono::steady_clock::now();
    if (pending_.empty()) return;
    try {
      file_->Append(pending_);
    } catch (...) {
      file_.reset();
      throw;
    }
    pending_.clear();
  }

  const std::string directory_;
  const EventWriterOptions options_;
  FileSystem& file_system_;

  mutable std::mutex mutex_;  // guards all below
  std::string path_;
  std::unique_ptr<WritableFile> file_;  // null after a failure
  std::string pending_;                 // framed records
  int64_t dropped_ = 0;                 // events since the last complete Flush
  std::chrono::steady_clock::time_point written_at_;
};

EventWriter::EventWriter(const std::string& directory, EventWriterOptions options)
    : impl_(std::make_unique<Impl>(directory, options)) {}

EventWriter::~EventWriter() {
  try {
    impl_->Flush();
  } catch (const std::exception& error) {
    LogWarning(std::string("events are lost: ") + error.what());
  }
}

void EventWriter::AddScalar(std::string_view tag, float value, int64_t step) {
  impl_->Add(ScalarEvent(WallTime(), step, tag, value));
}

void EventWriter::AddHistogram(std::string_view tag, const Histogram& histogram, int64_t step, SourceLocation where) {
  try {
    histogram.Validate(where);
  } catch (const Error& error) {
    throw Error(error.code(), "'" + std::string(tag) + "': " + error.message(), error.where());
  }
  impl_->Add(HistogramEvent(WallTime(), step, tag, histogram));
}

void EventWriter::Flush() { impl_->Flush(); }
std::string EventWriter::path() const { return impl_->path(); }

}  // namespace replicator::io
