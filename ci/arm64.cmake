# CMake toolchain: aarch64 by Debian's cross compiler, libraries from the folder KS_ARM64_ROOT
# (ci/long/arm64.sh fills it), linked statically so that qemu-user needs no root of its own.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KS_ARM64_ROOT)
set(CMAKE_FIND_ROOT_PATH ${KS_ARM64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(ENV{PKG_CONFIG_LIBDIR} ${KS_ARM64_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${KS_ARM64_ROOT})
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
set(CMAKE_C_FLAGS_INIT
    "-isystem ${KS_ARM64_ROOT}/usr/include -isystem ${KS_ARM64_ROOT}/usr/include/aarch64-linux-gnu")
# FindOpenMP would name the shared one.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libgomp.a
    OUTPUT_VARIABLE OpenMP_gomp_LIBRARY OUTPUT_STRIP_TRAILING_WHITESPACE)
