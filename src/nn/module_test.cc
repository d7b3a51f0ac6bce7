#include "replicator/nn/module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "graph/build_context.h"
#include "replicator/nn/activations.h"
#include "replicator/nn/dense.h"
#include "replicator/nn/dropout.h"
#include "replicator/nn/sequential.h"
#include "replicator/ops/elementwise.h"

namespace replicator::nn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Mlp : public Module {
 public:
  explicit Mlp(std::string name = {}) : Module(std::move(name)) {}
  Tensor operator()(const Operand& x) const {
    Scope scope(*this, x.where());
    return logits_(replicator::Relu(hidden_(x)));
  }
  const Dense& hidden() const { return hidden_; }

 private:
  Dense hidden_ = Add("hidden", Dense({.units = 3}));
  Dense logits_ = Add("logits", Dense({.units = 2}));
};

class Twice : public Module {
 public:
  Tensor operator()(const Operand& x) const { return second_(first_(x)); }

 private:
  Mlp first_ = Add("first", Mlp());
  Mlp second_ = Add("second", Mlp());
};

std::string ScopeOf(const Tensor& tensor) { return tensor.graph()->node(tensor.value().node).scope; }

// Builds steps of one replicator.
class ModuleTest : public ::testing::Test {
 protected:
  void Build(const std::function<void(const Tensor& x)>& step, const Shape& shape = {DType::kF32, {4, 2}},
             int replica = 0, Mode mode = Mode::kTrain) {
    BuildContext build({.replica_index = replica, .num_replicas = 2, .mode = mode, .variables = &variables_});
    const BuildContext::Scope scope(build);
    step(build.Input("x", shape, SourceLocation::current()));
    last_graph_ = build.graph();
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& def : variables_.all()) names.push_back(def->options.name);
    return names;
  }
  // The error of a step.
  Error ErrorOf(const std::function<void(const Tensor& x)>& step, const Shape& shape = {DType::kF32, {4, 2}},
                int replica = 0) {
    try {
      Build(step, shape, replica);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return Error(ErrorCode::kUnknown, "");
  }

  VariableTable variables_;
  std::shared_ptr<Graph> last_graph_;
};

TEST_F(ModuleTest, NamesComeFromMembersAndTheType) {
  const Mlp anonymous, named("encoder");
  const Twice nested;
  Build([&](const Tensor& x) {
    anonymous(x);
    named(x);
    nested(x);
  });
  EXPECT_THAT(Names(),
              ElementsAre("mlp/hidden/kernel", "mlp/hidden/bias", "mlp/logits/kernel", "mlp/logits/bias",
                          "encoder/hidden/kernel", "encoder/hidden/bias", "encoder/logits/kernel",
                          "encoder/logits/bias", "twice/first/hidden/kernel", "twice/first/hidden/bias",
                          "twice/first/logits/kernel", "twice/first/logits/bias", "twice/second/hidden/kernel",
                          "twice/second/hidden/bias", "twice/second/logits/kernel", "twice/second/logits/bias"));
}

TEST_F(ModuleTest, OneModuleServesReplicasAndSteps) {
  const Mlp model;
  const auto step = [=](const Tensor& x) { model(x); };  // a copy is an alias
  Build(step);
  const std::string first = ToString(*last_graph_);
  Build(step, {DType::kF32, {4, 2}}, 1);
  EXPECT_EQ(ToString(*last_graph_), first);
  Build(step, {DType::kF32, {100, 2}}, 0, Mode::kEval);  // another batch size is no other model
  Build([&](const Tensor& x) {
    model(x);
    model(x);
  });
  EXPECT_EQ(Names().size(), 4u);
}

TEST_F(ModuleTest, ModulesMadeInTheStepAreFoundByTheOtherReplicas) {
  const auto step = [](const Tensor& x) { Mlp()(x); };
  Build(step);
  Build(step, {DType::kF32, {4, 2}}, 1);
  EXPECT_EQ(Names().size(), 4u);
}

TEST_F(ModuleTest, OnlyReplicaZeroDeclares) {
  const Error error = ErrorOf([](const Tensor& x) { Mlp()(x); }, {DType::kF32, {4, 2}}, 1);
  EXPECT_THAT(error.message(), HasSubstr("mlp/hidden/kernel"));
}

TEST_F(ModuleTest, TheNameScopeIsThePathFromWhereverItIsCalled) {
  const Mlp model;
  Build([&](const Tensor& x) {
    const NameScope outside("somewhere");
    const Tensor y = model(x);
    EXPECT_EQ(ScopeOf(y), "mlp/logits");
    EXPECT_EQ(NameScope::Current(), "somewhere");
    EXPECT_EQ(ScopeOf(model.hidden()(x)), "mlp/hidden");
  });
}

TEST_F(ModuleTest, AnotherInputShapeIsAnErrorWithBothLines) {
  const Mlp model;
  Build([&](const Tensor& x) { model(x); });
  const uint32_t first_line = __LINE__ - 1;
  for (const Shape& shape : {Shape{DType::kF32, {4, 3}}, Shape{DType::kF64, {4, 2}}}) {
    const Error error = ErrorOf([&](const Tensor& x) { model(x); }, shape);
    const uint32_t second_line = __LINE__ - 1;
    EXPECT_THAT(error.message(), HasSubstr("mlp/hidden/kernel"));
    EXPECT_THAT(error.message(), HasSubstr("f32[2,3]"));
    ASSERT_GE(error.where().size(), 2u);
    EXPECT_EQ(error.where()[0].line(), second_line);
    EXPECT_EQ(error.where()[1].line(), first_line);
  }
}

