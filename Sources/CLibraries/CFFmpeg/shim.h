#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/aes.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/replaygain.h>
#include <libavutil/time.h>
#include <libswscale/swscale.h>

// What the importer cannot turn into Swift: macros with casts, and macros that are functions.
static const int64_t shim_AV_NOPTS_VALUE = AV_NOPTS_VALUE;
static const int shim_AVERROR_EOF = AVERROR_EOF;
static const int shim_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int shim_AVERROR_PATCHWELCOME = AVERROR_PATCHWELCOME;
static const int shim_AVERROR_EXIT = AVERROR_EXIT;
static inline int shim_averror(int posix) { return AVERROR(posix); }
static const int shim_AVERROR_HTTP_BAD_REQUEST = AVERROR_HTTP_BAD_REQUEST;
static const int shim_AVERROR_HTTP_UNAUTHORIZED = AVERROR_HTTP_UNAUTHORIZED;
static const int shim_AVERROR_HTTP_FORBIDDEN = AVERROR_HTTP_FORBIDDEN;
static const int shim_AVERROR_HTTP_NOT_FOUND = AVERROR_HTTP_NOT_FOUND;
static const int shim_AVERROR_HTTP_OTHER_4XX = AVERROR_HTTP_OTHER_4XX;
static const int shim_AVERROR_HTTP_SERVER_ERROR = AVERROR_HTTP_SERVER_ERROR;

// Bits of a channel layout in native order; 0 when the order is another one.
static inline uint64_t shim_layout_mask(const AVChannelLayout *layout) {
    return layout->order == AV_CHANNEL_ORDER_NATIVE ? layout->u.mask : 0;
}

// A layout from its bits, or of unknown places when the bits do not name `count` channels.
static inline void shim_layout_set(AVChannelLayout *layout, uint64_t mask, int count) {
    av_channel_layout_uninit(layout);
    if (mask != 0 && av_channel_layout_from_mask(layout, mask) == 0 && layout->nb_channels == count) return;
    av_channel_layout_uninit(layout);
    av_channel_layout_default(layout, count);
}

// The gain and peaks that a stream's header stores; 0 when it stores none. They moved to the codec's parameters in FFmpeg 6.1.
static inline int shim_stored_gain(const AVStream *stream, AVReplayGain *gain) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *data = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_REPLAYGAIN);
    const uint8_t *bytes = data ? data->data : NULL;
    size_t size = data ? data->size : 0;
#else
    size_t size = 0;
    const uint8_t *bytes = av_stream_get_side_data(stream, AV_PKT_DATA_REPLAYGAIN, &size);
#endif
    if (bytes == NULL || size < sizeof *gain) return 0;
    memcpy(gain, bytes, sizeof *gain);
    return 1;
}

// The matrix that turns a stream's pictures upright, nine 16.16 numbers in the memory's own order; 0 when it stores none. It moved
// to the codec's parameters in FFmpeg 6.1.
static inline int shim_display_matrix(const AVStream *stream, int32_t matrix[9]) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVPacketSideData *data = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    const uint8_t *bytes = data ? data->data : NULL;
    size_t size = data ? data->size : 0;
#else
    size_t size = 0;
    const uint8_t *bytes = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
#endif
    if (bytes == NULL || size < 9 * sizeof *matrix) return 0;
    memcpy(matrix, bytes, 9 * sizeof *matrix);
    return 1;
}

// Stores such a matrix in a stream to write; 0 or an error code.
static inline int shim_set_display_matrix(AVStream *stream, const int32_t matrix[9]) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    AVPacketSideData *data = av_packet_side_data_new(
        &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX,
        9 * sizeof *matrix, 0);
    uint8_t *bytes = data ? data->data : NULL;
#else
    uint8_t *bytes = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof *matrix);
#endif
    if (bytes == NULL) return AVERROR(ENOMEM);
    memcpy(bytes, matrix, 9 * sizeof *matrix);
    return 0;
}

// Flags of a frame; they moved from fields to a bit mask in FFmpeg 6.1.
static inline int shim_frame_is_key(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 29, 100)
    return (frame->flags & AV_FRAME_FLAG_KEY) != 0;
#else
    return frame->key_frame != 0;
#endif
}

// The duration of a frame in its time base, 0 when unknown; the field was renamed in FFmpeg 6.0.
static inline int64_t shim_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

// Takes the hardware's frames where the decoder offers the kind of `opaque`, an AVPixelFormat; else frames in memory.
static inline enum AVPixelFormat shim_choose_format(AVCodecContext *context, const enum AVPixelFormat *formats) {
    enum AVPixelFormat wanted = (enum AVPixelFormat)(intptr_t)context->opaque;
    for (const enum AVPixelFormat *format = formats; *format != AV_PIX_FMT_NONE; format++)
        if (*format == wanted) return *format;
    return avcodec_default_get_format(context, formats);
}

static inline void shim_use_hardware(AVCodecContext *context, AVBufferRef *device, enum AVPixelFormat format) {
    context->hw_device_ctx = av_buffer_ref(device);
    context->opaque = (void *)(intptr_t)format;
    context->get_format = shim_choose_format;
}

// An input whose bytes come from us. The library looks its options up to learn where redirects led to.
typedef struct shim_input {
    const AVClass *kind;
    char *location;
    void *owner;
} shim_input;

static const AVOption shim_input_options[] = {
    {"location", "", offsetof(shim_input, location), AV_OPT_TYPE_STRING, {.str = NULL}, 0, 0, 0, NULL},
    {NULL, NULL, 0, AV_OPT_TYPE_FLAGS, {.i64 = 0}, 0, 0, 0, NULL},
};

static const AVClass shim_input_kind = {
    .class_name = "tutti", .item_name = av_default_item_name, .option = shim_input_options,
    .version = LIBAVUTIL_VERSION_INT,
};

static inline void *shim_io_child(void *io, void *previous) {
    return previous ? NULL : ((AVIOContext *)io)->opaque;
}

static const AVClass shim_io_kind = {
    .class_name = "tutti-io", .item_name = av_default_item_name, .version = LIBAVUTIL_VERSION_INT,
    .child_next = shim_io_child,
};

static inline void *shim_input_owner(void *input) { return ((shim_input *)input)->owner; }

static inline AVIOContext *shim_input_open(
    void *owner, const char *location, int size, int (*read)(void *, uint8_t *, int),
    int64_t (*seek)(void *, int64_t, int)
) {
    shim_input *input = (shim_input *)av_mallocz(sizeof(shim_input));
    unsigned char *buffer = (unsigned char *)av_malloc((size_t)size);
    char *copy = av_strdup(location);
    AVIOContext *io = input && buffer && copy ? avio_alloc_context(buffer, size, 0, input, read, NULL, seek) : NULL;
    if (!io) {
        av_free(input);
        av_free(buffer);
        av_free(copy);
        return NULL;
    }
    input->kind = &shim_input_kind;
    input->location = copy;
    input->owner = owner;
    io->av_class = &shim_io_kind;
    return io;
}

static inline void shim_input_close(AVIOContext *io) {
    shim_input *input = (shim_input *)io->opaque;
    av_free(input->location);
    av_free(input);
    av_freep(&io->buffer);
    avio_context_free(&io);
}
