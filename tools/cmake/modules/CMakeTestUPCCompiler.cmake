# Does the compiler make a program? Asked once for a build folder.

include (CMakeTestCompilerCommon)

if (NOT CMAKE_UPC_COMPILER_WORKS)
  PrintTestCompilerStatus ("UPC")
  file (WRITE "${CMAKE_BINARY_DIR}/CMakeFiles/CMakeTmp/testUPCCompiler.upc"
        "#include <upc.h>\nshared int a[THREADS];\nint main (void) { upc_barrier; return a[MYTHREAD]; }\n")
  try_compile (CMAKE_UPC_COMPILER_WORKS "${CMAKE_BINARY_DIR}"
               "${CMAKE_BINARY_DIR}/CMakeFiles/CMakeTmp/testUPCCompiler.upc"
               CMAKE_FLAGS "-DCMAKE_MODULE_PATH:STRING=${CMAKE_CURRENT_LIST_DIR}" OUTPUT_VARIABLE _UPC_OUTPUT)
  if (NOT CMAKE_UPC_COMPILER_WORKS)
    string (REPLACE "\n" "\n  " _UPC_OUTPUT "${_UPC_OUTPUT}")
    message (FATAL_ERROR "The UPC compiler\n  ${CMAKE_UPC_COMPILER}\nis not able to compile a simple test program."
             "\nIt fails with the following output:\n  ${_UPC_OUTPUT}")
  endif ()
  message (STATUS "Check for working UPC compiler: ${CMAKE_UPC_COMPILER} - works")
endif ()
