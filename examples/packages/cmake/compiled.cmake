# SPDX-License-Identifier: BSD-2-Clause
# librocecc.a and librocecc.so of the same object. Each function has a section of its own:
# of the archive a program keeps those that it uses (-Wl,--gc-sections).
include(CheckCCompilerFlag)
add_library(rocecc_object OBJECT "${top}/examples/packages/librocecc.c")
target_link_libraries(rocecc_object PRIVATE rocecc)
set_target_properties(rocecc_object PROPERTIES C_STANDARD 99 POSITION_INDEPENDENT_CODE ON)
foreach(flag -ffunction-sections -fdata-sections -fno-semantic-interposition)
    string(MAKE_C_IDENTIFIER "rocecc${flag}" has)
    check_c_compiler_flag(${flag} ${has})
    if(${has})
        target_compile_options(rocecc_object PRIVATE ${flag})
    endif()
endforeach()

add_library(rocecc_compiled STATIC $<TARGET_OBJECTS:rocecc_object>)
add_library(rocecc_shared SHARED $<TARGET_OBJECTS:rocecc_object>)
set_target_properties(rocecc_shared PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
foreach(kind compiled shared)
    set_target_properties(rocecc_${kind} PROPERTIES
        EXPORT_NAME ${kind} OUTPUT_NAME rocecc LINKER_LANGUAGE C)
    target_link_libraries(rocecc_${kind} INTERFACE rocecc)
    target_compile_definitions(rocecc_${kind} INTERFACE ROCECC_FN=inline)
    add_library(rocecc::${kind} ALIAS rocecc_${kind})
endforeach()
install(TARGETS rocecc_compiled rocecc_shared EXPORT rocecc)

set(LIBDIR "${CMAKE_INSTALL_FULL_LIBDIR}")
configure_file("../rocecc-compiled.pc.in" rocecc-compiled.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/rocecc-compiled.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
