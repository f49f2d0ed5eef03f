# OSQP's and QDLDL's C sources through the ordinary clients of the registries that carry them, pinned by SHA-256.
# Kept in S4R_DEPS_DIR, which all build folders share; a folder with the wanted name is complete and checked.
set(S4R_OSQP_SYS_VERSION 1.0.1)
set(S4R_OSQP_SYS_SHA256 7b70bc255afb17e18ccd40deb2d86e87cec78c780dcbc127f429e5f2336f1347)
set(S4R_QDLDL_VERSION 0.1.9.post1)
set(S4R_QDLDL_SHA256 da2016d541c26cefc79bca4d8b5bebfa00f35db19704abb20efbd1c08df3b4c7)

string(CONCAT osqp_other_ways "Other ways: install OSQP 1.x (conda install libosqp; brew install osqp), "
  "or name source folders with -DS4R_OSQP_SOURCE=... -DS4R_QDLDL_SOURCE=...")

# Runs a download in a scratch folder; what a failed one leaves behind is never taken for a finished one.
macro(s4r_fresh_folder scratch)
  file(REMOVE_RECURSE ${scratch})
  file(MAKE_DIRECTORY ${scratch})
endmacro()

function(s4r_run what scratch)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${scratch} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    # CMake leaves indented lines as they are.
    string(REPLACE "\n" "\n  " output "${output}")
    message(FATAL_ERROR "Cannot download ${what}. The command\n  ${command}\nfailed (${code}):\n  ${output}\n${osqp_other_ways}")
  endif()
endfunction()

# osqp-sys declares no dependency we use; `cargo vendor` unpacks it, checked against the registry's index.
function(s4r_download_osqp result)
  file(LOCK ${S4R_DEPS_DIR} DIRECTORY GUARD FUNCTION TIMEOUT 600)
  set(done ${S4R_DEPS_DIR}/osqp-sys-${S4R_OSQP_SYS_VERSION})
  set(${result} ${done}/osqp PARENT_SCOPE)
  if(EXISTS ${done})
    return()
  endif()
  find_program(S4R_CARGO cargo)
  if(NOT S4R_CARGO)
    message(FATAL_ERROR "cargo (1.70 or later), which fetches OSQP's sources, is missing. Install it: Debian 12: "
      "apt-get install cargo-web; later Debian and Ubuntu: apt-get install cargo; macOS: brew install rust. ${osqp_other_ways}")
  endif()
  # Before 1.70, cargo would first clone the whole index of the registry.
  execute_process(COMMAND ${S4R_CARGO} --version OUTPUT_VARIABLE cargo_version)
  string(REGEX MATCH "[0-9]+\\.[0-9]+" cargo_version "${cargo_version}")
  if(cargo_version VERSION_LESS 1.70)
    message(FATAL_ERROR "${S4R_CARGO} is version ${cargo_version}; fetching OSQP's sources needs 1.70 or later "
      "(Debian 12: apt-get install cargo-web). ${osqp_other_ways}")
  endif()
  set(scratch ${S4R_DEPS_DIR}/osqp-sys.tmp)
  s4r_fresh_folder(${scratch})
  file(WRITE ${scratch}/lib.rs "")
  file(WRITE ${scratch}/Cargo.toml "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2018\"\n[lib]\npath = \"lib.rs\"\n"
    "[workspace]\n[dependencies]\nosqp-sys = \"=${S4R_OSQP_SYS_VERSION}\"\n")
  s4r_run("the crate osqp-sys" ${scratch} ${S4R_CARGO} vendor vendor)
  file(READ ${scratch}/vendor/osqp-sys/.cargo-checksum.json checksums)
  string(JSON sha256 GET "${checksums}" package)
  if(NOT sha256 STREQUAL S4R_OSQP_SYS_SHA256)
    message(FATAL_ERROR "The crate osqp-sys has SHA-256 ${sha256}, expected ${S4R_OSQP_SYS_SHA256}. It is not used.")
  endif()
  file(RENAME ${scratch}/vendor/osqp-sys ${done})
  file(REMOVE_RECURSE ${scratch})
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
  s4r_run("the Python source package qdldl" ${scratch}
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
