# The Node addon s4r.node: a shell around the core, built against the stable Node-API, for any Node from 20 on.
find_path(S4R_NODE_API_DIR node_api.h PATHS ${S4R_NODE_MODULES}/node-api-headers/include NO_DEFAULT_PATH)
find_path(S4R_NODE_ADDON_API_DIR napi.h PATHS ${S4R_NODE_MODULES}/node-addon-api NO_DEFAULT_PATH)
if(NOT S4R_NODE_API_DIR OR NOT S4R_NODE_ADDON_API_DIR)
  message(FATAL_ERROR "The npm packages node-api-headers and node-addon-api are missing in ${S4R_NODE_MODULES}. "
    "Run npm ci, name another folder with -DS4R_NODE_MODULES=..., or configure with -DS4R_ADDON=OFF.")
endif()

file(GLOB addon_sources CONFIGURE_DEPENDS addon/*.cc)
add_library(s4r_addon MODULE ${addon_sources})
set_target_properties(s4r_addon PROPERTIES
  OUTPUT_NAME s4r PREFIX "" SUFFIX ".node" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_compile_definitions(s4r_addon PRIVATE NAPI_VERSION=8 NAPI_CPP_EXCEPTIONS)
target_include_directories(s4r_addon SYSTEM PRIVATE ${S4R_NODE_API_DIR} ${S4R_NODE_ADDON_API_DIR})
target_link_libraries(s4r_addon PRIVATE s4r_core s4r::flags Threads::Threads)
if(APPLE)
  # Node resolves its own symbols when it loads the addon.
  target_link_options(s4r_addon PRIVATE -undefined dynamic_lookup)
else()
  # OSQP's symbols stay inside, whatever else the process has loaded.
  target_link_options(s4r_addon PRIVATE -Wl,--exclude-libs,ALL)
endif()
