#include "runtime/engine.h"

#include <filesystem>

#include "platforms/platform.h"
#include "replicator/runtime/session.h"
#include "runtime/initial_values.h"
#include "runtime/local_engine.h"
#include "runtime/testing.h"

namespace replicator {
namespace {

using namespace replicator::runtime_testing;  // NOLINT: helpers of this room's tests
using testing::ElementsAre;

const Shape kScalar{DType::kF32, {}};

Tensor Normal(const Shape& shape) { return RandomNormal(shape, 0, 1, {.typing = Typing::kReplicated}); }

TEST(Engine, RefusesWhatCannotBe) {
  EXPECT_ERROR(Engine::Create({.num_replicas = 0}), kInvalidArgument, "at least 1");
  EXPECT_ERROR(Engine::Create({.platform = "abacus"}), kInvalidArgument, "abacus");
  EXPECT_ERROR(Engine::Create({.plugin_path = "/nowhere/plugin.so"}), kNotFound, "/nowhere/plugin.so");
  const auto engine = Engine::Create({});
  EXPECT_ERROR(engine->Execute({0}), kInvalidArgument, "no step 0");
  EXPECT_ERROR(engine->program(-1), kInvalidArgument, "no step -1");
}

TEST(Engine, RefusesMoreReplicasThanDevices) {
  const auto client = platforms::CreateClient({.num_devices = 2});
  EXPECT_ERROR(LocalEngine({.num_replicas = 3}, client, {}), kInvalidArgument, "ask for 1 to 2");
}

TEST(Engine, InitialValuesDependOnSeedAndNameOnly) {
  const Shape shape{DType::kF64, {4}};
  const auto draw = [&](uint64_t seed, int replicas, const std::vector<std::string>& names) {
    const auto engine = Engine::Create({.num_replicas = replicas, .seed = seed});
    std::map<std::string, Literal> values;
    std::vector<Variable> variables;
    for (const auto& name : names) {
      variables.push_back(Declare(*engine, {.name = name, .shape = shape, .initializer = Normal}));
    }
    engine->Initialise();
    for (const Variable& v : variables) values[v.name()] = engine->ReadVariable(v.def(), replicas - 1);
    return values;
  };
  const auto first = draw(1, 1, {"a", "b"});
  EXPECT_NE(first.at("a"), first.at("b"));
  EXPECT_EQ(first, draw(1, 4, {"b", "a"}));
  EXPECT_EQ(first.at("b"), draw(1, 2, {"c", "b"}).at("b"));
  EXPECT_NE(first.at("a"), draw(2, 1, {"a", "b"}).at("a"));
}

TEST(Engine, VariablesDeclaredLaterAreFilledBeforeTheirFirstUse) {
  const auto engine = Engine::Create({.num_replicas = 2, .seed = 7});
  const Variable first = Declare(*engine, {.name = "first", .shape = kScalar, .initializer = Normal});
  engine->Initialise();
  engine->WriteVariable(first.def(), Literal::Scalar(2.0f));
  const Variable late = Declare(*engine, {.name = "late", .shape = kScalar, .initializer = Normal});
  const BuiltStep step = AddStep(engine, [&](const Inputs&) { return std::vector<Tensor>{first.Read(), late.Read()}; });
  const auto results = engine->Execute({step.index});
  Session session;
  session.Attach(engine);
  EXPECT_EQ(session.Run(step.results[0]).Item<float>(), 2.0f);

  const auto alone = Engine::Create({.seed = 7});
  const Variable same = Declare(*alone, {.name = "late", .shape = kScalar, .initializer = Normal});
  EXPECT_EQ(session.Run(step.results[1]).Item<float>(), alone->ReadAggregate(same.def()).Item<float>());
}

TEST(Engine, WrongInitializersNameTheVariable) {
  const auto engine = Engine::Create({});
  const Variable wrong = Declare(*engine, {.name = "wrong", .shape = kScalar, .initializer = [](const Shape&) {
                                             return Zeros({DType::kF32, {2}});
                                           }});
  EXPECT_ERROR(engine->Initialise(), kInvalidArgument, "'wrong' is f32[], but its initializer returned f32[2]");
  EXPECT_ERROR(engine->ReadAggregate(wrong.def()), kInvalidArgument, "engine_test.cc");
}

TEST(Engine, RandomDrawsDifferBetweenExecutionsAndRepeatWithTheSeed) {
  const auto run = [](uint64_t seed) {
    const auto engine = Engine::Create({.num_replicas = 2, .seed = seed});
    const StepFn draw = [](const Inputs&) { return std::vector<Tensor>{Normal({DType::kF32, {}})}; };
    const BuiltStep first = AddStep(engine, draw), second = AddStep(engine, draw);
    Session session;
    session.Attach(engine);
    std::vector<float> values;
    for (int i = 0; i < 3; ++i) values.push_back(session.Run(first.results[0]).Item<float>());
    values.push_back(session.Run(second.results[0]).Item<float>());
    return values;
  };
  const std::vector<float> values = run(3);
  EXPECT_EQ(values, run(3));
  EXPECT_NE(values, run(4));
  EXPECT_EQ(std::set<float>(values.begin(), values.end()).size(), values.size());
}

TEST(Engine, FeedsEachReplicaItsBatchUntilTheInputEnds) {
  const auto engine = Engine::Create({.num_replicas = 2});
  const InputIterator input = MakeInput(*engine, Counting(12, 4));
  const Variable seen = Declare(*engine, {.name = "seen", .shape = kScalar});
  const BuiltStep step = AddStep(engine,
                                 [&](const Inputs& inputs) {
                                   seen.Assign(seen + AllSum(ReduceSum(inputs.at("x"))));
                                   return std::vector<Tensor>{inputs.at("x")};
                                 },
                                 {.input = input});
  Session session;
  session.Attach(engine);
  for (int i = 0; i < 3; ++i) {
    const Fetched batch = session.Run(step.results[0]);
    EXPECT_THAT(Values(batch.Get(0)), ElementsAre(4 * i, 4 * i + 1));
    EXPECT_THAT(Values(batch.Get(1)), ElementsAre(4 * i + 2, 4 * i + 3));
  }
  for (int i = 0; i < 2; ++i) EXPECT_ERROR(session.Run(step.results[0]), kOutOfRange, "has ended");
  EXPECT_EQ(session.Read(seen).Item<float>(), 66.0f);
  EXPECT_EQ(engine->executions(step.index), 3);
  InputIterator(input).Initialize();
  session.Run(step.results[0]);
  EXPECT_EQ(session.Read(seen).Item<float>(), 72.0f);
}

TEST(Engine, StepsShareAnInput) {
  const auto engine = Engine::Create({});
  const InputIterator input = MakeInput(*engine, Counting(5, 1));
  const StepFn pass = [](const Inputs& inputs) { return std::vector<Tensor>{inputs.at("x")}; };
  const BuiltStep first = AddStep(engine, pass, {.input = input}), second = AddStep(engine, pass, {.input = input});
  Session session;
  session.Attach(engine);
  const std::vector<Fetch> both = {second.results[0], first.results[0]};
  for (int i = 0; i < 2; ++i) {
    const auto fetched = session.Run(both);
    EXPECT_EQ(fetched[1].Item<float>(), static_cast<float>(2 * i));
    EXPECT_EQ(fetched[0].Item<float>(), static_cast<float>(2 * i + 1));
  }
  // One batch is left for two steps: neither runs, and the batch is not lost.
  EXPECT_ERROR(session.Run(both), kOutOfRange, "has ended");
  EXPECT_EQ(engine->executions(first.index), 2);
  EXPECT_EQ(session.Run(second.results[0]).Item<float>(), 4.0f);
}

TEST(Engine, RefusesAnInputThatDoesNotFit) {
  const auto engine = Engine::Create({.num_replicas = 2});
  const auto other = Engine::Create({.num_replicas = 1});
  const InputIterator input = MakeInput(*engine, Counting(8, 4));
  const StepFn pass = [](const Inputs& inputs) { return std::vector<Tensor>{inputs.at("x")}; };
  const BuiltStep step = AddStep(engine, pass, {.input = input});
  EXPECT_ERROR(engine->AddStep(engine->program(step.index), InputIterator()), kInvalidArgument, "no input");
  EXPECT_ERROR(engine->AddStep(engine->program(step.index), MakeInput(*engine, Counting(8, 2))), kInvalidArgument,
               "f32[2], but its input gives {x: f32[1]}");
  EXPECT_ERROR(engine->AddStep(engine->program(step.index), MakeInput(*other, Counting(8, 2))), kInvalidArgument,
               "feeds 1 replicas");
  EXPECT_ERROR(AddStep(other, pass, {.input = input}), kInvalidArgument, "feeds 2 replicas");
  const auto twin = Engine::Create({.num_replicas = 2});
  EXPECT_ERROR(AddStep(twin, pass, {.input = input}), kFailedPrecondition, "another replicator");
}

// A generator that is fed by another step of the same session, as actors feed a learner.
TEST(Engine, AStepThatWaitsForItsInputDoesNotBlockOthers) {
  const auto engine = Engine::Create({});
  struct Queue {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::vector<float> items;
  };
  const auto queue = std::make_shared<Queue>();
  const InputFn from_queue = [queue](const InputContext&) {
    return data::Dataset::Generator({{"x", kScalar}}, [queue](std::stop_token stop) -> data::GeneratorFn {
      return [queue, stop]() -> std::optional<data::Components> {
        std::unique_lock lock(queue->mutex);
        if (!queue->changed.wait(lock, stop, [&] { return !queue->items.empty(); })) return std::nullopt;
        const float item = queue->items.back();
        queue->items.pop_back();
        return data::Components{{"x", Literal::Scalar(item)}};
      };
    });
  };
  const BuiltStep learn = AddStep(engine, [](const Inputs& inputs) { return std::vector<Tensor>{inputs.at("x")}; },
                                  {.input = MakeInput(*engine, from_queue)});
  const BuiltStep act = AddStep(engine, [](const Inputs&) { return std::vector<Tensor>{Full(kScalar, 3.0)}; });
  Session session;
  session.Attach(engine);
  float learnt = 0;
  std::jthread learner([&] { learnt = session.Run(learn.results[0]).Item<float>(); });
  const auto acted = session.Run(act.results[0]).Item<float>();
  {
    const std::lock_guard lock(queue->mutex);
    queue->items.push_back(acted);
  }
  queue->changed.notify_all();
  learner.join();
  EXPECT_EQ(learnt, 3.0f);
}

TEST(Engine, ExecutablesAreKeptBetweenEngines) {
  const std::string directory = testing::TempDir() + "replicator_engine_test_cache";
  std::filesystem::remove_all(directory);
  const auto run = [&] {
    const auto engine = Engine::Create({.num_replicas = 2, .cache_dir = directory});
    const Variable x = Declare(*engine, {.name = "x", .shape = kScalar, .initializer = Normal});
    const BuiltStep step = AddStep(engine, [&](const Inputs&) {
      x.Assign(x * 2.0);
      return std::vector<Tensor>{AllGather(Convert(ReplicaContext::Current().replica_id(), DType::kF32))};
    });
    Session session;
    session.Attach(engine);
    EXPECT_THAT(Values(session.Run(step.results[0]).Get()), ElementsAre(0, 1));
    session.Run(step.results[0]);
    return std::pair(session.Read(x), std::static_pointer_cast<LocalEngine>(engine)->cache_counts());
  };
  const auto [first, compiled] = run();
  const auto [second, loaded] = run();
  EXPECT_EQ(compiled.compiled, 2);
  EXPECT_EQ(loaded.compiled, 0);
  EXPECT_EQ(loaded.loaded, 2);
  EXPECT_EQ(first, second);
  std::filesystem::remove_all(directory);
}

// One variable, doubled by each execution, seen from below the engine.
class DonationTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto engine = Engine::Create({.num_replicas = 2});
    const Variable x = Declare(*engine, {.name = "x", .shape = {DType::kF32, {1024}}});
    const BuiltStep step = AddStep(engine, [&](const Inputs&) {
      x.Assign(x * 2.0);
      return std::vector<Tensor>{x.Read()};
    });
    runner_ = std::make_unique<StepRunner>(engine->program(step.index), nullptr, store_);
    runner_->Compile(cache_, {});
    slot_ = runner_->variables().at(0);
    store_.Set(*slot_, Literal::FromValues<float>({1024}, std::vector<float>(1024, 1.0f)));
    Step();  // what came from the host is read in place there, and never written
  }
  void Step() { runner_->Start(++launches_, {}, {})->Wait(); }
  const void* Address() const { return slot_->values[1].UnsafePointer(); }
  float Value() const { return slot_->values[1].ToLiteral().data<float>()[1023]; }

