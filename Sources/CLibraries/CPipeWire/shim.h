#include <pipewire/pipewire.h>
#include <spa/param/audio/format-utils.h>
#include <spa/param/latency-utils.h>
#include <spa/param/props.h>
#include <spa/utils/result.h>

// Most of libpipewire's interface is macros and variadic functions. These are the uses of them here, one function
// each. A function that builds a parameter builds it in the caller's memory and returns it, or NULL when the memory is
// too small.

static const uint32_t shim_core_id = PW_ID_CORE;

static inline void shim_core_listen(
    struct pw_core *core, struct spa_hook *hook, const struct pw_core_events *events, void *data) {
    pw_core_add_listener(core, hook, events, data);
}

static inline void shim_unlisten(struct spa_hook *hook) {
    spa_hook_remove(hook);
    spa_zero(*hook);
}

// An event of a loop, which any thread may signal; its callback runs on the loop's thread.
static inline struct spa_source *shim_add_event(
    struct pw_loop *loop, spa_source_event_func_t call, void *data) {
    return pw_loop_add_event(loop, call, data);
}
static inline void shim_signal_event(struct pw_loop *loop, struct spa_source *event) {
    pw_loop_signal_event(loop, event);
}
static inline void shim_remove_source(struct pw_loop *loop, struct spa_source *source) {
    pw_loop_destroy_source(loop, source);
}

// Interleaved stereo float samples of native byte order.
static inline const struct spa_pod *shim_stereo_format(void *memory, uint32_t size, uint32_t rate) {
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, size);
    struct spa_audio_info_raw info = SPA_AUDIO_INFO_RAW_INIT(
        .format = SPA_AUDIO_FORMAT_F32, .rate = rate, .channels = 2,
        .position = {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR});
    return spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &info);
}

// The latency from a node's input to the ear.
static inline const struct spa_pod *shim_latency(void *memory, uint32_t size, int64_t nanoseconds) {
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, size);
    struct spa_latency_info info =
        SPA_LATENCY_INFO(SPA_DIRECTION_INPUT, .min_ns = nanoseconds, .max_ns = nanoseconds);
    return spa_latency_build(&builder, SPA_PARAM_Latency, &info);
}

// Reads a node's volumes and mute, as far as the parameter has them: the number of volumes, 0 for none; mute is 0 or 1,
// -1 for none.
static inline int shim_read_volumes(const struct spa_pod *param, float *volumes, uint32_t limit, int *mute) {
    const struct spa_pod_prop *property;
    int count = 0;
    *mute = -1;
    if (!spa_pod_is_object_type(param, SPA_TYPE_OBJECT_Props)) return 0;
    if ((property = spa_pod_find_prop(param, NULL, SPA_PROP_channelVolumes)) != NULL)
        count = spa_pod_copy_array(&property->value, SPA_TYPE_Float, volumes, limit);
    if ((property = spa_pod_find_prop(param, NULL, SPA_PROP_mute)) != NULL) {
        bool value = false;
        if (spa_pod_get_bool(&property->value, &value) == 0) *mute = value;
    }
    return count;
}

// Sets one property of a stream's node; negative: an error.
static inline int shim_set_floats(
    struct pw_stream *stream, uint32_t property, uint32_t count, float *values) {
    return pw_stream_set_control(stream, property, count, values, 0);
}

static inline int shim_connect_sink(struct pw_stream *stream, const struct spa_pod *format) {
    const enum pw_stream_flags flags = PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS;
    return pw_stream_connect(stream, PW_DIRECTION_INPUT, PW_ID_ANY, flags, &format, 1);
}
