#include "replicator/runtime/monitored_session.h"

#include <utility>

#include "base/logging.h"
#include "runtime/session_monitor.h"

namespace replicator {

MonitoredSession::MonitoredSession(MonitoredSessionOptions options)
    : monitor_(std::make_unique<SessionMonitor>(*this, std::move(options))) {}

MonitoredSession::~MonitoredSession() {
  try {
    MonitoredSession::Detach();
  } catch (const std::exception& error) {
    LogError(error.what());
  }
}

void MonitoredSession::Attach(std::shared_ptr<Engine> attached) {
  if (engine() != nullptr) return Session::Attach(std::move(attached));  // again, or refused
  monitor_->Prepare();
  Session::Attach(std::move(attached));
  try {
    monitor_->Begin(engine());
  } catch (...) {
    Session::Detach();
    throw;
  }
}

void MonitoredSession::Detach() {
  try {
    monitor_->End();
  } catch (...) {
    Session::Detach();
    throw;
  }
  Session::Detach();
}

std::vector<Fetched> MonitoredSession::Run(const std::vector<Fetch>& fetches) {
  return monitor_->Run(fetches, [this](const std::vector<Fetch>& all) { return Session::Run(all); });
}

bool MonitoredSession::ShouldStop() { return monitor_->ShouldStop(); }
bool MonitoredSession::interrupted() const { return monitor_->interrupted(); }
int64_t MonitoredSession::step() const { return monitor_->step(); }
std::string MonitoredSession::checkpoint_path() const { return monitor_->checkpoint_path(); }
void MonitoredSession::AddScalar(std::string name, const Fetch& fetch) { monitor_->AddScalar(std::move(name), fetch); }
void MonitoredSession::WriteScalar(const std::string& name, double value) { monitor_->WriteScalar(name, value); }

}  // namespace replicator
