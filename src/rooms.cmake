# What CMakeLists.txt builds its table of rooms from. Of every room R with sources:
#   guard_R    lays the include path <build>/guard/R and reads R's includes (guard.cmake)
#   room_R     its objects, without main
#   room_R_ISA its *_isa.c files, compiled for the instruction set ISA
#   ks_R       the same as an archive that brings those of the rooms it sees: what tests link
#   headers_R  each header of R in a file of its own, twice; `headers` is all of them
#   link_R     R and the rooms it sees linked as a program that does nothing; it links only if
#              they need no other room, so link_kernels is the host side, link_device the device's
# headers_R and link_R are part of the architecture tests (KS_ARCHITECTURE_TESTS; preset dev).

set(KS_GUARD_DIR ${PROJECT_BINARY_DIR}/guard)
file(GLOB KS_ALL_HEADERS CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/*.h)
file(GLOB KS_FOLDERS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS
     ${CMAKE_CURRENT_SOURCE_DIR}/*)
list(FILTER KS_FOLDERS EXCLUDE REGEX "\\.") # the files beside them
set(KS_ROOMS "" CACHE INTERNAL "rooms, in the order of the table")
add_custom_target(headers)

# Version, commit, compiler: a file of its own, written anew only when one of them changes.
string(TOUPPER "CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}" flags)
set(compiler "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_SYSTEM_PROCESSOR}")
add_custom_target(build_info_refresh
    COMMAND ${CMAKE_COMMAND} -DOUT=${CMAKE_CURRENT_BINARY_DIR}/build_info.c
            -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
            "-DCOMPILER=${compiler} ${CMAKE_C_FLAGS} ${${flags}}"
            -P ${CMAKE_CURRENT_SOURCE_DIR}/build_info.cmake
    BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/build_info.c
    COMMENT "Asking git which build this is" VERBATIM)
add_library(ks_build_info STATIC ${CMAKE_CURRENT_BINARY_DIR}/build_info.c)

# All that any room links from outside. OpenMP's flag is for run alone: runners live there.
add_library(ks_libraries INTERFACE)
target_link_libraries(ks_libraries INTERFACE
    ks_build_info PkgConfig::ks_yaml ks_csv ks_xxhash ks_gmp m OpenMP::OpenMP_C)
add_library(ks_libraries_serial INTERFACE)
target_link_libraries(ks_libraries_serial INTERFACE
    ks_build_info PkgConfig::ks_yaml ks_csv ks_xxhash ks_gmp m)

# TARGET is compiled as part of ROOM: its include path, its flags.
function(ks_use_room target room)
    target_link_libraries(${target} PRIVATE ks_flags)
    target_include_directories(${target} PRIVATE ${KS_GUARD_DIR}/${room})
    target_compile_options(${target} PRIVATE -fmacro-prefix-map=${KS_GUARD_DIR}/${room}/=src/)
    add_dependencies(${target} guard_${room})
endfunction()

# Rooms that ROOM links with, itself first: those that it sees, and those that they see.
function(ks_room_closure out room)
    set(rooms ${room})
    foreach(seen IN LISTS KS_SEES_${room})
        string(REGEX REPLACE "/.*" "" folder ${seen})
        ks_room_closure(deeper ${folder})
        list(APPEND rooms ${deeper})
    endforeach()
    list(REMOVE_DUPLICATES rooms)
    set(${out} ${rooms} PARENT_SCOPE)
endfunction()

function(ks_room_objects out room)
    ks_room_closure(rooms ${room})
    set(objects "")
    foreach(r IN LISTS rooms)
        foreach(target room_${r} ${KS_ISA_TARGETS_${r}})
            if(TARGET ${target})
                list(APPEND objects $<TARGET_OBJECTS:${target}>)
            endif()
        endforeach()
    endforeach()
    set(${out} ${objects} PARENT_SCOPE)
endfunction()

function(ks_room_guard room)
    file(GLOB own CONFIGURE_DEPENDS ${room}/*)
    set(stamp ${KS_GUARD_DIR}/${room}.stamp)
    list(JOIN KS_SEES_${room} " " sees)
    list(JOIN KS_FOLDERS " " folders)
    add_custom_command(OUTPUT ${stamp}
        COMMAND ${CMAKE_COMMAND} -DROOM=${room} "-DSEES=${sees}" "-DFOLDERS=${folders}"
                -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DINTO=${KS_GUARD_DIR}/${room}
                -DSTAMP=${stamp} -P ${CMAKE_CURRENT_SOURCE_DIR}/guard.cmake
        DEPENDS ${own} ${KS_ALL_HEADERS} ${CMAKE_CURRENT_SOURCE_DIR}/guard.cmake
        COMMENT "Reading the includes of room ${room}" VERBATIM)
    add_custom_target(guard_${room} ALL DEPENDS ${stamp})
endfunction()

function(ks_room_headers room)
    file(GLOB headers RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${room}/*.h)
    set(units "")
    foreach(header IN LISTS headers)
        set(unit ${PROJECT_BINARY_DIR}/headers/${header}.c)
        file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
        list(APPEND units ${unit})
    endforeach()
    if(units)
        add_library(headers_${room} OBJECT ${units})
        ks_use_room(headers_${room} ${room})
        add_dependencies(headers headers_${room})
    endif()
endfunction()

function(ks_room_code room)
    file(GLOB sources CONFIGURE_DEPENDS ${room}/*.c)
    list(FILTER sources EXCLUDE REGEX "/cli/main\\.c$")
    if(NOT sources)
        add_library(ks_${room} INTERFACE)
        return()
    endif()
    set(isa_sources ${sources})
    list(FILTER isa_sources INCLUDE REGEX "_isa\\.c$")
    list(FILTER sources EXCLUDE REGEX "_isa\\.c$")
    add_library(room_${room} OBJECT ${sources})
    ks_use_room(room_${room} ${room})
    set(KS_ISA_TARGETS_${room} "" CACHE INTERNAL "")
    if(isa_sources)
        ks_room_isas(${room} ${isa_sources})
    endif()
    set(objects $<TARGET_OBJECTS:room_${room}>)
    foreach(target IN LISTS KS_ISA_TARGETS_${room})
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endforeach()
    add_library(ks_${room} STATIC ${objects})
    set_target_properties(ks_${room} PROPERTIES LINKER_LANGUAGE C)
    if(KS_ARCHITECTURE_TESTS)
        ks_room_links_alone(${room})
    endif()
endfunction()

function(ks_room_links_alone room)
    ks_room_objects(objects ${room})
    set(nothing ${PROJECT_BINARY_DIR}/nothing.c)
    file(CONFIGURE OUTPUT ${nothing} CONTENT "int main(void) { return 0; }\n")
    add_executable(link_${room} ${nothing} ${objects})
    target_link_libraries(link_${room} PRIVATE ks_libraries)
    set_target_properties(link_${room} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/link)
endfunction()

# Sources named *_isa.c are compiled once for each instruction set, as room_R_SET with -DKS_ISA=SET
# -DKS_ISA_NAME="..."; a set is called only after __builtin_cpu_supports said so. Same include
# path and guard as the room's other files.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    set(KS_ISAS base v3 v4 CACHE INTERNAL "instruction sets that loops are compiled for")
else()
    set(KS_ISAS plain CACHE INTERNAL "instruction sets that loops are compiled for")
endif()
function(ks_isa id name)
    set(KS_ISA_NAME_${id} ${name} CACHE INTERNAL "what KS_ISA calls it")
    set(KS_ISA_FLAGS_${id} ${ARGN} CACHE INTERNAL "its compiler flags")
endfunction()
ks_isa(plain plain)
ks_isa(base x86-64 -march=x86-64)
ks_isa(v3 x86-64-v3 -march=x86-64-v3)
ks_isa(v4 x86-64-v4 -march=x86-64-v4 -mprefer-vector-width=512) # else clang takes half of it

function(ks_room_isas room)
    set(targets "")
    foreach(isa IN LISTS KS_ISAS)
        add_library(room_${room}_${isa} OBJECT ${ARGN})
        ks_use_room(room_${room}_${isa} ${room})
        target_compile_definitions(room_${room}_${isa} PRIVATE
            KS_ISA=${isa} KS_ISA_NAME="${KS_ISA_NAME_${isa}}")
        target_compile_options(room_${room}_${isa} PRIVATE ${KS_ISA_FLAGS_${isa}}
            # gcc's fake stack of the address sanitizer is not aligned for 64-byte vectors (PR 110027)
            $<$<C_COMPILER_ID:GNU>:--param=asan-use-after-return=0>)
        list(APPEND targets room_${room}_${isa})
    endforeach()
    set(KS_ISA_TARGETS_${room} ${targets} CACHE INTERNAL "objects of room ${room} by instruction set")
endfunction()

function(ks_room room)
    set(KS_SEES_${room} ${ARGN} CACHE INTERNAL "what room ${room} sees")
    set(KS_ROOMS ${KS_ROOMS} ${room} CACHE INTERNAL "rooms, in the order of the table")
    ks_room_guard(${room})
    if(KS_ARCHITECTURE_TESTS)
        ks_room_headers(${room})
    endif()
    ks_room_code(${room})

    set(scope PUBLIC)
    get_target_property(type ks_${room} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        set(scope INTERFACE)
    endif()
    foreach(seen IN LISTS ARGN)
        string(REGEX REPLACE "/.*" "" folder ${seen})
        target_link_libraries(ks_${room} ${scope} ks_${folder})
    endforeach()
    target_link_libraries(ks_${room} ${scope} ks_libraries_serial)
    if(room STREQUAL "run")
        target_link_libraries(ks_run ${scope} OpenMP::OpenMP_C)
        if(TARGET room_run)
            target_link_libraries(room_run PRIVATE OpenMP::OpenMP_C)
        endif()
    endif()
endfunction()

function(ks_room_finish)
    ks_use_room(ks_build_info base)
    foreach(folder IN LISTS KS_FOLDERS)
        if(NOT folder IN_LIST KS_ROOMS)
            message(FATAL_ERROR "src/${folder} is not in the table of rooms in src/CMakeLists.txt")
        endif()
    endforeach()
endfunction()
