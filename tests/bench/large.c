/* Private data beside hello.c: a gibibyte of zeros, or 64 MiB of other values. */

#ifdef LARGE_ZEROS
char large[1ul << 30];
#else
__asm__ (".data\n"
         ".globl large\n"
         ".balign 4096\n"
         "large: .fill 8388608, 8, 0x0706050403020100\n"
         ".text");
#endif
