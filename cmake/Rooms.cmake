# A room is a folder of src/ with its public headers in include/replicator/<room>. Each room is one target whose include
# path holds nothing but its own two folders (through links in the build tree) and those of the rooms it uses, so that
# an include against the direction of the arrows fails to compile.
#
#   replicator_room(<name> [USES <rooms>...] [LINK <libraries>...])
#
# Sources are src/<name>/*.cc; src/<name>/*_test.cc become one test program, <name>_test, that may also link whatever
# is named in the variable <name>_TEST_LINK. Tests of the rooms that execute a plugin carry the CTest label `plugin`, all
# others `unit`: a plugin's own code cannot run under the sanitizers.
set_property(GLOBAL PROPERTY replicator_rooms "")
set(replicator_plugin_rooms pjrt platforms runtime replicators)

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

  if(REPLICATOR_BUILD_TESTS AND tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE replicator_${name} replicator_flags GTest::gmock GTest::gtest_main
                                               ${${name}_TEST_LINK})
    add_test(NAME ${name} COMMAND ${name}_test)
    set(label unit)
    if(name IN_LIST replicator_plugin_rooms)
      set(label plugin)
    endif()
    set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 300)
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
