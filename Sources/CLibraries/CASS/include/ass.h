#pragma once

// libass, loaded when the first subtitle is to be drawn. Call it through `tutti_ass_load()`; the functions that the
// header declares are not linked.

#include <ass/ass.h>
#include <stdbool.h>

#define TUTTI_ASS_FUNCTIONS(F)     \
    F(ass_flush_events)            \
    F(ass_free_track)              \
    F(ass_library_done)            \
    F(ass_library_init)            \
    F(ass_new_track)               \
    F(ass_process_chunk)           \
    F(ass_process_codec_private)   \
    F(ass_render_frame)            \
    F(ass_renderer_done)           \
    F(ass_renderer_init)           \
    F(ass_set_cache_limits)        \
    F(ass_set_check_readorder)     \
    F(ass_set_extract_fonts)       \
    F(ass_set_fonts)               \
    F(ass_set_frame_size)          \
    F(ass_set_margins)             \
    F(ass_set_message_cb)          \
    F(ass_set_storage_size)        \
    F(ass_set_use_margins)

#pragma clang assume_nonnull begin

/// libass's functions, each under its own name.
typedef struct tutti_ass_functions {
#define TUTTI_ASS_FIELD(name) __typeof__(name) *name;
    TUTTI_ASS_FUNCTIONS(TUTTI_ASS_FIELD)
#undef TUTTI_ASS_FIELD
} tutti_ass_functions;

/// Loads libass once: all functions, or `NULL` if the library or one of its functions is missing. Any thread.
const tutti_ass_functions *_Nullable tutti_ass_load(void);

/// The loader's message after a failure of `tutti_ass_load`.
const char *tutti_ass_load_error(void);

/// Discards the library's messages, which would go to standard error.
void tutti_ass_silence(ASS_Library *library);

#pragma clang assume_nonnull end
