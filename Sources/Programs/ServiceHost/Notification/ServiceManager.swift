import Glibc

/// The connection to the service manager, `systemd` or another that speaks its protocol. Any thread; never blocks.
///
/// Without a manager, every call does nothing.
package final class ServiceManager: Sendable {
    private let socket: NotificationSocket?
    /// The longest time between two signs of health; `nil` without a watchdog.
    package let watchdogLimit: Duration?

    /// Opens the connection; without a socket, the object does nothing.
    package init(_ environment: ServiceEnvironment) {
        socket = environment.socketAddress.flatMap(NotificationSocket.init)
        watchdogLimit = environment.watchdogLimit
    }

    /// Sends notices in one message.
    ///
    /// - Returns: `false` if there is no manager, or if it did not take the message.
    @discardableResult
    package func send(_ notices: ServiceNotice...) -> Bool {
        socket?.send(notices.map(\.text).joined(separator: "\n")) ?? false
    }

    /// Tells the manager twice in each of its limits that the service is healthy, until the task is cancelled. Returns
    /// at once without a watchdog.
    ///
    /// - Parameters:
    ///   - sleep: Waits for a time, and throws when the task is cancelled.
    ///   - isHealthy: Asked before each sign. While it does not answer, or answers `false`, the manager hears nothing;
    ///     after the limit it ends the service.
    package func keepWatchdog(
        sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        isHealthy: @Sendable () async -> Bool
    ) async {
        guard let watchdogLimit else { return }
        while !Task.isCancelled {
            if await isHealthy() { send(.watchdog) }
            // Only cancellation ends the sleep early.
            guard (try? await sleep(watchdogLimit / 2)) != nil else { return }
        }
    }
}

/// The datagram socket to the manager.
private final class NotificationSocket: Sendable {
    private let descriptor: Int32
    private let address: String

    init?(_ address: String) {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_UNIX, kind, 0)
        self.address = address
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return withAddress { address, length in
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            return sendto(descriptor, bytes, bytes.count, flags, address, length) == bytes.count
        }
    }

    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(address.utf8)
        // An abstract address has no final zero, so its length counts.
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        let capacity = MemoryLayout.size(ofValue: target.sun_path)
        guard bytes.count < capacity else { return false }
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: bytes) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(offset + bytes.count + (bytes.first == 0 ? 0 : 1))
        return withUnsafePointer(to: target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
