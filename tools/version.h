/* What the tools answer to --version. */

#ifndef UPCT_VERSION
#define UPCT_VERSION "0.1"
#endif
