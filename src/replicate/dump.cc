#include "replicate/dump.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <mutex>

#include "base/file_system.h"
#include "base/logging.h"
#include "replicate/dump_text.h"
#include "replicate/picture_draw.h"
#include "replicate/picture_segments.h"
#include "replicate/picture_svg.h"
#include "replicate/rewrite.h"

namespace replicator {
namespace {

constexpr int kMaxLanes = 3;
constexpr int kMaxBoxes = 40, kMaxBoxesInLanes = 26;

std::string Line(const SourceLocation& where) {
  return BaseName(where.file_name()) + ":" + std::to_string(where.line());
}

std::string ModeName(Mode mode) { return mode == Mode::kTrain ? "train" : "eval"; }

Lane DrawReplica(const ReplicaStep& step, const std::string& title, int max_boxes) {
  DrawOptions options{.title = title, .max_boxes = max_boxes};
  const std::vector<Value>& outputs = step.graph->outputs();
  for (size_t i = 0; i < outputs.size(); ++i) options.ends.push_back({"result " + std::to_string(i), outputs[i]});
  for (const BuildContext::VariableUse& use : step.uses) {
    if (use.assigned) options.ends.push_back({use.def->options.name, use.current, /*is_update=*/true});
  }
  return Draw(*step.graph, options);
}

std::vector<std::string> ClassTitles(const std::vector<int>& class_of_replica) {
  std::vector<std::string> titles;
  for (int c = 0;; ++c) {
    const std::string replicas = NameReplicas(class_of_replica, c);
    if (replicas.back() == ' ') return titles;  // no replica is in it
    titles.push_back("class " + std::to_string(c) + ": " + replicas);
  }
}

}  // namespace

std::string NextDumpFolder() {
  static std::mutex mutex;
  static std::map<std::string, int> next;  // by value of the variable
  const char* directory = std::getenv("REPLICATOR_DUMP");
  if (directory == nullptr || *directory == '\0') return "";
  const std::lock_guard lock(mutex);
  int& number = next[directory];
  std::string folder = JoinPath(directory, fmt::format("step_{:03}", number));
  try {
    FileSystem::Default().CreateDirectories(folder);
  } catch (const Error& error) {
    if (number++ == 0) LogWarning("REPLICATOR_DUMP: " + error.message() + "; nothing is dumped");
    return "";
  }
  ++number;
  return folder;
}

void WriteDump(const std::string& folder, const std::string& name, const std::string& text) {
  if (folder.empty()) return;
  try {
    const auto file = FileSystem::Default().OpenForWriting(JoinPath(folder, name));
    file->Append(std::string_view(text));
    file->Close();
  } catch (const Error& error) {
    LogWarning("REPLICATOR_DUMP: " + error.message());
  }
}

std::string ReplicasPicture(const ReplicaSteps& steps, SourceLocation where) {
  const auto num_replicas = static_cast<int>(steps.class_of_replica.size());
  Picture picture{.title = "before rewriting: " + Line(where)};
  // Few replicas are shown each, many by their classes.
  const bool each = num_replicas <= kMaxLanes;
  const std::vector<std::string> titles = ClassTitles(steps.class_of_replica);
  for (int lane = 0; lane < (each ? num_replicas : static_cast<int>(titles.size())) && lane < kMaxLanes; ++lane) {
    const auto c = static_cast<size_t>(each ? steps.class_of_replica[static_cast<size_t>(lane)] : lane);
    const std::string title = each ? "replica " + std::to_string(lane) : titles[c];
    picture.lanes.push_back(DrawReplica(steps.classes[c], title, kMaxBoxesInLanes));
  }
  if (!each && titles.size() > kMaxLanes) {
    picture.title += fmt::format(" (the first {} of {} classes)", kMaxLanes, titles.size());
  }
  return ToSvg(picture);
}

std::string ProgramPicture(const Program& program) {
  DrawOptions options{.title = fmt::format("{} replicas", program.num_replicas), .max_boxes = kMaxBoxes};
  options.class_titles = ClassTitles(program.class_of_replica);
  const std::vector<Value>& outputs = program.graph->outputs();
  const size_t num_outputs = program.outputs.size();
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (i < num_outputs) {
      options.ends.push_back({"result " + std::to_string(i), outputs[i]});
    } else if (i < num_outputs + program.updates.size()) {
      options.ends.push_back({program.updates[i - num_outputs]->options.name, outputs[i], /*is_update=*/true});
    } else {
      options.ends.push_back({"finite?", outputs[i]});
    }
  }
  const std::string title = "after rewriting: " + Line(program.where);
  const bool one = program.segments.size() <= 1;
  return ToSvg(
      {.title = title, .lanes = {one ? Draw(*program.graph, options) : DrawSegments(program, options.class_titles)}});
}

void DumpReplicas(const std::string& folder, const ReplicaSteps& steps, SourceLocation where) {
  if (folder.empty()) return;
  const std::vector<std::string> titles = ClassTitles(steps.class_of_replica);
  for (size_t c = 0; c < steps.classes.size(); ++c) {
    const std::string name = "class_" + std::to_string(c), title = titles[c] + ", before rewriting: " + Line(where);
    std::string updates;
    for (const BuildContext::VariableUse& use : steps.classes[c].uses) {
      if (use.assigned) updates += fmt::format("update {} = %{}\n", use.def->options.name, use.current.node);
    }
    WriteDump(folder, name + ".txt", title + "\n\n" + Listing(*steps.classes[c].graph) + "\n" + updates);
    const Picture picture{.title = title, .lanes = {DrawReplica(steps.classes[c], titles[c], kMaxBoxes)}};
    WriteDump(folder, name + ".svg", ToSvg(picture));
  }
  WriteDump(folder, "replicas.svg", ReplicasPicture(steps, where));
}

Program RewriteWithDump(const ReplicaSteps& steps, const StepOptions& options) {
  const std::string folder = NextDumpFolder();
  DumpReplicas(folder, steps, options.where);
  Program program = Rewrite(steps, options);
  program.dump_folder = folder;
  DumpProgram(folder, program);
  return program;
}

void DumpProgram(const std::string& folder, const Program& program) {
  if (folder.empty()) return;
  const std::string title = fmt::format("step function built at {}, mode {}, {} replicas, after rewriting",
                                        Line(program.where), ModeName(program.mode), program.num_replicas);
  std::string updates;
  for (size_t i = 0; i < program.updates.size(); ++i) {
    updates += fmt::format("output {} updates {}\n", program.outputs.size() + i, program.updates[i]->options.name);
  }
  WriteDump(folder, "placeholders.txt", PlaceholderTable(program));
  WriteDump(folder, "program.txt", title + "\n\n" + Listing(*program.graph) + "\n" + updates);
  WriteDump(folder, "program.svg", ProgramPicture(program));
}

}  // namespace replicator
