# Run at every build: writes OUT only when what it says changes. Dirty means that the files the
# program is built from differ from the commit: a blessed golden does not make a program dirty.
# cmake -DOUT= -DSOURCE= -DVERSION= -DCOMPILER= -P build_info.cmake
cmake_minimum_required(VERSION 3.25)
foreach(name GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY)
    unset(ENV{${name}}) # set while git runs a hook
endforeach()

function(git out)
    execute_process(COMMAND git --no-optional-locks -C ${SOURCE} ${ARGN}
        OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE result)
    if(NOT result STREQUAL "0")
        set(text "unknown")
    endif()
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(commit unknown)
set(changes unknown)
git(prefix rev-parse --show-prefix) # empty: SOURCE is the checkout itself, not a folder inside one
if(prefix STREQUAL "")
    git(commit rev-parse --verify HEAD)
    git(changes status --porcelain -- src CMakeLists.txt CMakePresets.json)
endif()
set(is_dirty false)
if(changes OR commit STREQUAL "unknown")
    set(is_dirty true)
endif()
string(REGEX REPLACE " +" " " COMPILER "${COMPILER}")
string(STRIP "${COMPILER}" COMPILER)
string(REGEX REPLACE "([\\\\\"])" "\\\\\\1" COMPILER "${COMPILER}")

set(text "#include \"base/build_info.h\"

const char *ks_build_version(void) { return \"${VERSION}\"; }
const char *ks_build_commit(void) { return \"${commit}\"; }
bool ks_build_is_dirty(void) { return ${is_dirty}; }
const char *ks_build_compiler(void) { return \"${COMPILER}\"; }
")
set(before "")
if(EXISTS ${OUT})
    file(READ ${OUT} before)
endif()
if(NOT before STREQUAL text)
    file(WRITE ${OUT} "${text}")
endif()
