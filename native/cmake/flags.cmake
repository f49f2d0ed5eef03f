# Compile and link flags of our own code: s4r::flags.
add_library(s4r_flags INTERFACE)
add_library(s4r::flags ALIAS s4r_flags)

# Same bits on every machine: no contraction to FMA, and no -march, so that the build runs on any CPU of its kind.
target_compile_options(s4r_flags INTERFACE -Wall -Wextra -ffp-contract=off)
if(S4R_WERROR)
  target_compile_options(s4r_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms from Eigen expressions once they are inlined.
  target_compile_options(s4r_flags INTERFACE -Wno-maybe-uninitialized)
endif()

if(S4R_SANITIZE)
  list(JOIN S4R_SANITIZE "," sanitizers)
  # The first finding ends the run, so that a test cannot pass over it.
  target_compile_options(s4r_flags INTERFACE -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_definitions(s4r_flags INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(s4r_flags INTERFACE -fsanitize=${sanitizers})
endif()
