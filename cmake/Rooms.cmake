# A room is a folder of src/ with its public headers in include/replicator/<room>. Each room is one target whose include
# path holds nothing but its own two folders (through links in the build tree) and those of the rooms it uses, so that
# an include against the direction of the arrows fails to compile.
#
#   replicator_room(<name> [USES <rooms>...] [LINK <libraries>...])
#
# Sources are src/<name>/*.cc; src/<name>/*_test.cc become one test program, <name>_test, that may also link whatever
# is named in the variable <name>_TEST_LINK. src/<name>/*_host_test.cc become a program of their own, <name>_host_test: what
# a room that executes plugins has to test without one, under the sanitizers too.
set_property(GLOBAL PROPERTY replicator_rooms "")
set(replicator_plugin_rooms pjrt platforms runtime replicators)
set(replicator_thread_rooms data io store)

function(replicator_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LINK" ${ARGN})
  set(view ${CMAKE_BINARY_DIR}/rooms/${name})
  file(MAKE_DIRECTORY ${view}/replicator ${CMAKE_SOURCE_DIR}/src/${name} ${CMAKE_SOURCE_DIR}/include/replicator/${name})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/${name} ${view}/${name} SYMBOLIC)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include/replicator/${name} ${view}/replicator/${name} SYMBOLIC)

  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")

  list(TRANSFORM ROOM_USES PREPEND replicator_ OUTPUT_VARIABLE uses)
  if(sources)
    add_library(replicator_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(replicator_${name} PRIVATE replicator_flags)
  else()
    add_library(replicator_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(replicator_${name} ${scope} ${view})
  target_link_libraries(replicator_${name} ${scope} ${uses} ${ROOM_LINK})
  set_property(GLOBAL APPEND PROPERTY replicator_rooms ${name})

  set(host_tests ${tests})
  list(FILTER tests EXCLUDE REGEX "_host_test\\.cc$")
  list(FILTER host_tests INCLUDE REGEX "_host_test\\.cc$")
  if(REPLICATOR_BUILD_TESTS AND host_tests)
    replicator_test(${name}_host_test SOURCES ${host_tests} LABELS unit threads LINK replicator_${name})
  endif()
  if(REPLICATOR_BUILD_TESTS AND tests)
    set(labels unit)
    if(name IN_LIST replicator_plugin_rooms)
      set(labels plugin)
    elseif(name IN_LIST replicator_thread_rooms)
      list(APPEND labels threads)
    endif()
    replicator_test(${name}_test SOURCES ${tests} LABELS ${labels} LINK replicator_${name} ${${name}_TEST_LINK})
  endif()
endfunction()

# A GoogleTest program and its CTest entry, which has the program's name without "_test":
#
#   replicator_test(<name>_test SOURCES <files>... LABELS <labels>... [LINK <libraries>...] [TIMEOUT <seconds>])
#
# Labels: `plugin` for what executes a PJRT plugin (a plugin's own code cannot run under the sanitizers), else `unit` or
# whatever fits; `threads` as well for what `make tsan` runs; `soak` for what `make soak` repeats with REPLICATOR_SOAK=1.
add_custom_target(tests_without_plugin)
add_custom_target(tests_of_threads)
function(replicator_test program)
  cmake_parse_arguments(TEST "" "TIMEOUT" "SOURCES;LABELS;LINK" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 300)
  endif()
  add_executable(${program} ${TEST_SOURCES})
  target_link_libraries(${program} PRIVATE ${TEST_LINK} replicator_flags GTest::gmock GTest::gtest_main)
  string(REGEX REPLACE "_test$" "" name ${program})
  add_test(NAME ${name} COMMAND ${program})
  set_tests_properties(${name} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${TEST_TIMEOUT})
  if(NOT plugin IN_LIST TEST_LABELS)
    add_dependencies(tests_without_plugin ${program})
  endif()
  if(threads IN_LIST TEST_LABELS)
    add_dependencies(tests_of_threads ${program})
  endif()
endfunction()

# What a user links: every room, and the umbrella header.
function(replicator_library)
  add_library(replicator INTERFACE)
  add_library(replicator::replicator ALIAS replicator)
  get_property(rooms GLOBAL PROPERTY replicator_rooms)
  list(TRANSFORM rooms PREPEND replicator_)
  target_link_libraries(replicator INTERFACE ${rooms})
  target_include_directories(replicator INTERFACE ${CMAKE_SOURCE_DIR}/include)
endfunction()

# A program of ours (example, tool, benchmark, integration test): the library, our flags, and tcmalloc, which halves the
# time of steps with large buffers (docs/impl.md, "Memory").
function(replicator_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE replicator::replicator replicator_flags)
  if(NOT REPLICATOR_SANITIZER)
    target_link_libraries(${name} PRIVATE replicator_tcmalloc)
  endif()
endfunction()
