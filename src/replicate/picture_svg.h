// A picture as SVG.
#pragma once

#include <string>

#include "replicate/picture.h"

namespace replicator {

// A whole file: well-formed XML, the same for the same picture on every machine, complete in itself (no fonts, scripts
// or links). Tooltips are <title> elements.
std::string ToSvg(const Picture& picture);

}  // namespace replicator
