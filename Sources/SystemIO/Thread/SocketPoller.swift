internal import CLinux
internal import Glibc
public import MediaTime

/// Lets one thread wait for several sockets, a deadline and a wake signal.
///
/// For threads of their own that need to be punctual; everything else uses Dispatch.
public struct SocketPoller: ~Copyable {
    /// Keep the descriptors open.
    private var sockets: [UDPSocket]
    private var local: (listener: LocalListener?, channels: [LocalChannel]) = (nil, [])
    private let signal: WakeSignal
    private var descriptors: [pollfd]

    public init(sockets: [UDPSocket], signal: WakeSignal) {
        self.sockets = sockets
        self.signal = signal
        descriptors = Self.descriptors(sockets, nil, [], signal)
    }

    /// Replaces what is waited for. Indices count the sockets, then the listener if there is one, then the channels.
    public mutating func watch(sockets: [UDPSocket], listener: LocalListener?, channels: [LocalChannel]) {
        self.sockets = sockets
        local = (listener, channels)
        descriptors = Self.descriptors(sockets, listener, channels, signal)
    }

    private static func descriptors(
        _ sockets: [UDPSocket], _ listener: LocalListener?, _ channels: [LocalChannel], _ signal: WakeSignal
    ) -> [pollfd] {
        var numbers = sockets.map(\.socket.number)
        if let listener { numbers.append(listener.socket.number) }
        numbers += channels.map(\.socket.number)
        return (numbers + [signal.descriptor]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
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
        let last = descriptors.count - 1
        for index in 0..<last where descriptors[index].revents != 0 { onReadable(index) }
        if descriptors[last].revents != 0 { signal.clear() }
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
