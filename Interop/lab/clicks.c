// A client of libpulse: clicks SINK SECONDS RATE HEIGHT plays a click each second, the first after half a second, and
// prints a line four times a second: the monotonic time, and when its first frame is heard, as libpulse says then.
#include <pulse/pulseaudio.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pa_stream *stream;
static const char *sink;
static uint32_t rate;
static uint64_t frame;
static float height;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void write_frames(pa_stream *stream, size_t bytes, void *data) {
    float *samples = calloc(bytes / 8, 8);
    for (size_t index = 0; index < bytes / 8; index++, frame++)
        if (frame % rate == rate / 2) samples[2 * index] = samples[2 * index + 1] = height;
    pa_stream_write(stream, samples, bytes / 8 * 8, free, 0, PA_SEEK_RELATIVE);
}

static void context_changed(pa_context *context, void *data) {
    if (!PA_CONTEXT_IS_GOOD(pa_context_get_state(context))) exit(1);
    if (pa_context_get_state(context) != PA_CONTEXT_READY) return;
    pa_sample_spec form = {PA_SAMPLE_FLOAT32LE, rate, 2};
    pa_buffer_attr buffer = {-1, rate / 5 * 8, -1, -1, -1};
    stream = pa_stream_new(context, "clicks", &form, NULL);
    pa_stream_set_write_callback(stream, write_frames, NULL);
    pa_stream_connect_playback(
        stream, sink, &buffer, PA_STREAM_AUTO_TIMING_UPDATE | PA_STREAM_INTERPOLATE_TIMING | PA_STREAM_ADJUST_LATENCY,
        NULL, NULL);
}

int main(int count, char **words) {
    if (count != 5) return 2;
    sink = words[1], rate = atoi(words[3]), height = atof(words[4]);
    double end = now() + atof(words[2]), next = 0;
    pa_mainloop *loop = pa_mainloop_new();
    pa_context *context = pa_context_new(pa_mainloop_get_api(loop), "clicks");
    pa_context_set_state_callback(context, context_changed, NULL);
    pa_context_connect(context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL);
    while (now() < end && pa_mainloop_prepare(loop, 5000) >= 0 && pa_mainloop_poll(loop) >= 0) {
        pa_mainloop_dispatch(loop);
        pa_usec_t played;
        if (stream == NULL || now() < next || pa_stream_get_state(stream) != PA_STREAM_READY) continue;
        if (pa_stream_get_time(stream, &played) < 0) continue;
        next = now() + 0.25;
        printf("%.6f %.6f\n", now(), now() - played * 1e-6);
        fflush(stdout);
    }
    return 0;
}
