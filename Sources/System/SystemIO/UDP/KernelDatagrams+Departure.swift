import CTuttiLinux
import Glibc
import Synchronization
import TuttiMediaTime

extension KernelDatagrams {
    /// `SO_TIMESTAMPING` in its form for a 64-bit `timespec`; also the type of the control message.
    private static let departureOption: Int32 =
        MemoryLayout<time_t>.size == MemoryLayout<Int>.size ? 37 : 65
    /// `SOF_TIMESTAMPING_TX_SOFTWARE`, `…_SOFTWARE` and `…_OPT_TSONLY`.
    private static let departureFlags = Int32(1 << 1 | 1 << 4 | 1 << 11)
    /// Tolerance for a kernel stamp, which is on the wall clock, that seems to precede the call.
    private static let tolerance = Duration.microseconds(50)

    func stampDepartures() {
        do {
            try socket.setOption(SOL_SOCKET, Self.departureOption, to: Self.departureFlags)
            stampsDepartures.store(true, ordering: .relaxed)
        } catch {
            // Kernels without transmit stamps fall back to the clock.
        }
    }

    func sendStamped(
        _ bytes: UnsafeRawBufferPointer, to peer: SocketAddress, from source: IPAddress?
    ) throws(SystemError) -> HostTime? {
        let isStamped = stampsDepartures.load(ordering: .relaxed)
        if isStamped { dropDepartures() }
        let before = SystemClock.now
        guard try send(bytes, to: peer, from: source) else { return nil }
        guard isStamped, let stamp = nextDeparture(), stamp >= before.advanced(by: .zero - Self.tolerance)
        else {
            return before
        }
        return max(before, stamp)
    }

    /// Drops late stamps, which are useless and would keep the socket readable.
    func dropDepartures() {
        while nextDeparture() != nil {}
    }

    /// Takes the oldest queued stamp.
    private func nextDeparture() -> HostTime? {
        withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { control in
            var message = msghdr(
                msg_name: nil, msg_namelen: 0, msg_iov: nil, msg_iovlen: 0,
                msg_control: control.baseAddress, msg_controllen: control.count, msg_flags: 0)
            guard recvmsg(socket.number, &message, Int32(MSG_ERRQUEUE | MSG_DONTWAIT)) >= 0
            else { return nil }
            // An entry without a stamp counts as long past.
            return Self.stamp(of: &message, type: Self.departureOption) ?? HostTime(nanoseconds: .min / 2)
        }
    }
}
