#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/aes.h>
#include <libavutil/channel_layout.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/time.h>
#include <libswresample/swresample.h>

// What the importer cannot turn into Swift: macros with casts, and macros that are functions.
static const int64_t shim_AV_NOPTS_VALUE = AV_NOPTS_VALUE;
static const int shim_AVERROR_EOF = AVERROR_EOF;
static const int shim_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
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
