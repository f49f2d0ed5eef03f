# OSQP 1.x, the QP solver: s4r::osqp. Taken from, in this order:
#   1. S4R_OSQP_SOURCE, a source folder you name (with S4R_QDLDL_SOURCE for its linear solver);
#   2. an installed OSQP 1.x (conda, brew, vcpkg);
#   3. the C sources inside the Rust crate osqp-sys and the Python source package qdldl (osqp-download.cmake).
set(S4R_OSQP_SOURCE "" CACHE PATH "OSQP 1.x source folder; empty: installed or downloaded")
set(S4R_QDLDL_SOURCE "" CACHE PATH "QDLDL 0.1.x source folder for S4R_OSQP_SOURCE; empty: downloaded")

# A function, so that nothing of what OSQP's own scripts need leaks into our build.
function(s4r_build_osqp osqp_source qdldl_source)
  if(NOT EXISTS ${osqp_source}/CMakeLists.txt OR NOT EXISTS ${qdldl_source}/CMakeLists.txt)
    message(FATAL_ERROR "No CMakeLists.txt in the OSQP source ${osqp_source} or in the QDLDL source ${qdldl_source}.")
  endif()
  # OSQP asks FetchContent for QDLDL; this answers with the folder we have.
  set(FETCHCONTENT_SOURCE_DIR_QDLDL ${qdldl_source} CACHE PATH "QDLDL as OSQP's build finds it" FORCE)
  mark_as_advanced(FETCHCONTENT_SOURCE_DIR_QDLDL)
  # A library must neither catch Ctrl-C nor print; the rest is not needed.
  foreach(off IN ITEMS ENABLE_INTERRUPT ENABLE_PRINTING ENABLE_DERIVATIVES CODEGEN BUILD_SHARED_LIB BUILD_DEMO_EXE BUILD_UNITTESTS)
    set(OSQP_${off} OFF CACHE BOOL "Set by s4r" FORCE)
    mark_as_advanced(OSQP_${off})
  endforeach()
  set(CMAKE_C_FLAGS "${CMAKE_C_FLAGS} -ffp-contract=off -w")
  set(CMAKE_C_VISIBILITY_PRESET hidden)
  set(CMAKE_EXPORT_COMPILE_COMMANDS OFF)
  set(CMAKE_MESSAGE_LOG_LEVEL WARNING)
  set(CMAKE_WARN_DEPRECATED OFF)
  add_subdirectory(${osqp_source} ${CMAKE_BINARY_DIR}/osqp EXCLUDE_FROM_ALL)
endfunction()

if(S4R_OSQP_SOURCE)
  set(osqp_from ${S4R_OSQP_SOURCE})
else()
  find_package(osqp 1.0 CONFIG QUIET)
endif()

if(osqp_FOUND)
  set(osqp_from "installed ${osqp_VERSION} in ${osqp_DIR}")
else()
  include(osqp-download)
  if(NOT S4R_OSQP_SOURCE)
    s4r_download_osqp(osqp_source)
    set(osqp_from "crate osqp-sys ${S4R_OSQP_SYS_VERSION}")
  else()
    set(osqp_source ${S4R_OSQP_SOURCE})
  endif()
  if(S4R_QDLDL_SOURCE)
    set(qdldl_source ${S4R_QDLDL_SOURCE})
  else()
    s4r_download_qdldl(qdldl_source)
  endif()
  s4r_build_osqp(${osqp_source} ${qdldl_source})
endif()
message(STATUS "OSQP: ${osqp_from}")

add_library(s4r_osqp INTERFACE)
add_library(s4r::osqp ALIAS s4r_osqp)
foreach(target IN ITEMS osqp::osqpstatic osqp::osqp osqpstatic)
  if(TARGET ${target})
    target_link_libraries(s4r_osqp INTERFACE ${target})
    # Its headers are not ours to warn about.
    target_include_directories(s4r_osqp SYSTEM INTERFACE $<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>)
    return()
  endif()
endforeach()
message(FATAL_ERROR "OSQP (${osqp_from}) offers neither a static nor a shared library. "
  "Name a source folder with -DS4R_OSQP_SOURCE=... instead.")
