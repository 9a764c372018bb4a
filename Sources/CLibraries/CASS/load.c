#include "ass.h"

// Never closed: the font configuration that libass loads stays in the process.
#define TUTTI_LIBRARY "libass.so.9"
#define TUTTI_FUNCTIONS TUTTI_ASS_FUNCTIONS
typedef tutti_ass_functions tutti_functions;

#include "../loading.h"

const tutti_ass_functions *tutti_ass_load(void) { return load_once(); }

const char *tutti_ass_load_error(void) { return load_error; }

static void ignore(int level, const char *format, va_list arguments, void *data) {
    (void)level, (void)format, (void)arguments, (void)data;
}

void tutti_ass_silence(ASS_Library *library) { functions.ass_set_message_cb(library, ignore, NULL); }
