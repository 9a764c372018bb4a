// No _GNU_SOURCE here: it changes fd_set, and the compiler refuses two forms of one structure
// (this module's and that of the C headers under Dispatch). What needs it is declared by hand.
#include <malloc.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pthread_setname_np(pthread_t, const char *);
extern int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);

// CMSG_* are macros.
static inline size_t shim_cmsg_space(size_t length) { return CMSG_SPACE(length); }
static inline size_t shim_cmsg_length(size_t length) { return CMSG_LEN(length); }
static inline struct cmsghdr *shim_cmsg_first(struct msghdr *message) { return CMSG_FIRSTHDR(message); }
static inline struct cmsghdr *shim_cmsg_next(struct msghdr *message, struct cmsghdr *header) {
    return CMSG_NXTHDR(message, header);
}
static inline unsigned char *shim_cmsg_data(struct cmsghdr *header) { return CMSG_DATA(header); }

// A non-blocking, close-on-exec descriptor.
static inline int shim_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// Names the calling thread; at most 15 characters.
static inline int shim_name_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }

// ioctl is variadic in C.
static inline int shim_unsent_bytes(int descriptor, int *count) { return ioctl(descriptor, SIOCOUTQ, count); }

// Waits for descriptors; no timeout when NULL.
static inline int shim_poll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout) {
    return ppoll(descriptors, count, timeout, NULL);
}

// One change to what an epoll instance watches; 0 or the error. One event, then silence until the next change.
static inline int shim_epoll_control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events | EPOLLONESHOT, .data = {.u64 = token}};
    return epoll_ctl(epoll, operation, descriptor, &event) == 0 ? 0 : errno;
}

// Waits without end; the tokens of at most 64 descriptors that are ready. Negative: errno says why.
static inline int shim_epoll_wait(int epoll, uint64_t tokens[64]) {
    struct epoll_event events[64];
    int count = epoll_wait(epoll, events, 64, -1);
    for (int index = 0; index < count; index++) tokens[index] = events[index].data.u64;
    return count;
}
