# Which compiler is upcc. CMake includes this where UPC is a language of a project.

if (NOT CMAKE_UPC_COMPILER)
  if (NOT "$ENV{UPC}" STREQUAL "")
    find_program (CMAKE_UPC_COMPILER NAMES "$ENV{UPC}")
  else ()
    find_program (CMAKE_UPC_COMPILER NAMES upcc HINTS "${_UPC_HINT}")
  endif ()
endif ()
if (NOT CMAKE_UPC_COMPILER)
  message (FATAL_ERROR "no UPC compiler: upcc is not in PATH; set CMAKE_UPC_COMPILER, or UPC in the environment")
endif ()
mark_as_advanced (CMAKE_UPC_COMPILER)

configure_file ("${CMAKE_CURRENT_LIST_DIR}/CMakeUPCCompiler.cmake.in"
                "${CMAKE_PLATFORM_INFO_DIR}/CMakeUPCCompiler.cmake" @ONLY)
set (CMAKE_UPC_COMPILER_ENV_VAR UPC)
