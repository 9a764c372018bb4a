#include <alsa/asoundlib.h>

// A handler with variable arguments cannot be written in Swift. The library's own writes to standard error.
static void shim_be_silent(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

// What went wrong is told by the codes that functions return.
static inline void shim_silence_errors(void) { snd_lib_error_set_handler(shim_be_silent); }
