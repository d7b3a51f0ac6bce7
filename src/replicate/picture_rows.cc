#include "replicate/picture_rows.h"

#include <algorithm>
#include <map>
#include <set>

namespace replicator {
namespace {

// Even levels hold plain boxes, odd ones a band each.
class Levels {
 public:
  explicit Levels(const Picture& picture) : picture_(picture) {
    for (const Lane& lane : picture.lanes) level_.emplace_back(lane.boxes.size(), 0);
  }

  std::vector<std::vector<int>> Run() {
    while (Lower()) {
    }
    PullDown();
    return level_;
  }

 private:
  // Moves boxes below what leads to them, and the boxes of a band to one level of their own. Whether anything moved.
  bool Lower() {
    bool moved = false;
    std::map<int, int> band_level;
    for (size_t l = 0; l < level_.size(); ++l) {
      const Lane& lane = picture_.lanes[l];
      std::vector<std::vector<int>> sources(lane.boxes.size());
      for (const Arrow& arrow : lane.arrows) sources[static_cast<size_t>(arrow.to)].push_back(arrow.from);
      for (size_t b = 0; b < lane.boxes.size(); ++b) {
        int& level = level_[l][b];
        for (int source : sources[b]) moved |= Raise(level, level_[l][static_cast<size_t>(source)] + 1);
        const bool is_band = lane.boxes[b].band >= 0;
        if ((level % 2 == 1) != is_band) moved |= Raise(level, level + 1);
        if (is_band) band_level[lane.boxes[b].band] = std::max(band_level[lane.boxes[b].band], level);
      }
    }
    std::set<int> taken;
    for (auto& [band, level] : band_level) {  // bands are numbered in program order
      while (!taken.insert(level).second) level += 2;
    }
    for (size_t l = 0; l < level_.size(); ++l) {
      for (size_t b = 0; b < level_[l].size(); ++b) {
        const int band = picture_.lanes[l].boxes[b].band;
        if (band >= 0) moved |= Raise(level_[l][b], band_level[band]);
      }
    }
    return moved;
  }

  static bool Raise(int& level, int at_least) {
    if (level >= at_least) return false;
    level = at_least;
    return true;
  }

  void PullDown() {
    for (size_t l = 0; l < level_.size(); ++l) {
      const Lane& lane = picture_.lanes[l];
      std::map<int, int> first_user;  // its level, by source
      std::set<int> has_source;
      for (const Arrow& arrow : lane.arrows) {
        has_source.insert(arrow.to);
        const int level = level_[l][static_cast<size_t>(arrow.to)];
        const auto [found, inserted] = first_user.emplace(arrow.from, level);
        if (!inserted) found->second = std::min(found->second, level);
      }
      for (const auto& [box, level] : first_user) {
        if (has_source.contains(box) || lane.boxes[static_cast<size_t>(box)].band >= 0) continue;
        level_[l][static_cast<size_t>(box)] = level % 2 == 0 ? level - 2 : level - 1;
      }
    }
  }

  const Picture& picture_;
  std::vector<std::vector<int>> level_;
};

}  // namespace

Rows AssignRows(const Picture& picture) {
  Rows rows{.count = 0, .of = Levels(picture).Run()};
  std::map<int, int> row_of_level;
  for (const auto& lane : rows.of) {
    for (int level : lane) row_of_level[level] = 0;
  }
  for (auto& [level, row] : row_of_level) row = rows.count++;
  for (auto& lane : rows.of) {
    for (int& level : lane) level = row_of_level[level];
  }
  return rows;
}

}  // namespace replicator
