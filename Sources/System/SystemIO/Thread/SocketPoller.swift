import CTuttiLinux
import Glibc
import TuttiMediaTime

/// Lets one thread wait for several sockets, a deadline and a wake signal.
///
/// For dedicated threads that must be punctual; other code uses Dispatch.
package struct SocketPoller: ~Copyable {
    /// The watched sockets; also keeps their descriptors open.
    private var sockets: [UDPSocket]
    private var local: (listener: LocalListener?, channels: [LocalChannel]) = (nil, [])
    private let signal: WakeSignal
    private var descriptors: [pollfd]

    /// Creates a poller for `sockets`; ``watch(sockets:listener:channels:)`` replaces them.
    package init(sockets: [UDPSocket], signal: WakeSignal) {
        self.sockets = sockets
        self.signal = signal
        descriptors = Self.descriptors(sockets, nil, [], signal)
    }

    /// Replaces the watched sockets. Indices count the sockets, then the listener if any, then the channels.
    package mutating func watch(sockets: [UDPSocket], listener: LocalListener?, channels: [LocalChannel]) {
        self.sockets = sockets
        local = (listener, channels)
        descriptors = Self.descriptors(sockets, listener, channels, signal)
    }

    private static func descriptors(
        _ sockets: [UDPSocket], _ listener: LocalListener?, _ channels: [LocalChannel], _ signal: WakeSignal
    ) -> [pollfd] {
        var numbers = sockets.map { $0.descriptor?.number ?? -1 }
        if let listener { numbers.append(listener.socket.number) }
        numbers += channels.map(\.socket.number)
        return (numbers + [signal.descriptor]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    }

    /// Waits until a socket is readable, the deadline passes (at once if it has passed) or the signal fires.
    ///
    /// - Parameters:
    ///   - deadline: `nil` waits without limit.
    ///   - onReadable: Called with the index of each readable socket. Allocates nothing.
    package mutating func wait(until deadline: HostTime?, onReadable: (Int) -> Void) throws(SystemError) {
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
