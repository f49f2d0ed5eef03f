# L-BFGS-B 3.0, translated to C by Stephen Becker (BSD licence), from the Rust crate that carries it: s4r_lbfgsb.
include(crate)
set(S4R_LBFGSB_VERSION 0.1.1)
set(S4R_LBFGSB_SHA256 70b0d1a3440f0ad7ec488c97ccd03e1d76f0114342be1a5fa17442b0b25e075f)

# What the crate's Rust side needs is of no use here.
s4r_download_crate(lbfgsb_source lbfgsb ${S4R_LBFGSB_VERSION} ${S4R_LBFGSB_SHA256} WITHOUT anyhow@1.0.0 bindgen@0.65.1 cc@1.0.0)
set(lbfgsb_folder ${lbfgsb_source}/lib/src)
foreach(name IN ITEMS lbfgsb linesearch subalgorithms print linpack miniCBLAS timer)
  list(APPEND lbfgsb_sources ${lbfgsb_folder}/${name}.c)
endforeach()
add_library(s4r_lbfgsb STATIC ${lbfgsb_sources})
target_include_directories(s4r_lbfgsb SYSTEM PUBLIC ${lbfgsb_folder})
set_target_properties(s4r_lbfgsb PROPERTIES C_VISIBILITY_PRESET hidden EXPORT_COMPILE_COMMANDS OFF)
target_compile_options(s4r_lbfgsb PRIVATE -ffp-contract=off -w)
