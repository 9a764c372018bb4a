import AirPlayMessages
import TuttiDiscovery
import TuttiSystemIO

/// The target of remote commands to a sender (DACP): the sender announces `_dacp._tcp` under its ID and
/// recognizes us by its token.
///
/// iOS from 17.4 on and all PTP sessions name neither (*reported*); older iOS, iTunes and pyatv do.
package struct SenderRemote: Hashable, Sendable {
    private static let patience = Duration.seconds(3)

    /// The DACP ID, up to 16 hexadecimal digits.
    package let id: String
    /// The `Active-Remote` token, a decimal number of 32 bits.
    package let token: String

    /// Returns `nil` unless both are present and well-formed: they go into a DNS query and an HTTP request.
    package init?(dacpID: String?, activeRemote: String?) {
        guard let dacpID, let activeRemote, (1...16).contains(dacpID.utf8.count),
            dacpID.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let token = UInt32(activeRemote)
        else { return nil }
        (id, self.token) = (dacpID, String(token))
    }

    /// Tells the sender that another has the speaker, or that the speaker is free again. Allows 3 s each to
    /// find the sender, to connect and to get a response; does not retry.
    ///
    /// - Parameters:
    ///   - interface: The network interface on which to look for the sender; `nil` for all.
    ///   - machine: Time and sockets.
    package func setPreventsPlayback(
        _ prevents: Bool, on interface: NetworkInterface? = nil, machine: any Machine
    ) async {
        await send(.preventPlayback(prevents), on: interface, machine: machine)
    }

    /// Sends a command, such as that of a button of the speaker; takes as long as
    /// ``setPreventsPlayback(_:on:machine:)``.
    package func send(
        _ command: DACPCommand, on interface: NetworkInterface? = nil, machine: any Machine
    ) async {
        guard let place = await find(on: interface, machine) else { return }
        await Self.deliver(request(command, host: "\(place)"), to: place, machine: machine)
    }

    func request(_ command: DACPCommand, host: String) -> String {
        """
        GET \(command.target) HTTP/1.1\r
        Host: \(host)\r
        Active-Remote: \(token)\r
        Connection: close\r
        \r\n
        """
    }

    /// Looks for the sender's port on the network; `nil` if it cannot be found in time or the network cannot be searched.
    private func find(on interface: NetworkInterface?, _ machine: any Machine) async -> SocketAddress? {
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
            await machine.pause(for: Self.patience)
            search.cancel()
        }
        defer { timer.cancel() }
        return await search.value
    }

    /// Sends the request and waits for the first bytes of a response, whatever they say. A sender that does not take the
    /// connection misses the command.
    static func deliver(_ request: String, to place: SocketAddress, machine: any Machine) async {
        guard let connection = try? await machine.connect(to: place, timeout: patience) else { return }
        let (answers, answered) = AsyncStream<Void>.makeStream()
        connection.start(onBytes: { _ in answered.finish() }, onClose: { _ in answered.finish() })
        connection.send(Array(request.utf8))
        let timer = Task {
            await machine.pause(for: patience)
            answered.finish()
        }
        for await _ in answers {}
        timer.cancel()
        connection.close()
    }
}
