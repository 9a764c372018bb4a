// No _GNU_SOURCE here: it changes fd_set, and the compiler refuses two forms of one structure
// (this module's and that of the C headers under Dispatch). What needs it is declared by hand.
#include <malloc.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <link.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

extern int memfd_create(const char *, unsigned int);
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

// SCHED_RESET_ON_FORK, for which <sched.h> wants _GNU_SOURCE.
static const int shim_reset_on_fork = 0x40000000;

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

// Sends one message with at most 64 descriptors.
static inline ssize_t shim_send_descriptors(
    int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
    union { struct cmsghdr header; char space[CMSG_SPACE(64 * sizeof(int))]; } control;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count > 64) { errno = EINVAL; return -1; }
    if (descriptor_count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, descriptor_count * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Takes one message with at most 64 descriptors, which are closed on exec; the kernel drops further ones.
// *cut says whether bytes or descriptors did not fit.
static inline ssize_t shim_receive_descriptors(
    int socket, void *bytes, size_t capacity, int descriptors[64], size_t *descriptor_count, int *cut) {
    union { struct cmsghdr header; char space[CMSG_SPACE(64 * sizeof(int))]; } control;
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *descriptor_count = 0;
    ssize_t count = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (count < 0) return count;
    *cut = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < found; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
            if (*descriptor_count < 64) descriptors[(*descriptor_count)++] = descriptor; else close(descriptor);
        }
    }
    return count;
}

// A local address; -1 when the path is too long.
static inline int shim_local_address(struct sockaddr_un *address, const char *path) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) return -1;
    strcpy(address->sun_path, path);
    return 0;
}

// Process, user and group at the other end of a local connection (struct ucred wants _GNU_SOURCE).
static inline int shim_peer_credentials(int socket, int credentials[3]) {
    socklen_t length = 3 * sizeof(int);
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, credentials, &length);
}

// A file of no folder that cannot change its size: MFD_CLOEXEC | MFD_ALLOW_SEALING, F_ADD_SEALS with all but F_SEAL_WRITE.
static inline int shim_sealed_memory(const char *name, off_t size) {
    int descriptor = memfd_create(name, 0x1 | 0x2);
    if (descriptor < 0) return -1;
    if (ftruncate(descriptor, size) != 0 || fcntl(descriptor, 1024 + 9, 0x1 | 0x2 | 0x4) != 0) {
        int error = errno;
        close(descriptor);
        errno = error;
        return -1;
    }
    return descriptor;
}

// Locks of open file descriptions (F_OFD_GETLK 36, F_OFD_SETLK 37) on one byte.
static inline int shim_lock_byte(int descriptor, off_t offset, int locks) {
    struct flock lock = {
        .l_type = locks ? F_WRLCK : F_UNLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    return fcntl(descriptor, 37, &lock);
}

// Whether another description has the byte: 0 or 1, negative when that cannot be told.
static inline int shim_byte_is_locked(int descriptor, off_t offset) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    if (fcntl(descriptor, 36, &lock) != 0) return -1;
    return lock.l_type != F_UNLCK;
}

// The first members of dl_phdr_info, which <link.h> declares with _GNU_SOURCE only.
struct shim_loaded_file {
    ElfW(Addr) address;
    const char *path;
    const ElfW(Phdr) *headers;
    ElfW(Half) header_count;
};
struct dl_phdr_info;
extern int dl_iterate_phdr(int (*)(struct dl_phdr_info *, size_t, void *), void *);

// A segment of a loaded library: its addresses, and whether it is mapped for writing.
struct shim_segment { uintptr_t start; uintptr_t end; int is_writable; };

typedef void (*shim_library_visitor)(const struct shim_segment *segments, int count);
struct shim_library_visit { shim_library_visitor visitor; };

// Visits the file if it is a library and the loader has written nothing into segments that are not writable.
static inline int shim_visit_library(struct dl_phdr_info *info, size_t size, void *opaque) {
    const struct shim_loaded_file *file = (const void *)info;
    const struct shim_library_visit *visit = opaque;
    struct shim_segment segments[16];
    int count = 0;
    (void)size;
    // The program and the kernel's own page have no path.
    if (!file->path || file->path[0] != '/') return 0;
    for (int index = 0; index < file->header_count; index++) {
        const ElfW(Phdr) *header = &file->headers[index];
        uintptr_t start = file->address + header->p_vaddr;
        if (header->p_type == PT_DYNAMIC) {
            for (const ElfW(Dyn) *entry = (const void *)start; entry->d_tag != DT_NULL; entry++)
                if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL)) return 0;
        } else if (header->p_type == PT_LOAD) {
            if (count == 16) return 0;
            segments[count++] = (struct shim_segment){
                .start = start, .end = start + header->p_memsz, .is_writable = (header->p_flags & PF_W) != 0};
        }
    }
    visit->visitor(segments, count);
    return 0;
}

// Calls `visitor` with the segments of each loaded library, not of the program itself. The loader's lock is held: no
// library is unloaded meanwhile.
static inline void shim_visit_libraries(shim_library_visitor visitor) {
    struct shim_library_visit visit = {.visitor = visitor};
    dl_iterate_phdr(shim_visit_library, &visit);
}
