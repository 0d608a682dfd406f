# One planted case. cmake -DCC= -DSOURCE= -DINTO= -P plant.cmake -- CASE ARGUMENTS...
cmake_minimum_required(VERSION 3.25)
set(src ${INTO}/tree/src)
set(build ${INTO}/build)
set(ENV{LC_ALL} C)
foreach(name CFLAGS LDFLAGS CC)
    unset(ENV{${name}})
endforeach()

math(EXPR last "${CMAKE_ARGC} - 1")
set(arguments "")
set(is_argument FALSE)
foreach(i RANGE ${last})
    if(is_argument)
        list(APPEND arguments "${CMAKE_ARGV${i}}")
    elseif(CMAKE_ARGV${i} STREQUAL "--")
        set(is_argument TRUE)
    endif()
endforeach()
list(POP_FRONT arguments case)

# run(EXPECT COMMAND...): EXPECT is `works`, or a text that its failure must show.
function(run expect)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE out)
    string(JOIN " " command ${ARGN})
    if(expect STREQUAL "works")
        if(NOT result STREQUAL "0")
            message(FATAL_ERROR "should work: ${command}\n${out}")
        endif()
        return()
    endif()
    string(FIND "${out}" "${expect}" place)
    if(result STREQUAL "0")
        message(FATAL_ERROR "should fail with '${expect}', but works: ${command}\n${out}")
    elseif(place EQUAL -1)
        message(FATAL_ERROR "fails, but not with '${expect}': ${command}\n${out}")
    endif()
endfunction()

function(run_build expect target)
    run("${expect}" ${CMAKE_COMMAND} --build ${build} --target ${target})
endfunction()

# The compiler as the build calls it, without the check that comes before.
function(run_compiler_of_build expect object)
    execute_process(COMMAND ninja -C ${build} --quiet -t commands -s ${object}
        OUTPUT_VARIABLE command OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    run("${expect}" sh -c "cd ${build} && ${command}")
endfunction()

function(configure expect)
    run("${expect}" ${CMAKE_COMMAND} -S ${INTO}/tree -B ${build} -G Ninja -DBUILD_TESTING=OFF
        -DCMAKE_C_COMPILER=${CC} -DCMAKE_BUILD_TYPE=Debug)
endfunction()

function(fresh_copy)
    file(REMOVE_RECURSE ${INTO}/tree)
    file(COPY ${SOURCE}/src ${SOURCE}/CMakeLists.txt DESTINATION ${INTO}/tree)
endfunction()

# A header that the tree does not have yet: otherwise its absence would pass for the guard.
function(provide header)
    if(NOT EXISTS ${src}/${header})
        file(WRITE ${src}/${header} "extern int ks_planted_header;\n")
    endif()
endfunction()

function(plant_line room line)
    file(WRITE ${src}/${room}/planted.c "${line}\nint ks_planted(void);\nint ks_planted(void) { return 0; }\n")
endfunction()

# The room builds with a line that is right, and does not with `line`.
function(run_both room right line message)
    set(object src/CMakeFiles/room_${room}.dir/${room}/planted.c.o)
    plant_line(${room} "${right}")
    run_build(works ${object})
    plant_line(${room} "${line}")
    run_build("${message}" ${object})
endfunction()

function(case_copy)
    configure(works)
endfunction()

function(case_unseen room header)
    provide(${header})
    run_both(${room} "#include <stddef.h>" "#include \"${header}\""
             "room ${room} does not see \"${header}\"")
    run_compiler_of_build("${header}: No such file or directory"
                          src/CMakeFiles/room_${room}.dir/${room}/planted.c.o)
    run(works ${CC} -std=c17 -D_POSIX_C_SOURCE=200809L -fsyntax-only -I${src}
        ${src}/${room}/planted.c) # nothing else keeps the header away
endfunction()

function(case_unseen_isa room header)
    provide(${header})
    configure(works)
    file(GLOB targets RELATIVE ${build}/src/CMakeFiles ${build}/src/CMakeFiles/room_${room}_*.dir)
    if(NOT targets)
        message(FATAL_ERROR "room ${room} is compiled for no instruction set")
    endif()
    foreach(line "#include <stddef.h>" "#include \"${header}\"")
        file(WRITE ${src}/${room}/planted_isa.c "${line}\nextern int ks_planted;\n")
        configure(works)
        foreach(target IN LISTS targets)
            set(object src/CMakeFiles/${target}/${room}/planted_isa.c.o)
            if(line MATCHES "<")
                run_build(works ${object})
            else()
                run_build("room ${room} does not see \"${header}\"" ${object})
                run_compiler_of_build("${header}: No such file or directory" ${object})
            endif()
        endforeach()
    endforeach()
    file(REMOVE ${src}/${room}/planted_isa.c)
    configure(works)
endfunction()

function(case_carried room header by)
    run_both(${room} "#include \"${by}\"" "#include \"${header}\""
             "room ${room} does not see \"${header}\"")
endfunction()

function(case_refused room line message)
    run_both(${room} "#include <stddef.h>" "${line}" "${message}")
endfunction()

function(case_header)
    file(WRITE ${src}/base/planted.h "#include <stddef.h>\nextern size_t ks_planted;\n")
    run_build(works headers_base)
    file(WRITE ${src}/base/planted.h "extern size_t ks_planted;\n")
    run_build("unknown type name" headers_base)
endfunction()

function(case_link)
    file(WRITE ${src}/host/planted.c "int ks_planted_host(void);\nint ks_planted_host(void) { return 0; }\n")
    plant_line(device "")
    run_build(works link_device)
    file(APPEND ${src}/device/planted.c "int ks_planted_host(void);\nint ks_planted_device(void);\nint ks_planted_device(void) { return ks_planted_host(); }\n")
    run_build("undefined reference to `ks_planted_host'" link_device)
endfunction()

function(case_room)
    file(WRITE ${src}/planted/planted.c "\n")
    configure("is not in the table of rooms")
endfunction()

fresh_copy()
cmake_language(CALL case_${case} ${arguments})
