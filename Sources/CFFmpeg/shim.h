#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
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
