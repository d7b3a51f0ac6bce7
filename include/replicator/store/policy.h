// How far apart groups that train the same variables may run, and what becomes of gradients that come late.
#pragma once

#include <string>

#include "replicator/base/source_location.h"

namespace replicator {

// What a group reads before a step, and what of it stays together when the step's gradients are applied.
enum class Consistency {
  // All variables as of one version; an update changes all of them at once.
  kSnapshot,
  // Each variable, with what its optimizer keeps for it, on its own: groups read some variables before and others after
  // an update of another group. Counters (integer scalars, such as an optimizer's iterations) are read and advanced
  // last.
  kPerVariable,
};

// Who waits for whom. An update of a group that waits for nobody is applied as soon as it arrives.
class AsyncPolicy {
 public:
  enum class Kind { kUnbounded, kStaleSynchronous, kBackupWorkers };

  // Nobody waits: as Hogwild's and DistBelief's (Dean et al., NeurIPS 2012) "Downpour" workers.
  static AsyncPolicy Unbounded() { return {Kind::kUnbounded, 0}; }
  // A group may begin its step number c + 1 (its clock is c) only while the slowest group's clock is at least c -
  // bound: Ho et al., "More effective distributed ML via a stale synchronous parallel parameter server", NeurIPS 2013.
  // With a bound of 0 all groups of a clock read the same version, and their gradients are aggregated, in the order of
  // the groups, into one update: synchronous training. Throws Error(kInvalidArgument) for bound < 0.
  static AsyncPolicy StaleSynchronous(int bound, SourceLocation where = SourceLocation::current());
  // The first `required` gradients of a version are aggregated, in the order of the groups, into one update; what comes
  // later is dropped and counted: Chen et al., "Revisiting distributed synchronous SGD", ICLR 2016 workshop. Throws
  // Error(kInvalidArgument) for required < 1.
  static AsyncPolicy BackupWorkers(int required, SourceLocation where = SourceLocation::current());

  // The same policy, with the learning rate of each update divided by its staleness where that is above 1: Zhang et
  // al., "Staleness-aware async-SGD for distributed deep learning", IJCAI 2016, equation 6. (Aggregated updates are not
  // stale.)
  AsyncPolicy WithStalenessAwareLearningRate() const;

  Kind kind() const { return kind_; }
  int bound() const { return number_; }     // of kStaleSynchronous
  int required() const { return number_; }  // of kBackupWorkers
  bool staleness_aware_learning_rate() const { return staleness_aware_; }
  // Whether several groups' gradients make one update.
  bool aggregates() const {
    return kind_ == Kind::kBackupWorkers || (kind_ == Kind::kStaleSynchronous && number_ == 0);
  }

 private:
  AsyncPolicy(Kind kind, int number) : kind_(kind), number_(number) {}

  Kind kind_;
  int number_;
  bool staleness_aware_ = false;
};

// "unbounded", "stale-synchronous, bound 2", "the first 3 gradients of each version"; with ", learning rate divided by
// staleness".
std::string ToString(const AsyncPolicy& policy);

}  // namespace replicator
