// Counts calls of malloc and its kin by the name of the thread that makes them; LD_PRELOAD it into a program.
// Every 100 ms a line is appended to the file named by TUTTI_ALLOCATIONS: seconds, then NAME=COUNT for each thread name.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

enum { name_limit = 256 };
static struct { char name[16]; atomic_ulong count; } names[name_limit];
static atomic_int name_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int own __attribute__((tls_model("initial-exec"))) = -1;
static __thread unsigned age __attribute__((tls_model("initial-exec")));

static int find(void) {
    char name[17] = {0};
    prctl(PR_GET_NAME, name, 0, 0, 0);
    for (char *c = name; *c; c++) if (*c == ' ' || *c == '=') *c = '_';
    pthread_mutex_lock(&lock);
    int count = atomic_load(&name_count), index = 0;
    while (index < count && strncmp(names[index].name, name, 15)) index++;
    if (index == count && count < name_limit) {
        memcpy(names[index].name, name, 15);
        atomic_store(&name_count, count + 1);
    }
    pthread_mutex_unlock(&lock);
    return index < name_limit ? index : 0;
}

static void note(void) {
    // A thread gets its name after its first allocations, and threads of a pool change theirs.
    if (own < 0 || age++ % 16 == 0) own = find();
    atomic_fetch_add_explicit(&names[own].count, 1, memory_order_relaxed);
}

void *malloc(size_t size) { note(); return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { note(); return __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { note(); return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    note();
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}

static void *tell(void *path) {
    FILE *file = fopen(path, "w");
    while (file) {
        struct timespec now, pause = {0, 100000000};
        clock_gettime(CLOCK_MONOTONIC, &now);
        fprintf(file, "%.3f", now.tv_sec + now.tv_nsec / 1e9);
        for (int index = 0; index < atomic_load(&name_count); index++)
            fprintf(file, " %s=%lu", names[index].name, atomic_load(&names[index].count));
        fputc('\n', file);
        fflush(file);
        nanosleep(&pause, NULL);
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void) {
    char *path = getenv("TUTTI_ALLOCATIONS");
    pthread_t thread;
    if (path) pthread_create(&thread, NULL, tell, strdup(path));
}
