# Eigen 3: linear algebra, headers only.
find_package(Eigen3 3.3 CONFIG QUIET)
if(NOT Eigen3_FOUND)
  message(FATAL_ERROR "Eigen 3 (3.3 or later) is missing. Install it: "
    "Debian and Ubuntu: apt-get install libeigen3-dev; macOS: brew install eigen; conda: conda install eigen.")
endif()
add_library(s4r_eigen INTERFACE)
add_library(s4r::eigen ALIAS s4r_eigen)
target_link_libraries(s4r_eigen INTERFACE Eigen3::Eigen)
