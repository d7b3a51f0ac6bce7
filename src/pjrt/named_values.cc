#include "pjrt/named_values.h"

#include <sstream>

namespace replicator::pjrt {
namespace {

template <typename... Ts>
struct Overload : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overload(Ts...) -> Overload<Ts...>;

}  // namespace

std::string ToString(const OptionValue& value) {
  std::ostringstream text;
  std::visit(Overload{[&](bool v) { text << (v ? "true" : "false"); }, [&](int64_t v) { text << v; },
                      [&](double v) { text << v; }, [&](const std::string& v) { text << "'" << v << "'"; },
                      [&](const std::vector<int64_t>& v) {
                        text << "[";
                        for (size_t i = 0; i < v.size(); ++i) text << (i == 0 ? "" : ",") << v[i];
                        text << "]";
                      }},
             value);
  return text.str();
}

std::vector<PJRT_NamedValue> ToNamedValues(const Options& options) {
  std::vector<PJRT_NamedValue> values;
  values.reserve(options.size());
  for (const auto& [name, value] : options) {
    PJRT_NamedValue out{};
    out.struct_size = PJRT_NamedValue_STRUCT_SIZE;
    out.name = name.data();
    out.name_size = name.size();
    out.value_size = 1;
    std::visit(Overload{[&](bool v) {
                          out.type = PJRT_NamedValue_kBool;
                          out.bool_value = v;
                        },
                        [&](int64_t v) {
                          out.type = PJRT_NamedValue_kInt64;
                          out.int64_value = v;
                        },
                        [&](double v) {
                          out.type = PJRT_NamedValue_kFloat;
                          out.float_value = static_cast<float>(v);
                        },
                        [&](const std::string& v) {
                          out.type = PJRT_NamedValue_kString;
                          out.string_value = v.data();
                          out.value_size = v.size();
                        },
                        [&](const std::vector<int64_t>& v) {
                          out.type = PJRT_NamedValue_kInt64List;
                          out.int64_array_value = v.data();
                          out.value_size = v.size();
                        }},
               value);
    values.push_back(out);
  }
  return values;
}

Options FromNamedValues(std::span<const PJRT_NamedValue> values) {
  Options options;
  for (const PJRT_NamedValue& value : values) {
    const std::string name(value.name, value.name_size);
    switch (value.type) {
      case PJRT_NamedValue_kString:
        options[name] = std::string(value.string_value, value.value_size);
        break;
      case PJRT_NamedValue_kInt64:
        options[name] = value.int64_value;
        break;
      case PJRT_NamedValue_kInt64List:
        options[name] = std::vector<int64_t>(value.int64_array_value, value.int64_array_value + value.value_size);
        break;
      case PJRT_NamedValue_kFloat:
        options[name] = static_cast<double>(value.float_value);
        break;
      case PJRT_NamedValue_kBool:
        options[name] = value.bool_value;
        break;
    }
  }
  return options;
}

}  // namespace replicator::pjrt
