# find_package (UPC): the language UPC for CMake 3.18 or later. Call it at the top level, behind project ():
#
#   project (heat C)
#   find_package (UPC REQUIRED)
#   add_executable (heat heat.upc grid.c)
#
# Sources that end in .upc are compiled by upcc, and what has one of them in it, or links a library that has,
# is linked by upcc. The compiler is the one that CMAKE_UPC_COMPILER or the variable UPC of the environment
# names, else that of the installation which this file is a part of. CMAKE_UPC_FLAGS, CMAKE_UPC_FLAGS_RELEASE
# and so on are as those of C.
#
#   upc_target_threads (TARGET N)   the target's UPC sources are compiled, and it runs, for N threads
#   upc_add_test (NAME test COMMAND target [arguments…] [THREADS n])
#                                   add_test, with THREADS in its environment

list (INSERT CMAKE_MODULE_PATH 0 "${CMAKE_CURRENT_LIST_DIR}/modules")
get_filename_component (_UPC_HINT "${CMAKE_CURRENT_LIST_DIR}/../../../bin" ABSOLUTE)
enable_language (UPC)
set (UPC_COMPILER "${CMAKE_UPC_COMPILER}")

function (upc_target_threads target threads)
  target_compile_options (${target} PRIVATE $<$<COMPILE_LANGUAGE:UPC>:-fupc-threads-${threads}>)
  target_link_options (${target} PRIVATE -fupc-threads-${threads})
endfunction ()

function (upc_add_test)
  cmake_parse_arguments (TEST "" "NAME;THREADS" "COMMAND" ${ARGN})
  if (NOT TEST_NAME OR NOT TEST_COMMAND)
    message (FATAL_ERROR "upc_add_test: NAME and COMMAND are needed")
  endif ()
  add_test (NAME ${TEST_NAME} COMMAND ${TEST_COMMAND})
  if (TEST_THREADS)
    set_tests_properties (${TEST_NAME} PROPERTIES ENVIRONMENT THREADS=${TEST_THREADS} PROCESSORS ${TEST_THREADS})
  endif ()
endfunction ()
