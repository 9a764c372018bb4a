#include <curl/curl.h>

// What the importer cannot turn into Swift: functions with a variable list of arguments, and macros.
static inline CURLcode shim_set_long(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode shim_set_text(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode shim_set_pointer(CURL *handle, CURLoption option, void *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode shim_set_taker(CURL *handle, CURLoption option, curl_write_callback value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode shim_set_watcher(CURL *handle, curl_debug_callback value) {
    return (curl_easy_setopt)(handle, CURLOPT_DEBUGFUNCTION, value);
}

static inline CURLcode shim_set_progress(CURL *handle, curl_xferinfo_callback value) {
    return (curl_easy_setopt)(handle, CURLOPT_XFERINFOFUNCTION, value);
}

static inline CURLcode shim_get_text(CURL *handle, CURLINFO info, const char **value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLcode shim_get_long(CURL *handle, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLMcode shim_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

static inline CURLSHcode shim_share(CURLSH *share, curl_lock_data what) {
    return (curl_share_setopt)(share, CURLSHOPT_SHARE, what);
}

// The handle of a transfer that ended, and how; NULL when there is none.
static inline CURL *shim_next_ended(CURLM *multi, CURLcode *result) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

static const size_t shim_write_pause = CURL_WRITEFUNC_PAUSE;
static const int shim_pause_none = CURLPAUSE_CONT;
static const size_t shim_error_size = CURL_ERROR_SIZE;
static const long shim_http_1_1 = CURL_HTTP_VERSION_1_1;
static const long shim_global_all = CURL_GLOBAL_ALL;
