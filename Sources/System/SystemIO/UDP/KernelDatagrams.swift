import CTuttiLinux
import Glibc
import Synchronization
import TuttiMediaTime

/// A UDP socket of the kernel.
final class KernelDatagrams: DatagramSocket {
    let address: SocketAddress

    let socket: SocketDescriptor
    /// Set before the first send.
    let stampsDepartures = Atomic<Bool>(false)
    private let receiving: Mutex<ReceiveBuffers>

    private struct ReceiveBuffers {
        var bytes: [UInt8]
        /// 64-bit words, for the alignment of control messages.
        var control = [UInt64](repeating: 0, count: 32)

        init(datagramBytes: Int) { bytes = [UInt8](repeating: 0, count: max(1, datagramBytes)) }
    }

    init(
        at address: SocketAddress, receiveBufferBytes: Int?, datagramBytes: Int
    ) throws(SystemError) {
        receiving = Mutex(ReceiveBuffers(datagramBytes: datagramBytes))
        socket = try SocketDescriptor(family: address.address.family, type: SOCK_DGRAM)
        if address.address.family == .v6 {
            try socket.setOption(Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: Int32(1))
        }
        try socket.setOption(SOL_SOCKET, Self.stampOption, to: Int32(1))
        if let receiveBufferBytes {
            try socket.setOption(SOL_SOCKET, SO_RCVBUF, to: Int32(clamping: receiveBufferBytes))
        }
        try socket.bind(to: address)
        self.address = try socket.localAddress()
    }

    init(adopting passed: PassedDescriptor, stampsDepartures: Bool) throws(SystemError) {
        receiving = Mutex(ReceiveBuffers(datagramBytes: UDPSocket.longestDatagram))
        socket = passed.descriptor
        guard try socket.option(SOL_SOCKET, SO_TYPE) == Int32(SOCK_DGRAM.rawValue) else {
            throw SystemError(operation: "adopt", code: EPROTOTYPE)
        }
        address = try socket.localAddress()
        self.stampsDepartures.store(stampsDepartures, ordering: .relaxed)
    }

    var descriptor: SocketDescriptor? { socket }

    /// `SO_TIMESTAMPNS` in its form for a 64-bit `timespec`; also the type of the control message.
    private static let stampOption: Int32 = MemoryLayout<time_t>.size == MemoryLayout<Int>.size ? 35 : 64

    func receive(
        _ body: (_ bytes: ArraySlice<UInt8>, _ source: SocketAddress, _ receivedAt: HostTime) -> Void
    ) throws(SystemError) -> Bool {
        let failure: SystemError? = receiving.withLock { buffers in
            var header = Received()
            if let error = read(into: &buffers, &header) { return error }
            guard let source = header.source else { return nil }
            body(buffers.bytes[..<header.count], source, header.receivedAt)
            return nil
        }
        guard let failure else { return true }
        if failure.code == EAGAIN {
            if stampsDepartures.load(ordering: .relaxed) { dropDepartures() }
            return false
        }
        if failure.code == EINTR || failure.code == ECONNREFUSED { return true }
        throw failure
    }

    func send(
        _ bytes: UnsafeRawBufferPointer, to peer: SocketAddress, from source: IPAddress?
    ) throws(SystemError) -> Bool {
        let count = peer.withSockaddr { name, length in
            transmit(bytes, name, length, from: source)
        }
        if count >= 0 { return true }
        let error = SystemError.last("sendmsg")
        if error.code == EAGAIN || error.code == ENOBUFS || error.code == EINTR { return false }
        throw error
    }

    func mark(as traffic: TrafficClass) {
        // A kernel that refuses sends as before. The mark sets a priority, too, so it comes first.
        if address.address.family == .v4 {
            try? socket.setOption(Int32(IPPROTO_IP), IP_TOS, to: traffic.mark)
        } else {
            try? socket.setOption(Int32(IPPROTO_IPV6), IPV6_TCLASS, to: traffic.mark)
        }
        try? socket.setOption(SOL_SOCKET, SO_PRIORITY, to: TrafficClass.priority)
    }

    func readiness(on queue: SerialQueue, _ handler: @escaping @Sendable () -> Void) -> any Readiness {
        ReadinessSource(.readable, of: socket, on: queue, handler)
    }
}

extension KernelDatagrams {
    private struct Received {
        var count = 0
        /// The sender; `nil` if there is nothing to deliver.
        var source: SocketAddress?
        var receivedAt = HostTime(nanoseconds: 0)
    }

