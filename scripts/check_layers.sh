#!/bin/bash
# check_layers.sh: checks every #include against the rooms' arrows in CMakeLists.txt. The build refuses a wrong one as well;
# this also sees headers that nothing compiles, tells the rule, and checks which room may use which third-party header.
set -euo pipefail
cd "$(dirname "$0")/.."
{
  sed -n 's/^replicator_room(\([a-z]*\)\(.*\))$/room \1 \2/p' CMakeLists.txt
  grep -rnE --include='*.h' --include='*.cc' '^[ \t]*#[ \t]*include' include/replicator/*/ src | sed 's/^/include /'
} | awk '
  $1 == "room" {
    allowed[$2, $2] = 1
    rooms[$2] = 1
    for (i = 4; i <= NF && $3 == "USES" && $i != "LINK"; ++i) {
      if (!($i in rooms)) { print "check_layers.sh: room " $2 " uses " $i ", which is not above it in CMakeLists.txt"; bad = 1 }
      for (room in rooms) if ((($i), room) in allowed) allowed[$2, room] = 1
    }
    next
  }
  {
    split($2, place, ":")
    public = place[1] ~ /^include\//
    split(place[1], path, "/")
    room = public ? path[3] : path[2]
    if (!(room in rooms)) { print place[1] ": the folder " room " is no room of CMakeLists.txt"; bad = 1; next }
    header = $0
    sub(/^[^<"]*[<"]/, "", header)
    sub(/[>"].*$/, "", header)
    where = place[1] ":" place[2] ": "
    count = split(header, part, "/")
    of = part[1] == "replicator" && count > 2 ? part[2] : part[1]
    if (of in rooms && count > 1) {
      if (!((room, of) in allowed)) { print where "the room " room " must not include " header; bad = 1 }
      if (public && part[1] != "replicator") { print where "a public header must not include the private " header; bad = 1 }
    } else if (header == "pjrt_c_api.h" && room != "pjrt" || part[1] == "spdlog" && room != "base") {
      print where header " belongs behind the room " (part[1] == "spdlog" ? "base" : "pjrt"); bad = 1
    } else if (public && part[1] ~ /^(nlohmann|spdlog|fmt|zlib.h|CLI|pjrt_c_api.h)$/) {
      print where "a public header must not need " header; bad = 1
    }
  }
  END { exit bad }'
