internal import CLinux
internal import Glibc
public import MediaTime

/// Lets one thread wait for several sockets, a deadline and a wake signal.
///
/// For threads of their own that need to be punctual; everything else uses Dispatch.
public struct SocketPoller: ~Copyable {
    private let sockets: [UDPSocket]
    private let signal: WakeSignal
    private var descriptors: [pollfd]

    public init(sockets: [UDPSocket], signal: WakeSignal) {
        self.sockets = sockets
        self.signal = signal
        descriptors = (sockets.map(\.socket.number) + [signal.descriptor]).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
    }

    /// Waits until something is to be done: a datagram, the deadline (at once when it has passed), or the signal.
    ///
    /// - Parameters:
    ///   - deadline: `nil` waits without end.
    ///   - onReadable: Called with the index of each socket where datagrams wait. Allocates nothing.
    public mutating func wait(until deadline: HostTime?, onReadable: (Int) -> Void) throws(SystemError) {
        let count = poll(until: deadline)
        guard count >= 0 else {
            if errno == EINTR { return }
            throw .last("ppoll")
        }
        guard count > 0 else { return }
        for index in sockets.indices where descriptors[index].revents != 0 { onReadable(index) }
        if descriptors[sockets.count].revents != 0 { signal.clear() }
    }

    private mutating func poll(until deadline: HostTime?) -> Int32 {
        let count = nfds_t(descriptors.count)
        guard let deadline else { return shim_poll(&descriptors, count, nil) }
        let now = SystemClock.now
        let nanoseconds = deadline > now ? max(0, deadline.since(now).wholeNanoseconds) : 0
        var timeout = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        return shim_poll(&descriptors, count, &timeout)
    }
}
