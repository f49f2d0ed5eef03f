# OSQP's and QDLDL's C sources through the ordinary clients of the registries that carry them, pinned by SHA-256.
# Kept as crate.cmake says.
include(crate)
set(S4R_OSQP_SYS_VERSION 1.0.1)
set(S4R_OSQP_SYS_SHA256 7b70bc255afb17e18ccd40deb2d86e87cec78c780dcbc127f429e5f2336f1347)
set(S4R_QDLDL_VERSION 0.1.9.post1)
set(S4R_QDLDL_SHA256 da2016d541c26cefc79bca4d8b5bebfa00f35db19704abb20efbd1c08df3b4c7)

string(CONCAT osqp_other_ways "Other ways: install OSQP 1.x (conda install libosqp; brew install osqp), "
  "or name source folders with -DS4R_OSQP_SOURCE=... -DS4R_QDLDL_SOURCE=...")

# osqp-sys declares no dependency we use.
function(s4r_download_osqp result)
  s4r_download_crate(crate osqp-sys ${S4R_OSQP_SYS_VERSION} ${S4R_OSQP_SYS_SHA256} HINT "${osqp_other_ways}")
  set(${result} ${crate}/osqp PARENT_SCOPE)
endfunction()

# pip checks the hash before it looks inside.
function(s4r_download_qdldl result)
  file(LOCK ${S4R_DEPS_DIR} DIRECTORY GUARD FUNCTION TIMEOUT 600)
  set(done ${S4R_DEPS_DIR}/qdldl-${S4R_QDLDL_VERSION})
  set(${result} ${done}/c/qdldl PARENT_SCOPE)
  if(EXISTS ${done})
    return()
  endif()
  find_program(S4R_PYTHON NAMES python3 python)
  if(NOT S4R_PYTHON)
    message(FATAL_ERROR "Python 3 with pip, which fetches QDLDL's sources, is missing. "
      "Install it: Debian and Ubuntu: apt-get install python3-pip. ${osqp_other_ways}")
  endif()
  set(scratch ${S4R_DEPS_DIR}/qdldl.tmp)
  s4r_fresh_folder(${scratch})
  file(WRITE ${scratch}/requirements.txt "qdldl==${S4R_QDLDL_VERSION} --hash=sha256:${S4R_QDLDL_SHA256}\n")
  s4r_run("the Python source package qdldl" ${scratch} "${osqp_other_ways}"
    ${S4R_PYTHON} -m pip download --quiet --no-deps --no-binary qdldl --require-hashes -r requirements.txt)
  set(archive ${scratch}/qdldl-${S4R_QDLDL_VERSION}.tar.gz)
  file(SHA256 ${archive} sha256)
  if(NOT sha256 STREQUAL S4R_QDLDL_SHA256)
    message(FATAL_ERROR "qdldl has SHA-256 ${sha256}, expected ${S4R_QDLDL_SHA256}. It is not used.")
  endif()
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${scratch})
  file(RENAME ${scratch}/qdldl-${S4R_QDLDL_VERSION} ${done})
  file(REMOVE_RECURSE ${scratch})
endfunction()
