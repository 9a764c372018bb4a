// First, with the feature macros that Swift's own Glibc has: libevent's headers set others, which give `fd_set`
// another member.
#include <sys/select.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <event2/thread.h>
