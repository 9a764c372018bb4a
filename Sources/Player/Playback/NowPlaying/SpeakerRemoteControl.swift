import AirPlaySender
import Synchronization
import TuttiDiscovery
import TuttiSystemIO

/// The endpoint for the remote commands of a group's speakers: a ``DACPServer``, and its announcement as
/// `_dacp._tcp`.
///
/// Without multicast DNS nothing is announced, and the speakers have only their event channel.
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
    /// Requests to the system's mDNS daemon block, and so do the goodbyes.
    private let queue: SerialQueue

    /// - Parameters:
    ///   - address: The address of the interface to the speakers; `nil` for all interfaces.
    ///   - speakers: Addresses of the chosen speakers. Speakers with a session on `surface` are admitted too.
    ///   - surface: Carries out the commands; not retained.
    /// - Throws: If no port is available.
    init(
        identity: SenderIdentity, at address: IPAddress?, speakers: Set<IPAddress>,
        for surface: SpeakerSurface, machine: any Machine
    ) throws(SystemError) {
        queue = machine.makeQueue("tutti.dacp")
        server = try DACPServer(
            identity: identity, at: address, machine: machine,
            admits: { [weak surface] address in
                speakers.contains(address) || surface?.reaches(address) == true
            },
            handler: { [weak surface] command, speaker, answer in
                guard let surface else { return answer(.failed) }
                surface.take(command, from: speaker, answer: answer)
            })
        // Speakers find the server by the mDNS of the machine.
        guard machine.hasOtherPrograms else { return }
        queue.async { [weak self] in self?.announce(as: identity.dacpID, at: address) }
    }

    /// Closes the server and withdraws the announcement.
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
        // An address that is gone is announced on all interfaces.
        let interface = address.flatMap { try? NetworkInterface.having(address: "\($0)") }
        // Without a responder no speaker finds the server, but playback works.
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
