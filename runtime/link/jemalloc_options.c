/* Options of jemalloc's, which it finds by this name. The shared heap has arenas of its own, so
   jemalloc needs only the first one, for its records. Where there is too little memory for another, a
   thread's first call would follow a null pointer. */

extern const char *malloc_conf;
const char *malloc_conf = "narenas:1";
