#include "jobs.h"
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))

// The concurrency runtime's own names.
typedef SWIFT void enqueue_original(void *job);
typedef SWIFT void enqueue_hook(void *job, enqueue_original *original);
extern enqueue_hook *swift_task_enqueueGlobal_hook;
extern SWIFT void swift_job_run(void *job, void *executor, uintptr_t implementation);

static _Thread_local void (*taker)(void *job, void *context);
static _Thread_local void *taker_context;

static SWIFT void enqueue(void *job, enqueue_original *original) {
    if (taker) {
        taker(job, taker_context);
    } else {
        original(job);
    }
}

void jobs_take_over(void (*take)(void *job, void *context), void *context) {
    taker = take;
    taker_context = context;
    swift_task_enqueueGlobal_hook = enqueue;
}

void jobs_run(void *job) {
    // The generic executor.
    swift_job_run(job, 0, 0);
}
