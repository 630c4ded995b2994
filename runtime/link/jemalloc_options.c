/* jemalloc's options, which it finds by this name. The shared heap has its own arenas, so jemalloc
   needs only the first one, for its records. If there is too little memory for another arena, a
   thread's first call would follow a null pointer. */

extern const char *malloc_conf;
const char *malloc_conf = "narenas:1";
