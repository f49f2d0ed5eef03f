# FCL 0.7 with libccd: exact collision and distance queries.
# Eigen's alignment must match the one FCL was built with, which is one more reason for no -march.
find_package(fcl 0.7 CONFIG QUIET)
if(NOT fcl_FOUND)
  message(FATAL_ERROR "FCL 0.7 is missing. Install it: "
    "Debian and Ubuntu: apt-get install libfcl-dev; macOS: brew install fcl; conda: conda install fcl.")
endif()
add_library(s4r_fcl INTERFACE)
add_library(s4r::fcl ALIAS s4r_fcl)
target_link_libraries(s4r_fcl INTERFACE fcl)