  std::shared_ptr<pjrt::Client> client_ = platforms::CreateClient({.num_devices = 2});
  VariableStore store_{DeviceGrid(client_, 2)};
  ExecutableCache cache_{client_, ""};
  std::unique_ptr<StepRunner> runner_;
  VariableStore::Slot* slot_ = nullptr;
  int64_t launches_ = 0;
};

TEST_F(DonationTest, UpdatesInPlace) {
  const void* before = Address();
  Step();
  EXPECT_EQ(Address(), before);
  EXPECT_EQ(Value(), 4.0f);
}

TEST_F(DonationTest, LeavesAloneWhatIsBeingRead) {
  const void* before = Address();
  const auto version = VariableStore::Hold(*slot_);
  const pjrt::Buffer held = slot_->values[1].Borrowed();
  Step();
  EXPECT_NE(Address(), before);
  EXPECT_EQ(held.UnsafePointer(), before);
  EXPECT_EQ(held.ToLiteral().data<float>()[0], 2.0f);
  EXPECT_EQ(Value(), 4.0f);
}

// Each version goes with its own last reader: with readers that overlap without end, memory must not grow.
TEST_F(DonationTest, KeepsAVersionAsLongAsItsReadersAndNoLonger) {
  std::weak_ptr<VariableStore::Version> first, second;
  std::shared_ptr<VariableStore::Version> reader = VariableStore::Hold(*slot_);
  first = reader;
  EXPECT_EQ(VariableStore::Hold(*slot_), reader) << "one version, two readers";
  Step();
  EXPECT_EQ(reader->retired.size(), 2u);  // by replica
  std::shared_ptr<VariableStore::Version> later = VariableStore::Hold(*slot_);
  second = later;
  EXPECT_NE(later, reader);
  Step();
  EXPECT_EQ(reader->retired.size(), 2u);
  reader.reset();
  EXPECT_TRUE(first.expired());
  EXPECT_EQ(later->retired[1].ToLiteral().data<float>()[0], 4.0f);
  later.reset();
  EXPECT_TRUE(second.expired());
  EXPECT_FALSE(slot_->being_read());
  const void* after = Address();
  Step();
  EXPECT_EQ(Address(), after);
  EXPECT_EQ(Value(), 16.0f);
}

TEST_F(DonationTest, NeverWritesIntoTheHostsMemory) {
  const Literal mine = Literal::FromValues<float>({1024}, std::vector<float>(1024, 3.0f));
  store_.Set(*slot_, mine);
  Step();
  EXPECT_EQ(Value(), 6.0f);
  EXPECT_EQ(mine.data<float>()[1023], 3.0f);
}

}  // namespace
}  // namespace replicator
