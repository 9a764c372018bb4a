#ifndef TUTTI_JOBS_H
#define TUTTI_JOBS_H

/// Gives the jobs of Swift's global executor that this thread enqueues to `take`, until it is called with null.
void jobs_take_over(void (*take)(void *job, void *context), void *context);

/// Runs a job on this thread.
void jobs_run(void *job);

#endif
