#pragma once

// Loads a C library at run time, once, with all functions of a list. For one file of a target, which before it includes
// this header defines TUTTI_LIBRARY, the library's file name, TUTTI_FUNCTIONS(F), which is F(name) for each function, and
// the type tutti_functions, a struct of pointers to the functions, each under its own name.

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static tutti_functions functions;
static bool is_loaded;
static char load_error[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void note_error(void) {
    const char *message = dlerror();
    snprintf(load_error, sizeof load_error, "%s", message ? message : "unknown error");
}

static void load(void) {
    // Never closed.
    void *library = dlopen(TUTTI_LIBRARY, RTLD_NOW | RTLD_LOCAL);
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
    TUTTI_FUNCTIONS(LOAD)
#undef LOAD
    is_loaded = true;
}

/// Returns the functions; `NULL` if the library or one of them is missing. Any thread.
static const tutti_functions *load_once(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}
