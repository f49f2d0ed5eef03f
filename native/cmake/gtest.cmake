# GoogleTest: GTest::gtest_main.
find_package(GTest QUIET)
if(NOT GTest_FOUND)
  message(FATAL_ERROR "GoogleTest is missing. Install it (Debian and Ubuntu: apt-get install libgtest-dev; "
    "macOS: brew install googletest; conda: conda install gtest), or configure with -DS4R_TESTS=OFF.")
endif()
