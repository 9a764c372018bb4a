#include "sdl.h"

#include <SDL2/SDL_syswm.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

// Of Xlib only these functions are needed; its types stay opaque.
typedef int (*io_error_handler)(void *display);
typedef int (*error_handler)(void *display, void *event);
typedef void (*io_exit_handler)(void *display, void *data);
typedef io_error_handler (*set_io_error_handler)(io_error_handler);
typedef error_handler (*set_error_handler)(error_handler);
typedef void (*set_io_exit_handler)(void *display, io_exit_handler, void *data);
typedef void (*unlock_display)(void *display);

static _Thread_local bool is_guarded;
static _Thread_local bool is_failure_allowed;
static atomic_bool is_lost;
static void (*_Atomic lost_handler)(void);
static _Atomic(io_error_handler) other_io_errors;
static _Atomic(error_handler) other_errors;
static _Atomic(unlock_display) unlock;
// The connection on which calls fail instead of ending the process.
static _Atomic(void *) failing_display;

void tutti_x11_join_guard(void) { is_guarded = true; }

void tutti_x11_allow_failure(bool is_allowed) { is_failure_allowed = is_allowed; }

// When this function returns, Xlib calls the display's exit handler, which ends the process unless it is ours.
static int io_error(void *display) {
    if (!is_guarded) {
        io_error_handler other = atomic_load(&other_io_errors);
        return other ? other(display) : 0;
    }
    if (!atomic_exchange(&is_lost, true)) atomic_load(&lost_handler)();
    // Xlib has locked the display for this thread; graphics libraries lock it once more when the process exits.
    atomic_load(&unlock)(display);
    if (is_failure_allowed && display == atomic_load(&failing_display)) return 0;
    for (;;) pause();
}

static void fail(void *display, void *data) { (void)display, (void)data; }

// Xlib ends the process for a refused request, such as one to a window that the user's tools have destroyed.
static int request_error(void *display, void *event) {
    if (is_guarded) return 0;
    error_handler other = atomic_load(&other_errors);
    return other ? other(display, event) : 0;
}

// SDL has loaded libX11 if it uses X11. The functions stay loaded with SDL.
static void *function(const char *name) {
    void *xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (!xlib) return NULL;
    void *found = dlsym(xlib, name);
    dlclose(xlib);
    return found;
}

void tutti_x11_guard_connection(void (*lost)(void)) {
    set_io_error_handler set = (set_io_error_handler)function("XSetIOErrorHandler");
    unlock_display unlock_function = (unlock_display)function("XUnlockDisplay");
    if (!set || !unlock_function) return;
    atomic_store(&lost_handler, lost);
    atomic_store(&unlock, unlock_function);
    io_error_handler previous = set(io_error);
    if (previous != io_error) atomic_store(&other_io_errors, previous);
}

void tutti_x11_guard_requests(void) {
    set_error_handler set = (set_error_handler)function("XSetErrorHandler");
    if (!set) return;
    error_handler previous = set(request_error);
    if (previous != request_error) atomic_store(&other_errors, previous);
}

void tutti_x11_guard_window(SDL_Window *window) {
    const tutti_sdl_functions *sdl = tutti_sdl_load();
    set_io_exit_handler set = (set_io_exit_handler)function("XSetIOErrorExitHandler");
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    if (!sdl || !set || !sdl->SDL_GetWindowWMInfo(window, &info) || info.subsystem != SDL_SYSWM_X11) return;
    void *display = info.info.x11.display;
    if (atomic_load(&failing_display) == display) return;
    set(display, fail, NULL);
    atomic_store(&failing_display, display);
}