    private func read(into buffers: inout ReceiveBuffers, _ received: inout Received) -> SystemError? {
        var name = sockaddr_storage()
        return buffers.bytes.withUnsafeMutableBytes { bytes in
            buffers.control.withUnsafeMutableBytes { control in
                withUnsafeMutableBytes(of: &name) { name in
                    var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                    return withUnsafeMutablePointer(to: &part) { part in
                        var message = msghdr(
                            msg_name: name.baseAddress, msg_namelen: socklen_t(name.count), msg_iov: part,
                            msg_iovlen: 1, msg_control: control.baseAddress, msg_controllen: control.count,
                            msg_flags: 0)
                        let count = recvmsg(socket.number, &message, 0)
                        guard count >= 0 else { return SystemError.last("recvmsg") }
                        received.receivedAt =
                            Self.stamp(of: &message, type: Self.stampOption) ?? SystemClock.now
                        received.count = count
                        guard message.msg_flags & Int32(MSG_TRUNC) == 0, let base = name.baseAddress
                        else { return nil }
                        received.source = SocketAddress(
                            UnsafeRawPointer(base), length: Int(message.msg_namelen))
                        return nil
                    }
                }
            }
        }
    }

    /// Returns the kernel's stamp of this type from the control messages.
    static func stamp(of message: inout msghdr, type: Int32) -> HostTime? {
        var next = shim_cmsg_first(&message)
        while let header = next {
            if header.pointee.cmsg_level == SOL_SOCKET, header.pointee.cmsg_type == type,
                header.pointee.cmsg_len >= shim_cmsg_length(MemoryLayout<timespec>.size),
                let data = shim_cmsg_data(header)
            {
                let wall = UnsafeRawPointer(data).loadUnaligned(as: timespec.self).inNanoseconds
                return KernelStamp.hostTime(ofWall: wall)
            }
            next = shim_cmsg_next(&message, header)
        }
        return nil
    }

    private func transmit(
        _ bytes: UnsafeRawBufferPointer, _ name: UnsafePointer<sockaddr>, _ nameLength: socklen_t,
        from source: IPAddress?
    ) -> Int {
        var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &part) { part in
            var message = msghdr(
                msg_name: UnsafeMutableRawPointer(mutating: name), msg_namelen: nameLength, msg_iov: part,
                msg_iovlen: 1, msg_control: nil, msg_controllen: 0, msg_flags: 0)
            guard let source else { return sendmsg(socket.number, &message, Int32(MSG_NOSIGNAL)) }
            return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { control in
                message.msg_control = control.baseAddress
                message.msg_controllen = control.count
                message.msg_controllen = Self.writeSource(source, into: &message)
                return sendmsg(socket.number, &message, Int32(MSG_NOSIGNAL))
            }
        }
    }

    /// Writes the control message with the source address.
    ///
    /// - Returns: The space used.
    private static func writeSource(_ source: IPAddress, into message: inout msghdr) -> Int {
        if source.family == .v4 {
            let info = in_pktinfo(ipi_ifindex: 0, ipi_spec_dst: source.inet4, ipi_addr: in_addr())
            return write(info, level: Int32(IPPROTO_IP), type: IP_PKTINFO, into: &message)
        }
        let (high, low) = source.v6Bits
        let info = PacketInfoV6(high: high.bigEndian, low: low.bigEndian, interface: source.scopeID)
        return write(info, level: Int32(IPPROTO_IPV6), type: IPV6_PKTINFO, into: &message)
    }

    /// `struct in6_pktinfo`, which the C library's headers hide.
    private struct PacketInfoV6: BitwiseCopyable {
        var high: UInt64
        var low: UInt64
        var interface: UInt32
    }

    private static func write<Info: BitwiseCopyable>(
        _ info: Info, level: Int32, type: Int32, into message: inout msghdr
    ) -> Int {
        guard let header = shim_cmsg_first(&message), let data = shim_cmsg_data(header) else { return 0 }
        header.pointee.cmsg_level = level
        header.pointee.cmsg_type = type
        header.pointee.cmsg_len = shim_cmsg_length(MemoryLayout<Info>.size)
        UnsafeMutableRawPointer(data).storeBytes(of: info, as: Info.self)
        return shim_cmsg_space(MemoryLayout<Info>.size)
    }
}
