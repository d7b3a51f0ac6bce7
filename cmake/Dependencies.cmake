# Everything taken from outside, in one place. Debian 12 packages, and the PJRT plugins that scripts/fetch_plugin.sh has
# put into build/plugins.
find_package(fmt 9.1 REQUIRED)
find_package(spdlog 1.10 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
if(REPLICATOR_BUILD_TESTS)
  find_package(GTest 1.12 REQUIRED)
endif()

set(REPLICATOR_PLUGIN_DIR ${CMAKE_SOURCE_DIR}/build/plugins CACHE PATH "Where scripts/fetch_plugin.sh put the plugins")
set_source_files_properties(src/pjrt/plugin_search.cc PROPERTIES COMPILE_DEFINITIONS REPLICATOR_PLUGIN_DIR="${REPLICATOR_PLUGIN_DIR}")
add_library(pjrt_c_api INTERFACE)
target_include_directories(pjrt_c_api SYSTEM INTERFACE ${REPLICATOR_PLUGIN_DIR}/xla_cpu_pjrt/include)
if(NOT EXISTS ${REPLICATOR_PLUGIN_DIR}/xla_cpu_pjrt/include/pjrt_c_api.h)
  message(FATAL_ERROR "pjrt_c_api.h is missing from ${REPLICATOR_PLUGIN_DIR}; run 'make plugin' (or plain 'make test')")
endif()

# Our own compile flags; never forced upon a user of the library.
add_library(replicator_flags INTERFACE)
# -Wno-restrict, -Wno-maybe-uninitialized: g++ 12 reports std::string's own operator+ (GCC bug 105651) and the default
# member initialisers of option structs in functions that may throw. -Wno-deprecated-declarations: clang reports
# libstdc++ 12's own std::stable_sort.
target_compile_options(replicator_flags INTERFACE -Wall -Wextra -Werror -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers
                       "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>" $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
target_link_libraries(replicator_flags INTERFACE Threads::Threads)
if(REPLICATOR_SANITIZER STREQUAL "address")
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(REPLICATOR_SANITIZER STREQUAL "thread")
  set(sanitize -fsanitize=thread -fno-omit-frame-pointer)
endif()
if(REPLICATOR_BUILD_FUZZERS)
  set(sanitize -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
endif()
if(sanitize)
  add_compile_options(${sanitize})
  add_link_options(${sanitize})
endif()

find_library(TCMALLOC_MINIMAL NAMES tcmalloc_minimal REQUIRED)
add_library(replicator_tcmalloc INTERFACE)
target_link_libraries(replicator_tcmalloc INTERFACE -Wl,--no-as-needed ${TCMALLOC_MINIMAL} -Wl,--as-needed)

find_program(MOLD_LINKER mold)
if(MOLD_LINKER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_link_options(-fuse-ld=mold)
endif()
