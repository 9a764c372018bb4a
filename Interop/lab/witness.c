// A witness of the machine's punctuality: witness FILE asks to be woken each millisecond, on two threads: one with the
// priority of an output's render thread (SCHED_FIFO 20), one ordinary, as those of queues and of others' programs.
// Appends a line to FILE ten times a second, and ends when its standard input does:
//   monotonic seconds; worst lateness since the last line in microseconds, of the first thread and of the second; and since the
//   machine started: microseconds in which something waited for a core (the kernel's pressure), clock ticks that the host
//   took from this machine (steal); -1 where the kernel does not count
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define PERIOD 1000000L
#define BILLION 1000000000L

struct sleeper {
    int is_realtime;
    atomic_long worst; // nanoseconds, since it was last taken
};

static struct timespec later(struct timespec time, long nanoseconds) {
    time.tv_nsec += nanoseconds;
    if (time.tv_nsec >= BILLION) time.tv_sec++, time.tv_nsec -= BILLION;
    return time;
}

static long between(struct timespec first, struct timespec second) {
    return (second.tv_sec - first.tv_sec) * BILLION + second.tv_nsec - first.tv_nsec;
}

static void *wake_each_millisecond(void *argument) {
    struct sleeper *sleeper = argument;
    struct sched_param priority = {.sched_priority = 20};
    // Where the system refuses, the thread stays ordinary: so would the render thread.
    if (sleeper->is_realtime) pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority);
    struct timespec due, now;
    clock_gettime(CLOCK_MONOTONIC, &due);
    for (;;) {
        due = later(due, PERIOD);
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR) {}
        clock_gettime(CLOCK_MONOTONIC, &now);
        long late = between(due, now);
        if (late > atomic_load(&sleeper->worst)) atomic_store(&sleeper->worst, late);
        // Milliseconds that were slept through are one lateness, not many.
        if (late > PERIOD) due = now;
    }
    return NULL;
}

// The number that follows `label` in a file of /proc, after `skip` other numbers; -1 without it.
static long number_in(const char *path, const char *label, int skip) {
    char text[512];
    FILE *file = fopen(path, "r");
    if (!file) return -1;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    char *place = strstr(text, label);
    if (!place) return -1;
    place += strlen(label);
    long value = -1;
    int used = 0;
    do {
        if (sscanf(place, "%ld%n", &value, &used) != 1) return -1;
        place += used;
    } while (skip-- > 0);
    return value;
}

int main(int count, char **words) {
    if (count != 2) return 2;
    FILE *file = fopen(words[1], "a");
    if (!file) return 1;
    static struct sleeper render = {1, 0}, ordinary = {0, 0};
    pthread_t thread;
    if (pthread_create(&thread, NULL, wake_each_millisecond, &render)) return 1;
    if (pthread_create(&thread, NULL, wake_each_millisecond, &ordinary)) return 1;
    struct pollfd input = {0, POLLIN, 0};
    while (poll(&input, 1, 100) == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        fprintf(file, "%ld.%09ld %ld %ld %ld %ld\n", (long)now.tv_sec, now.tv_nsec,
                atomic_exchange(&render.worst, 0) / 1000, atomic_exchange(&ordinary.worst, 0) / 1000,
                number_in("/proc/pressure/cpu", "total=", 0), number_in("/proc/stat", "cpu ", 7));
        fflush(file);
    }
    return 0;
}
