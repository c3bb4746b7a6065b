# SPDX-License-Identifier: BSD-2-Clause
# find_package(rocecc) after `make install`: the headers, wherever the prefix has gone.
if(NOT TARGET rocecc::rocecc)
    get_filename_component(_rocecc_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
    add_library(rocecc::rocecc INTERFACE IMPORTED)
    set_target_properties(rocecc::rocecc PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${_rocecc_prefix}/include")
    unset(_rocecc_prefix)
endif()
