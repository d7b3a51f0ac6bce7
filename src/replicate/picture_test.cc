// Grouping, rows and places, on random graphs; and what becomes of hostile texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "base/testing/xml.h"
#include "replicate/picture_groups.h"
#include "replicate/picture_layout.h"
#include "replicate/picture_rows.h"
#include "replicate/picture_svg.h"

namespace replicator {
namespace {

using ::testing::ElementsAre;

TEST(GroupNodes, GathersWhatAKeyCanTakeBeforeItGoesOn) {
  // Two chains a -> b -> a: all first a's, all b's, all last a's.
  const std::vector<KeyedNode> nodes = {{"a", {}}, {"b", {0}}, {"a", {1}}, {"a", {}}, {"b", {3}}, {"a", {4}}};
  EXPECT_THAT(GroupNodes(nodes), ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_TRUE(GroupNodes({}).empty());
}

TEST(GroupNodes, WaitsWithTheLastOnesUntilNothingElseIsLeft) {
  // c depends on a, as b does; b's user is another a. A collective c should gather both c's.
  const std::vector<KeyedNode> nodes = {{"a", {}},  {"c", {0}, true}, {"b", {0}},
                                        {"a", {2}}, {"c", {3}, true}, {"a", {1, 4}}};
  EXPECT_THAT(GroupNodes(nodes), ElementsAre(0, 3, 1, 2, 3, 4));
}

TEST(GroupNodes, GroupsAreOfOneKeyAndNeverDependOnLaterOnes) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<KeyedNode> nodes;
    for (int id = 0; id < 200; ++id) {
      KeyedNode node{.key = std::string(1, static_cast<char>('a' + random() % 4)), .last = random() % 10 == 0};
      for (unsigned i = 0; i < random() % 3 && id > 0; ++i) {
        node.operands.push_back(static_cast<int>(random() % static_cast<unsigned>(id)));
      }
      nodes.push_back(std::move(node));
    }
    const std::vector<int> groups = GroupNodes(nodes);
    std::map<int, std::string> key_of;
    for (size_t id = 0; id < nodes.size(); ++id) {
      EXPECT_EQ(key_of.emplace(groups[id], nodes[id].key).first->second, nodes[id].key);
      for (int operand : nodes[id].operands) EXPECT_LE(groups[static_cast<size_t>(operand)], groups[id]);
    }
  }
}

// `lanes` lanes of random boxes; every lane has the bands 0, 1, 2 in order.
Picture RandomPicture(std::mt19937& random, int lanes) {
  Picture picture;
  for (int l = 0; l < lanes; ++l) {
    Lane lane{.title = "lane"};
    const auto add = [&](int band) {
      Box box{.lines = {std::string(1 + random() % 12, 'x'), "second"}, .band = band};
      const int id = static_cast<int>(lane.boxes.size());
      std::set<int> sources;
      for (unsigned i = 0; i < random() % 3 && id > 0; ++i) {
        sources.insert(static_cast<int>(random() % static_cast<unsigned>(id)));
      }
      for (int source : sources) lane.arrows.push_back({source, id, random() % 2 == 0});
      lane.boxes.push_back(std::move(box));
    };
    for (int band = 0; band < 3; ++band) {
      for (unsigned i = 0; i < random() % 6; ++i) add(-1);
      add(band);
    }
    for (unsigned i = 0; i < random() % 6; ++i) add(-1);
    picture.lanes.push_back(std::move(lane));
  }
  return picture;
}

TEST(AssignRows, ArrowsLeadDownAndABandHasARowToItself) {
  std::mt19937 random(11);
  for (int round = 0; round < 100; ++round) {
    const Picture picture = RandomPicture(random, 1 + round % 3);
    const Rows rows = AssignRows(picture);
    std::map<int, std::set<int>> bands_in_row;  // -1: boxes of no band
    std::map<int, std::set<int>> rows_of_band;
    for (size_t l = 0; l < picture.lanes.size(); ++l) {
      for (const Arrow& arrow : picture.lanes[l].arrows) {
        EXPECT_LT(rows.of[l][static_cast<size_t>(arrow.from)], rows.of[l][static_cast<size_t>(arrow.to)]);
      }
      for (size_t b = 0; b < picture.lanes[l].boxes.size(); ++b) {
        ASSERT_LT(rows.of[l][b], rows.count);
        ASSERT_GE(rows.of[l][b], 0);
        bands_in_row[rows.of[l][b]].insert(picture.lanes[l].boxes[b].band);
        rows_of_band[picture.lanes[l].boxes[b].band].insert(rows.of[l][b]);
      }
    }
    for (const auto& [row, bands] : bands_in_row) EXPECT_EQ(bands.size(), 1u) << "row " << row;
    for (int band = 0; band < 3; ++band) EXPECT_EQ(rows_of_band[band].size(), 1u) << "band " << band;
  }
}

TEST(LayOut, BoxesDoNotOverlapAndStayInTheirLanes) {
  std::mt19937 random(13);
  for (int round = 0; round < 50; ++round) {
    const Picture picture = RandomPicture(random, 1 + round % 3);
    const PlacedPicture placed = LayOut(picture);
    double right_of_last = 0;
    for (size_t l = 0; l < placed.lanes.size(); ++l) {
      const PlacedLane& lane = placed.lanes[l];
      EXPECT_GE(lane.corner.x, right_of_last);
      right_of_last = lane.corner.x + lane.width;
      EXPECT_LE(right_of_last, placed.width + 1e-9);
      for (size_t b = 0; b < lane.boxes.size(); ++b) {
        const PlacedBox& box = lane.boxes[b];
        EXPECT_GE(box.corner.x, lane.corner.x);
        EXPECT_LE(box.corner.x + box.width, right_of_last + 1e-9);
        EXPECT_LE(box.corner.y + box.height, lane.corner.y + lane.height + 1e-9);
        for (size_t other = 0; other < b; ++other) {
          const PlacedBox& o = lane.boxes[other];
          const bool beside = o.corner.x + o.width <= box.corner.x || box.corner.x + box.width <= o.corner.x;
          const bool above = o.corner.y + o.height <= box.corner.y || box.corner.y + box.height <= o.corner.y;
          EXPECT_TRUE(beside || above) << "boxes " << other << " and " << b;
        }
      }
      for (size_t a = 0; a < lane.arrows.size(); ++a) {
        const PlacedBox& from = lane.boxes[static_cast<size_t>(picture.lanes[l].arrows[a].from)];
        EXPECT_NEAR(lane.arrows[a].front().y, from.corner.y + from.height, 1e-9);
        EXPECT_LT(lane.arrows[a].front().y, lane.arrows[a].back().y);
      }
    }
  }
}

TEST(ToSvg, IsWellFormedWhateverTheTextsAre) {
  const std::string hostile = "a<b>&\"c\"</text>&amp;\x01";
  Lane inside{.title = hostile, .boxes = {{.lines = {hostile}}}};
  Picture picture{.title = hostile, .lanes = {{.title = hostile}}};
  picture.lanes[0].boxes = {{.kind = BoxKind::kInput, .lines = {hostile, hostile}, .tooltip = hostile},
                            {.kind = BoxKind::kRegion, .lines = {"case"}, .insides = {inside, inside}}};
  picture.lanes[0].arrows = {{0, 1, true}};
  EXPECT_EQ(XmlFault(ToSvg(picture)), "");
  EXPECT_EQ(XmlFault(ToSvg({})), "");
  EXPECT_EQ(XmlFault(ToSvg({.lanes = {{}}})), "");
}

}  // namespace
}  // namespace replicator
