// Makes ptp4l a speaker's clock that insists: LD_PRELOAD=skewed.so TUTTI_SKEW=ORIGIN,EPOCH,PPB TUTTI_SKEW_PEER=ADDRESS ptp4l ...
//
// ptp4l serves the kernel's timestamps, which are on the wall clock; software clocks of a namespace cannot be skewed. So each
// timestamp that it reads becomes
//
//     EPOCH + (time - ORIGIN) + (time - ORIGIN) * PPB / 10^9        nanoseconds, integers, rounded towards zero
//
// and that is the truth for whoever knows the numbers. What it sends by multicast goes to one address, as speakers do it.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const long long second = 1000000000;
static long long origin, epoch, ppb;
static struct in_addr peer;
static ssize_t (*real_recvmsg)(int, struct msghdr *, int);
static ssize_t (*real_sendto)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);

__attribute__((constructor)) static void begin(void) {
    const char *skew = getenv("TUTTI_SKEW"), *address = getenv("TUTTI_SKEW_PEER");
    if (!skew || sscanf(skew, "%lld,%lld,%lld", &origin, &epoch, &ppb) != 3 || !address || !inet_aton(address, &peer)) {
        fputs("skewed: TUTTI_SKEW=ORIGIN,EPOCH,PPB and TUTTI_SKEW_PEER=ADDRESS are needed\n", stderr);
        _exit(2);
    }
    real_recvmsg = dlsym(RTLD_NEXT, "recvmsg");
    real_sendto = dlsym(RTLD_NEXT, "sendto");
}

static void skew(struct timespec *time) {
    if (!time->tv_sec && !time->tv_nsec) return;  // no timestamp of this kind
    long long passed = time->tv_sec * second + time->tv_nsec - origin;
    long long skewed = epoch + passed + (long long)((__int128)passed * ppb / second);
    time->tv_sec = skewed / second;
    time->tv_nsec = skewed % second;
}

ssize_t recvmsg(int socket, struct msghdr *message, int flags) {
    ssize_t count = real_recvmsg(socket, message, flags);
    if (count < 0) return count;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        struct timespec times[3];
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SO_TIMESTAMPING) continue;
        if (part->cmsg_len < CMSG_LEN(sizeof times)) continue;
        memcpy(times, CMSG_DATA(part), sizeof times);
        for (int kind = 0; kind < 3; kind++) skew(&times[kind]);
        memcpy(CMSG_DATA(part), times, sizeof times);
    }
    return count;
}

ssize_t sendto(
    int socket, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t length) {
    struct sockaddr_in to;
    unsigned char copy[1500];
    if (!address || length < sizeof to || count < 8 || count > sizeof copy || address->sa_family != AF_INET)
        return real_sendto(socket, bytes, count, flags, address, length);
    memcpy(&to, address, sizeof to);
    if (!IN_MULTICAST(ntohl(to.sin_addr.s_addr))) return real_sendto(socket, bytes, count, flags, address, length);
    to.sin_addr = peer;
    memcpy(copy, bytes, count);
    copy[6] |= 4;  // the flag of unicast
    return real_sendto(socket, copy, count, flags, (struct sockaddr *)&to, sizeof to);
}
