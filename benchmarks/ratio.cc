#include "ratio.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "replicator/base/error.h"

namespace replicator::bench {

double SecondsOf(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

Ratio Compare(Ratio what, int pairs, int steps, const Sample& ours, const Sample& peer) {
  std::vector<double> ratios, differences;
  for (int pair = -1; pair < pairs; ++pair) {
    double mine = 0, theirs = 0;
    if (pair % 2 == 0) {
      mine = ours();
      theirs = peer();
    } else {
      theirs = peer();
      mine = ours();
    }
    if (pair < 0) continue;
    ratios.push_back(mine / theirs);
    differences.push_back((mine - theirs) / steps * 1e6);
  }
  what.samples = pairs;
  what.ratio = Median(ratios);
  what.difference_us = Median(differences);
  return what;
}

void Print(const Ratio& r) {
  if (!r.missing.empty()) {
    std::printf("%-44s against %-24s missing: %s\n", r.name.c_str(), r.against.c_str(), r.missing.c_str());
  } else {
    const std::string allowed = " or " + std::to_string(static_cast<int>(r.allowed_us)) + " us";
    std::printf("%-44s against %-24s %6.3f (limit %.2f%s) %+9.1f us per step, %d pairs  %s\n", r.name.c_str(),
                r.against.c_str(), r.ratio, r.limit, r.allowed_us > 0 ? allowed.c_str() : "", r.difference_us,
                r.samples, r.within() ? "ok" : "OVER");
  }
  std::fflush(stdout);
}

void Write(const std::string& path, const std::vector<Ratio>& results) {
  nlohmann::json list = nlohmann::json::array();
  for (const Ratio& r : results) {
    nlohmann::json row{{"name", r.name}, {"against", r.against}, {"limit", r.limit}, {"samples", r.samples}};
    row["ratio"] = r.missing.empty() ? nlohmann::json(r.ratio) : nlohmann::json(nullptr);
    row["difference_us"] = r.difference_us;
    row["within_limit"] = r.within();
    if (r.allowed_us > 0) row["allowed_us"] = r.allowed_us;
    if (!r.missing.empty()) row["missing"] = r.missing;
    list.push_back(std::move(row));
  }
  std::ofstream out(path);
  out << list.dump(2) << "\n";
  out.close();
  if (!out) throw Error(ErrorCode::kUnavailable, "cannot write " + path);
}

}  // namespace replicator::bench
