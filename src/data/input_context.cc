#include "replicator/data/input_context.h"

#include <string>

#include "replicator/base/error.h"

namespace replicator::data {

InputContext InputContext::ForPipeline(int64_t pipeline, int64_t num_pipelines, int64_t num_replicas,
                                       SourceLocation where) {
  if (pipeline < 0 || pipeline >= num_pipelines || num_pipelines > num_replicas) {
    throw Error(ErrorCode::kInvalidArgument,
                "pipeline " + std::to_string(pipeline) + " of " + std::to_string(num_pipelines) + " for " +
                    std::to_string(num_replicas) + " replicas: 0 <= pipeline < pipelines <= replicas is required",
                {where});
  }
  // The first `longer` pipelines feed one replica more than the others.
  const int64_t each = num_replicas / num_pipelines;
  const int64_t longer = num_replicas % num_pipelines;
  return {.input_pipeline_id = pipeline,
          .num_input_pipelines = num_pipelines,
          .num_replicas_in_sync = num_replicas,
          .first_replica = pipeline * each + (pipeline < longer ? pipeline : longer),
          .num_replicas_in_pipeline = each + (pipeline < longer ? 1 : 0)};
}

InputContext InputContext::InSyncGroup(int64_t group, int64_t num_groups, SourceLocation where) const {
  InputContext context = *this;
  context.sync_group = group;
  context.num_sync_groups = num_groups;
  context.Validate(where);
  return context;
}

int64_t InputContext::PerReplicaBatchSize(int64_t global_batch_size, SourceLocation where) const {
  const int64_t replicas = num_replicas_in_sync;
  if (replicas < 1) Validate(where);
  if (global_batch_size > 0 && global_batch_size % replicas == 0) return global_batch_size / replicas;
  const int64_t lower = global_batch_size < 0 ? 0 : global_batch_size / replicas * replicas;
  const std::string upper = std::to_string(lower + replicas);
  throw Error(ErrorCode::kInvalidArgument,
              "a global batch of " + std::to_string(global_batch_size) + " examples cannot be dealt evenly to " +
                  std::to_string(replicas) + " replicas; the nearest size that can is " +
                  (lower > 0 ? std::to_string(lower) + " or " + upper : upper),
              {where});
}

void InputContext::Validate(SourceLocation where) const {
  const auto check = [&](bool good, const std::string& rule) {
    if (good) return;
    throw Error(ErrorCode::kInvalidArgument,
                "input context of pipeline " + std::to_string(input_pipeline_id) + " of " +
                    std::to_string(num_input_pipelines) + ", feeding " + std::to_string(num_replicas_in_pipeline) +
                    " of " + std::to_string(num_replicas_in_sync) + " replicas from replica " +
                    std::to_string(first_replica) + ": " + rule,
                {where});
  };
  check(input_pipeline_id >= 0 && input_pipeline_id < num_input_pipelines,
        "the pipeline must be one of those there are");
  check(num_replicas_in_pipeline >= 1 && num_replicas_in_pipeline <= num_replicas_in_sync,
        "a pipeline must feed at least one replica and at most all");
  check(first_replica >= 0 && first_replica <= num_replicas_in_sync - num_replicas_in_pipeline,
        "the replicas must be among those there are");
  check(num_input_pipelines > 1 || num_replicas_in_pipeline == num_replicas_in_sync,
        "the only pipeline must feed every replica");
  check(sync_group >= 0 && sync_group < num_sync_groups,
        "group " + std::to_string(sync_group) + " of " + std::to_string(num_sync_groups) +
            " groups that step together must be one of those there are");
}

}  // namespace replicator::data
