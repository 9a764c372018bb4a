#include "sdl.h"

// Never closed: SDL's threads and callbacks outlive any window.
#define TUTTI_LIBRARY "libSDL2-2.0.so.0"
#define TUTTI_FUNCTIONS TUTTI_SDL_FUNCTIONS
typedef tutti_sdl_functions tutti_functions;

#include "../loading.h"

const tutti_sdl_functions *tutti_sdl_load(void) { return load_once(); }

const char *tutti_sdl_load_error(void) { return load_error; }
