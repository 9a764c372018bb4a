import AirPlaySender
import Discovery
import Dispatch
import Synchronization
import SystemIO

/// Where the speakers of one group find us with their remote commands: a ``DACPServer``, and its announcement
/// as `_dacp._tcp`.
///
/// A machine without multicast DNS announces nothing, and the speakers then have their event channel alone.
final class SpeakerRemoteControl: Sendable {
    private struct Announcement: Sendable {
        let responder: MulticastResponder
        let advertiser: ServiceAdvertiser
    }

    private enum State: Sendable {
        case starting
        case announced(Announcement)
        case closed
    }

    let server: DACPServer
    private let state = Mutex(State.starting)
    /// Asking the system's daemon waits for it, and so do the goodbyes.
    private let queue = DispatchQueue(label: "tutti.dacp")

    /// - Parameters:
    ///   - address: Of the interface that the speakers are on; `nil` is all.
    ///   - speakers: Addresses of the speakers that were chosen; those that a session has reached count, too.
    ///   - surface: What carries out the commands; not kept.
    /// - Throws: when no port can be had.
    init(
        identity: SenderIdentity, at address: IPAddress?, speakers: Set<IPAddress>,
        for surface: SpeakerSurface
    ) throws(SystemError) {
        server = try DACPServer(
            identity: identity, at: address,
            admits: { [weak surface] address in
                speakers.contains(address) || surface?.reaches(address) == true
            },
            handler: { [weak surface] command, speaker, answer in
                guard let surface else { return answer(.failed) }
                surface.take(command, from: speaker, answer: answer)
            })
        queue.async { [weak self] in self?.announce(as: identity.dacpID, at: address) }
    }

    /// Takes no more commands, and says so on the network.
    func close() {
        server.close()
        let old = state.withLock { state in
            defer { state = .closed }
            return state
        }
        guard case .announced(let announcement) = old else { return }
        queue.async { Self.withdraw(announcement) }
    }

    private func announce(as id: String, at address: IPAddress?) {
        let interface = address.flatMap { try? NetworkInterface.having(address: "\($0)") }
        // Without it nobody finds the server, which is no reason not to play.
        guard let responder = try? MulticastResponder(interface: interface) else { return }
        let service = AdvertisedService(
            kind: .dacp, port: server.port,
            txt: [TXTEntry(key: "txtvers", value: "1"), TXTEntry(key: "Ver", value: "131075")])
        let advertiser = ServiceAdvertiser(
            name: "iTunes_Ctrl_\(id)", services: [service], hostLabel: "tutti-\(id.lowercased())",
            addresses: address.map { [$0] } ?? [], responder: responder)
        let announcement = Announcement(responder: responder, advertiser: advertiser)
        let isClosed = state.withLock { state in
            if case .closed = state { return true }
            state = .announced(announcement)
            return false
        }
        if isClosed { Self.withdraw(announcement) }
    }

    private static func withdraw(_ announcement: Announcement) {
        announcement.advertiser.close()
        announcement.responder.close()
    }
}
