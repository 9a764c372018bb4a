public import Discovery
internal import SystemIO

/// Where a sender takes remote commands (DACP): it announces `_dacp._tcp` under its id and knows us by its token.
///
/// iOS from 17.4 on and all sessions with PTP name neither (*reported*); older iOS, iTunes and pyatv do.
public struct SenderRemote: Hashable, Sendable {
    private static let patience = Duration.seconds(3)

    /// 16 hexadecimal digits.
    public let id: String
    /// A decimal number of 32 bits.
    public let token: String

    /// `nil` unless both are there and are what they have to be: they go into a question and a request.
    public init?(dacpID: String?, activeRemote: String?) {
        guard let dacpID, let activeRemote, (1...16).contains(dacpID.utf8.count),
            dacpID.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let token = UInt32(activeRemote)
        else { return nil }
        (id, self.token) = (dacpID, String(token))
    }

    /// Tells the sender that somebody else has the speaker, or that it is free again. Who does not answer is not
    /// asked again.
    ///
    /// - Parameter interface: Where the sender is looked for; `nil` is everywhere.
    public func setPreventsPlayback(_ prevents: Bool, on interface: NetworkInterface? = nil) async {
        guard let place = await find(on: interface) else { return }
        await Self.deliver(request(prevents, host: "\(place)"), to: place)
    }

    func request(_ prevents: Bool, host: String) -> String {
        """
        GET /ctrl-int/1/setproperty?dmcp.device-prevent-playback=\(prevents ? 1 : 0) HTTP/1.1\r
        Host: \(host)\r
        Active-Remote: \(token)\r
        Connection: close\r
        \r\n
        """
    }

    private func find(on interface: NetworkInterface?) async -> SocketAddress? {
        let search = Task { () -> SocketAddress? in
            let browser = ServiceBrowser(interface: interface, kinds: [.dacp])
            guard let events = try? await browser.preferring(["itunes_ctrl_\(id)"]).events() else {
                return nil
            }
            for await event in events {
                let service = event.service
                guard service.name.lowercased() == "itunes_ctrl_\(id.lowercased())" else { continue }
                return service.addresses.first.map { SocketAddress($0, port: service.port) }
            }
            return nil
        }
        let timer = Task {
            try? await Task.sleep(for: Self.patience)
            search.cancel()
        }
        defer { timer.cancel() }
        return await search.value
    }

    /// Sends the request and waits for the beginning of an answer, whatever it says.
    static func deliver(_ request: String, to place: SocketAddress) async {
        guard let connection = try? await TCPConnection.connect(to: place, timeout: patience) else { return }
        let (answers, answered) = AsyncStream<Void>.makeStream()
        connection.start(onBytes: { _ in answered.finish() }, onClose: { _ in answered.finish() })
        connection.send(Array(request.utf8))
        let timer = Task {
            try? await Task.sleep(for: patience)
            answered.finish()
        }
        for await _ in answers {}
        timer.cancel()
        connection.close()
    }
}