TEST_F(ModuleTest, TwoOfOneNameAreAnErrorThatAsksForAnother) {
  const auto expect_both_lines = [](const Error& error, uint32_t line) {
    EXPECT_EQ(error.code(), ErrorCode::kAlreadyExists);
    EXPECT_THAT(error.message(), HasSubstr("another .name"));
    std::vector<uint32_t> lines;
    for (const SourceLocation& where : error.where()) lines.push_back(where.line());
    EXPECT_THAT(lines, ::testing::AllOf(::testing::Contains(line), ::testing::Contains(line + 1)));
  };
  expect_both_lines(ErrorOf([&](const Tensor& x) {
                      Dense({.units = 3})(x);
                      Dense({.units = 3})(x);
                    }),
                    __LINE__ - 3);
  expect_both_lines(ErrorOf([&](const Tensor& x) {  // without variables, but with random draws
                      Dropout()(x);
                      Dropout()(x);
                    }),
                    __LINE__ - 3);
  const Mlp a, b;
  expect_both_lines(ErrorOf([&](const Tensor& x) {
                      a(x);
                      b(x);
                    }),
                    __LINE__ - 3);
  // In different steps: the variables collide.
  const Error error = ErrorOf([&](const Tensor& x) { b(x); });
  EXPECT_EQ(error.code(), ErrorCode::kAlreadyExists);
  EXPECT_THAT(error.message(), HasSubstr("another .name"));
  // What has no state may be repeated.
  Build([&](const Tensor& x) {
    Relu()(x);
    Relu()(x);
    Flatten()(x);
    Flatten()(x);
  });
}

TEST_F(ModuleTest, ErrorsNameTheUsersLineFirst) {
  const Mlp model;
  const Error error = ErrorOf([&](const Tensor& x) { model(x); }, {DType::kI32, {4, 2}});
  EXPECT_EQ(error.where().front().line(), __LINE__ - 1u);
  EXPECT_THAT(error.message(), HasSubstr("mlp/hidden(i32[4,2])"));
}

TEST_F(ModuleTest, PartsHaveOneParentAndOneName) {
  struct Parent : Module {
    using Module::Add;
  };
  const auto code_of = [](const std::function<void()>& f) {
    try {
      f();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kUnknown;
  };
  Parent parent, other;
  const Dense dense = parent.Add("a", Dense({.units = 1}));
  EXPECT_EQ(code_of([&] { parent.Add("a", Dense({.units = 1})); }), ErrorCode::kAlreadyExists);
  EXPECT_EQ(code_of([&] { other.Add("a", dense); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { parent.Add("b", Dense({.units = 1, .name = "c"})); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { parent.Add("", Dense({.units = 1})); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { parent.Add("x/y", Dense({.units = 1})); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { parent.Add("self", parent); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { Dense({.units = 1, .name = "x/y"}); }), ErrorCode::kInvalidArgument);
  const Dense called({.units = 1});
  EXPECT_EQ(called.path(), "dense");
  EXPECT_EQ(code_of([&] { parent.Add("called", called); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(parent.Add("d", Dense({.units = 1, .name = "d"})).path(), "parent/d");
}

TEST_F(ModuleTest, LayersOfASequentialAreNamedByPlaceOrName) {
  const Sequential model({Dense({.units = 3}), replicator::Relu, Dense({.units = 2, .name = "logits"}),
                          Sequential({Dense({.units = 1})}), [](const Operand& x) { return x * 2; }},
                         {.name = "net"});
  Build([&](const Tensor& x) { model(x); });
  EXPECT_THAT(Names(), ElementsAre("net/0/kernel", "net/0/bias", "net/logits/kernel", "net/logits/bias",
                                   "net/3/0/kernel", "net/3/0/bias"));
  EXPECT_THROW(Sequential({Dense({.units = 1, .name = "1"}), Dense({.units = 1})}), Error);
}

TEST_F(ModuleTest, OptionsAreChecked) {
  EXPECT_THROW(Dense({}), Error);
  EXPECT_THROW(Dense({.units = -3}), Error);
  EXPECT_THROW(Dropout({.rate = 1.5}), Error);
  EXPECT_THROW(Dropout({.rate = -0.1}), Error);
  EXPECT_THROW(Dense({.units = 1})(1.0), Error);  // no step is being built, and a number is no tensor
}

struct BatchNormLike {};
struct Conv2DTranspose {};
struct HTTPServer {};
struct ResNet50 {};
template <typename T>
struct Wrapper {
  struct InnerBlock {};
};

TEST(SnakeCaseTypeName, FollowsTheWordsOfTheType) {
  EXPECT_EQ(SnakeCaseTypeName(typeid(BatchNormLike)), "batch_norm_like");
  EXPECT_EQ(SnakeCaseTypeName(typeid(Conv2DTranspose)), "conv2d_transpose");
  EXPECT_EQ(SnakeCaseTypeName(typeid(HTTPServer)), "http_server");
  EXPECT_EQ(SnakeCaseTypeName(typeid(ResNet50)), "res_net50");
  EXPECT_EQ(SnakeCaseTypeName(typeid(Wrapper<HTTPServer>)), "wrapper");
  EXPECT_EQ(SnakeCaseTypeName(typeid(Wrapper<HTTPServer>::InnerBlock)), "inner_block");
}

}  // namespace
}  // namespace replicator::nn
