# C sources that Rust crates carry, through cargo, pinned by SHA-256. Kept in S4R_DEPS_DIR, which all build folders share;
# a folder with the wanted name is complete and checked.

# Runs a download in a scratch folder; what a failed one leaves behind is never taken for a finished one.
macro(s4r_fresh_folder scratch)
  file(REMOVE_RECURSE ${scratch})
  file(MAKE_DIRECTORY ${scratch})
endmacro()

# `hint` ends the message of a failure.
function(s4r_run what scratch hint)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${scratch} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    # CMake leaves indented lines as they are.
    string(REPLACE "\n" "\n  " output "${output}")
    message(FATAL_ERROR "Cannot download ${what}. The command\n  ${command}\nfailed (${code}):\n  ${output}\n${hint}")
  endif()
endfunction()

# Sets `result` to the crate's folder. `cargo vendor` unpacks it, checked against the registry's index.
# s4r_download_crate(result name version sha256 [HINT text] [WITHOUT dependency@version ...])
# WITHOUT: dependencies of the crate's Rust code that need not come along; empty crates stand in for them.
function(s4r_download_crate result name version sha256)
  cmake_parse_arguments(PARSE_ARGV 4 crate "" "HINT" "WITHOUT")
  file(LOCK ${S4R_DEPS_DIR} DIRECTORY GUARD FUNCTION TIMEOUT 600)
  set(done ${S4R_DEPS_DIR}/${name}-${version})
  set(${result} ${done} PARENT_SCOPE)
  if(EXISTS ${done})
    return()
  endif()
  find_program(S4R_CARGO cargo)
  if(NOT S4R_CARGO)
    message(FATAL_ERROR "cargo (1.70 or later), which fetches the sources of ${name}, is missing. Install it: Debian 12: "
      "apt-get install cargo-web; later Debian and Ubuntu: apt-get install cargo; macOS: brew install rust. ${crate_HINT}")
  endif()
  # Before 1.70, cargo would first clone the whole index of the registry.
  execute_process(COMMAND ${S4R_CARGO} --version OUTPUT_VARIABLE cargo_version)
  string(REGEX MATCH "[0-9]+\\.[0-9]+" cargo_version "${cargo_version}")
  if(cargo_version VERSION_LESS 1.70)
    message(FATAL_ERROR "${S4R_CARGO} is version ${cargo_version}; fetching the sources of ${name} needs 1.70 or later "
      "(Debian 12: apt-get install cargo-web). ${crate_HINT}")
  endif()
  set(scratch ${S4R_DEPS_DIR}/${name}.tmp)
  s4r_fresh_folder(${scratch})
  set(manifest "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2018\"\n[lib]\npath = \"lib.rs\"\n"
    "[workspace]\n[dependencies]\n${name} = \"=${version}\"\n[patch.crates-io]\n")
  foreach(stub IN LISTS crate_WITHOUT)
    string(REPLACE "@" ";" stub "${stub}")
    list(GET stub 0 stub_name)
    list(GET stub 1 stub_version)
    list(APPEND manifest "${stub_name} = { path = \"${stub_name}\" }\n")
    file(WRITE ${scratch}/${stub_name}/lib.rs "")
    file(WRITE ${scratch}/${stub_name}/Cargo.toml
      "[package]\nname = \"${stub_name}\"\nversion = \"${stub_version}\"\nedition = \"2018\"\n[lib]\npath = \"lib.rs\"\n")
  endforeach()
  file(WRITE ${scratch}/lib.rs "")
  file(WRITE ${scratch}/Cargo.toml ${manifest})
  s4r_run("the crate ${name}" ${scratch} "${crate_HINT}" ${S4R_CARGO} vendor vendor)
  file(READ ${scratch}/vendor/${name}/.cargo-checksum.json checksums)
  string(JSON found GET "${checksums}" package)
  if(NOT found STREQUAL sha256)
    message(FATAL_ERROR "The crate ${name} has SHA-256 ${found}, expected ${sha256}. It is not used.")
  endif()
  file(RENAME ${scratch}/vendor/${name} ${done})
  file(REMOVE_RECURSE ${scratch})
endfunction()
