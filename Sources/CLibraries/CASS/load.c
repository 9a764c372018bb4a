#include "ass.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static tutti_ass_functions functions;
static bool is_loaded;
static char load_error[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void note_error(void) {
    const char *message = dlerror();
    snprintf(load_error, sizeof load_error, "%s", message ? message : "unknown error");
}

static void load(void) {
    // Never closed: the font configuration that libass loads stays in the process.
    void *library = dlopen("libass.so.9", RTLD_NOW | RTLD_LOCAL);
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
    TUTTI_ASS_FUNCTIONS(LOAD)
#undef LOAD
    is_loaded = true;
}

const tutti_ass_functions *tutti_ass_load(void) {
    pthread_once(&once, load);
    return is_loaded ? &functions : NULL;
}

const char *tutti_ass_load_error(void) { return load_error; }

static void ignore(int level, const char *format, va_list arguments, void *data) {
    (void)level, (void)format, (void)arguments, (void)data;
}

void tutti_ass_silence(ASS_Library *library) { functions.ass_set_message_cb(library, ignore, NULL); }
