// docs/rewriting.md: the files that REPLICATOR_DUMP leaves of a step that is run.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "program.h"

namespace replicator::testing_support {
namespace {

using ::testing::HasSubstr;

TEST(Dump, ARunLeavesGraphsTablesProgramsAndStatistics) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("replicator_semantics_dump_" + std::to_string(::getpid()));
  setenv("REPLICATOR_DUMP", directory.c_str(), 1);
  {
    LocalReplicator repl = Replicas(2);
    const auto scope = repl.Context();
    const auto step = repl.Run([](const Batch& batch) { return AllSum(batch["x"]); }, Counting(8, 2));
    const auto never_run = repl.Run([](const Batch& batch) { return AllMean(batch["x"]); }, Counting(8, 2));
    Session session;
    repl.Init(session);
    session.Run(step).Wait();
    session.MakeCallable([](const std::vector<Tensor>& inputs) { return std::vector<Tensor>{inputs[0] * 2.0}; },
                         {{DType::kF32, {3}}});
  }
  unsetenv("REPLICATOR_DUMP");
  const auto read = [&](const std::string& name) {
    std::ifstream file(directory / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  for (const char* name : {"class_0.txt", "class_0.svg", "replicas.svg", "placeholders.txt", "program.txt",
                           "program.svg", "step.mlir", "statistics.txt"}) {
    EXPECT_NE(read(std::string("step_000/") + name), "") << name;
  }
  EXPECT_THAT(read("step_000/step.mlir"), HasSubstr("stablehlo.all_reduce"));
  EXPECT_THAT(read("step_000/statistics.txt"), HasSubstr("temporaries"));
  EXPECT_THAT(read("step_001/placeholders.txt"), HasSubstr("all_mean"));
  EXPECT_THAT(read("step_002/program.txt"), HasSubstr("multiply"));
  EXPECT_THAT(read("step_002/statistics.txt"), HasSubstr("temporaries"));
  EXPECT_FALSE(std::filesystem::exists(directory / "step_001" / "statistics.txt")) << "it has not been compiled";
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace replicator::testing_support
