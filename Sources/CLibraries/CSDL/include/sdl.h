#pragma once

// SDL2, loaded when the first window is wanted: a program that plays only sound neither needs nor loads the library.
// Call SDL through `tutti_sdl_load()`; the functions that the headers declare are not linked.

#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>
#include <stdbool.h>

// SDL declares this in a header that includes those of X11, Wayland and others.
struct SDL_SysWMinfo;
extern DECLSPEC SDL_bool SDLCALL SDL_GetWindowWMInfo(SDL_Window *_Nonnull window, struct SDL_SysWMinfo *_Nonnull info);

// Functions of SDL2 that exist from 2.26 on.
#define TUTTI_SDL_FUNCTIONS(F)        \
    F(SDL_CreateRenderer)             \
    F(SDL_CreateTexture)              \
    F(SDL_CreateWindow)               \
    F(SDL_DestroyRenderer)            \
    F(SDL_DestroyTexture)             \
    F(SDL_DestroyWindow)              \
    F(SDL_DisableScreenSaver)         \
    F(SDL_EnableScreenSaver)          \
    F(SDL_GL_GetProcAddress)          \
    F(SDL_GL_GetSwapInterval)         \
    F(SDL_GetCurrentDisplayMode)      \
    F(SDL_GetCurrentVideoDriver)      \
    F(SDL_GetError)                   \
    F(SDL_GetRendererInfo)            \
    F(SDL_GetRendererOutputSize)      \
    F(SDL_GetVersion)                 \
    F(SDL_GetWindowDisplayIndex)      \
    F(SDL_GetWindowFlags)             \
    F(SDL_GetWindowID)                \
    F(SDL_GetWindowWMInfo)            \
    F(SDL_InitSubSystem)              \
    F(SDL_LockTexture)                \
    F(SDL_LogSetOutputFunction)       \
    F(SDL_PollEvent)                  \
    F(SDL_PushEvent)                  \
    F(SDL_QuitSubSystem)              \
    F(SDL_RenderClear)                \
    F(SDL_RenderCopy)                 \
    F(SDL_RenderCopyExF)              \
    F(SDL_RenderPresent)              \
    F(SDL_RenderReadPixels)           \
    F(SDL_SetHint)                    \
    F(SDL_SetMainReady)               \
    F(SDL_SetRenderDrawColor)         \
    F(SDL_SetTextureBlendMode)        \
    F(SDL_SetTextureScaleMode)        \
    F(SDL_SetWindowFullscreen)        \
    F(SDL_SetWindowMinimumSize)       \
    F(SDL_SetWindowSize)              \
    F(SDL_SetWindowTitle)             \
    F(SDL_SetYUVConversionMode)       \
    F(SDL_ShowCursor)                 \
    F(SDL_ShowWindow)                 \
    F(SDL_UnlockTexture)              \
    F(SDL_UpdateNVTexture)            \
    F(SDL_UpdateTexture)              \
    F(SDL_UpdateYUVTexture)           \
    F(SDL_WaitEvent)                  \
    F(SDL_WaitEventTimeout)

#pragma clang assume_nonnull begin

/// SDL's functions, each under its own name.
typedef struct tutti_sdl_functions {
#define TUTTI_SDL_FIELD(name) __typeof__(name) *name;
    TUTTI_SDL_FUNCTIONS(TUTTI_SDL_FIELD)
#undef TUTTI_SDL_FIELD
} tutti_sdl_functions;

/// Loads SDL2 once: all functions, or `NULL` if the library or one of its functions is missing. Any thread.
const tutti_sdl_functions *_Nullable tutti_sdl_load(void);

/// The loader's message after a failure of `tutti_sdl_load`.
const char *tutti_sdl_load_error(void);

/// Marks the calling thread as one that calls SDL's video functions, for the functions below.
void tutti_x11_join_guard(void);

/// Keeps the process alive when the X server goes away, where Xlib would end it. Call before SDL connects to the display
/// and, as SDL may load libX11 only then, also after that. Has no effect without libX11.
///
/// The first marked thread that loses its connection calls `lost`, once per process. The thread's call into Xlib then
/// fails if `tutti_x11_allow_failure` says so; otherwise the thread waits forever. Other threads keep the handler of
/// before.
void tutti_x11_guard_connection(void (*lost)(void));

/// Keeps the process alive when the X server refuses a request of a marked thread. Call after SDL has connected to the
/// display; has no effect without libX11.
void tutti_x11_guard_requests(void);

/// Prepares the connection of SDL's window for calls that fail; it stays as it is with libX11 before 1.7.
void tutti_x11_guard_window(SDL_Window *window);

/// Decides whether calls of the calling thread fail when the connection is lost. Not allowed at first, because SDL
/// waits for an answer without end in some functions, such as those that show and hide a window.
void tutti_x11_allow_failure(bool is_allowed);

// Macros with casts, which the importer leaves out.
static const int tutti_sdl_window_centered = SDL_WINDOWPOS_CENTERED;
static const uint32_t tutti_sdl_init_video = SDL_INIT_VIDEO;

static inline uint8_t *tutti_sdl_bytes(void *pixels) { return (uint8_t *)pixels; }

#pragma clang assume_nonnull end
