/* The version: what the tools answer to --version and upcc predefines (__UPCT__,
   __UPCT_MINOR__). */

#ifndef UPCT_VERSION
#define UPCT_MAJOR 0
#define UPCT_MINOR 1
#define UPCT_TEXT_1(number) #number
#define UPCT_TEXT(number) UPCT_TEXT_1 (number)
#define UPCT_VERSION UPCT_TEXT (UPCT_MAJOR) "." UPCT_TEXT (UPCT_MINOR)
#endif
