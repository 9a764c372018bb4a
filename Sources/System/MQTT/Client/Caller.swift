import TuttiSystemIO

/// The attempts to connect, one after the other.
struct Caller: Sendable {
    private static let connectTime = Duration.seconds(5)

    let configuration: MQTTConfiguration
    let mailbox: ClientMailbox
    let jitter: @Sendable () -> Double
    /// Waits before the next attempt; ends early when its task is cancelled.
    let pause: @Sendable (Duration) async -> Void
    let onEvent: @Sendable (MQTTEvent) -> Void

    func run() async {
        var delay = ReconnectDelay()
        var version = MosquittoConnection.Version.five
        while !mailbox.isStopped, !Task.isCancelled {
            let end = await call(version)
            guard !mailbox.isStopped, !Task.isCancelled else { return }
            if let failure = end.failure { onEvent(.disconnected(failure)) }
            if end.suggestsOtherVersion { version = version == .five ? .three : .five }
            await pause(delay.next(after: end.life, jitter: jitter()))
        }
    }

    private func call(_ version: MosquittoConnection.Version) async -> ConnectionThread.End {
        do throws(MQTTFailure) {
            let address = try await findAddress()
            // The certificate has the name.
            let host = configuration.encryption == nil ? "\(address.address)" : configuration.broker
            let thread = ConnectionThread(
                configuration: configuration, version: version, host: host, mailbox: mailbox
            ) { event in
                if event == .connected { mailbox.setConnected(true) }
                onEvent(event)
            }
            defer { mailbox.setConnected(false) }
            return await thread.run()
        } catch {
            return ConnectionThread.End(failure: error)
        }
    }

    /// Finds an address at which somebody answers.
    ///
    /// The library waits for minutes for a silent address, or tries the first one only; this is why a
    /// connection of our own goes ahead, and is closed at once.
    private func findAddress() async throws(MQTTFailure) -> SocketAddress {
        let addresses: [SocketAddress]
        do { addresses = try await HostName.resolve(configuration.broker, port: configuration.port) } catch {
            throw .noSuchHost(configuration)
        }
        var reason = "it has no address"
        for address in addresses.prefix(4) {
            do {
                let connection = try await TCPConnection.connect(to: address, timeout: Self.connectTime)
                connection.close()
                return address
            } catch {
                reason = error.text.prefix(1).lowercased() + error.text.dropFirst()
            }
        }
        throw .unreachable(configuration, reason)
    }
}
