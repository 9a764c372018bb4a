#include "sdl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static tutti_sdl_functions functions;
static bool is_loaded;
static char load_error[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void note_error(void) {
    const char *message = dlerror();
    snprintf(load_error, sizeof load_error, "%s", message ? message : "unknown error");
}

static void load(void) {
    // Never closed: SDL's threads and callbacks outlive any window.
    void *library = dlopen("libSDL2-2.0.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        note_error();
        return;
    }
#define LOAD(name)                                            \
    *(void **)&functions.name = dlsym(library, #name);        \
    if (!functions.name) {                                    \
        note_error();                                         \
        return;                                               \
    }
    TUTTI_SDL_FUNCTIONS(LOAD)
#undef LOAD
    is_loaded = true;
}

const tutti_sdl_functions *tutti_sdl_load(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

const char *tutti_sdl_load_error(void) { return load_error; }
