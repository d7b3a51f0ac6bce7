// For tests only: whether a text is well-formed XML, as far as our writers use it.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace replicator {

// Empty if it is, else what is wrong and where. Elements, attributes, text and the predefined entities are known; what
// else XML has counts as wrong.
inline std::string XmlFault(std::string_view xml) {
  std::vector<std::string> open;
  size_t at = 0;
  bool any = false;
  const auto fault = [&](const std::string& what) { return what + " at offset " + std::to_string(at); };
  const auto is_entity = [&](size_t i) {
    for (std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;"}) {
      if (xml.substr(i, entity.size()) == entity) return true;
    }
    return false;
  };
  const auto name = [&] {
    const size_t begin = at;
    while (at < xml.size() && (std::isalnum(static_cast<unsigned char>(xml[at])) || xml[at] == '-')) ++at;
    return std::string(xml.substr(begin, at - begin));
  };
  while (at < xml.size()) {
    if (xml[at] != '<') {
      const char c = xml[at];
      if (c == '>' || (c == '&' && !is_entity(at))) return fault("unescaped character in text");
      if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') return fault("control character");
      if (open.empty() && !std::isspace(static_cast<unsigned char>(c))) return fault("text outside the root");
      ++at;
      continue;
    }
    ++at;
    const bool closes = at < xml.size() && xml[at] == '/';
    if (closes) ++at;
    const std::string element = name();
    if (element.empty()) return fault("no element name");
    if (closes) {
      if (open.empty() || open.back() != element) return fault("</" + element + "> closes nothing");
      open.pop_back();
      if (at >= xml.size() || xml[at++] != '>') return fault("'>' is missing");
      continue;
    }
    if (open.empty() && any) return fault("a second root");
    any = true;
    std::vector<std::string> attributes;
    while (at < xml.size() && xml[at] == ' ') {
      ++at;
      const std::string attribute = name();
      for (const std::string& other : attributes) {
        if (other == attribute) return fault("attribute '" + attribute + "' twice");
      }
      attributes.push_back(attribute);
      if (attribute.empty() || xml.substr(at, 2) != "=\"") return fault("no attribute");
      for (at += 2; at < xml.size() && xml[at] != '"'; ++at) {
        if (xml[at] == '<' || (xml[at] == '&' && !is_entity(at))) return fault("unescaped character in an attribute");
      }
      ++at;
    }
    if (xml.substr(at, 2) == "/>") {
      at += 2;
    } else if (at < xml.size() && xml[at] == '>') {
      ++at;
      open.push_back(element);
    } else {
      return fault("<" + element + " is not ended");
    }
  }
  return open.empty() && any ? "" : "<" + (open.empty() ? std::string("root") : open.back()) + "> is missing or open";
}

}  // namespace replicator
