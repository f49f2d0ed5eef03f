# Node addons, and s4r.node itself: a shell around the core, built against the stable Node-API, for any Node from 20 on.
find_path(S4R_NODE_API_DIR node_api.h PATHS ${S4R_NODE_MODULES}/node-api-headers/include NO_DEFAULT_PATH)
find_path(S4R_NODE_ADDON_API_DIR napi.h PATHS ${S4R_NODE_MODULES}/node-addon-api NO_DEFAULT_PATH)
if(NOT S4R_NODE_API_DIR OR NOT S4R_NODE_ADDON_API_DIR)
  message(FATAL_ERROR "The npm packages node-api-headers and node-addon-api are missing in ${S4R_NODE_MODULES}. "
    "Run npm ci, name another folder with -DS4R_NODE_MODULES=..., or configure with -DS4R_ADDON=OFF.")
endif()

# A Node addon on the core: ${output}.node in the build folder.
function(s4r_add_node_addon target output)
  add_library(${target} MODULE ${ARGN})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${output} PREFIX "" SUFFIX ".node" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  target_compile_definitions(${target} PRIVATE NAPI_VERSION=8 NAPI_CPP_EXCEPTIONS)
  target_include_directories(${target} SYSTEM PRIVATE ${S4R_NODE_API_DIR} ${S4R_NODE_ADDON_API_DIR})
  target_link_libraries(${target} PRIVATE s4r_core s4r::flags Threads::Threads)
  if(APPLE)
    # Node resolves its own symbols when it loads the addon.
    target_link_options(${target} PRIVATE -undefined dynamic_lookup)
  else()
    # OSQP's symbols stay inside, whatever else the process has loaded.
    target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL)
  endif()
endfunction()

file(GLOB addon_sources CONFIGURE_DEPENDS addon/*.cc)
s4r_add_node_addon(s4r_addon s4r ${addon_sources})
