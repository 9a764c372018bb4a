import AirPlaySender
import Foundation
import SystemIO

/// The speakers that the user's programs for long sounds chose last: a small file of the user's.
///
/// `$XDG_STATE_HOME/tutti/route.json`, else `~/.local/state/tutti/route.json`, mode 0600. No passwords are in it.
struct RouteMemory: Sendable {
    struct Speaker: Codable, Hashable, Sendable {
        var id: String
        var name: String
        /// Tried in order.
        var endpoints: [Endpoint]
    }

    struct Endpoint: Codable, Hashable, Sendable {
        var address: String
        var port: UInt16
    }

    /// A file that is longer was not written here.
    private static let byteLimit = 64 * 1024
    private static let speakerLimit = 64

    let path: String

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/state"
        path = state + "/tutti/route.json"
    }

    /// Nothing when nothing is remembered, or the file makes no sense.
    func read() -> [Speaker] {
        guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: Self.byteLimit),
            let speakers = try? JSONDecoder().decode([Speaker].self, from: data)
        else { return [] }
        return Array(speakers.prefix(Self.speakerLimit))
    }

    /// What cannot be written is not remembered.
    func write(_ speakers: [Speaker]) {
        guard let data = try? JSONEncoder().encode(speakers) else { return }
        let folder = (path as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let temporary = "\(path).\(UUID().uuidString)"
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: data, attributes: [.posixPermissions: 0o600])
        else { return }
        if rename(temporary, path) != 0 { try? FileManager.default.removeItem(atPath: temporary) }
    }
}

extension RouteCatalogue {
    /// What a choice for long sounds is remembered as; of one device of this machine, nothing.
    func remember(_ targets: [(id: RouteOption.ID, target: SpeakerTarget)]) {
        guard state.withLock({ $0.isDeep }) else { return }
        memory.write(
            targets.map { one in
                RouteMemory.Speaker(
                    id: one.id, name: one.target.name,
                    endpoints: one.target.addresses.map {
                        RouteMemory.Endpoint(address: "\($0.address)", port: $0.port)
                    })
            })
    }

    /// Uses again what was used last.
    func recall() {
        let options = state.withLock { $0.options }
        let targets = memory.read().compactMap { speaker -> (id: RouteOption.ID, target: SpeakerTarget)? in
            let addresses = speaker.endpoints.compactMap { endpoint in
                IPAddress(endpoint.address).map { SocketAddress($0, port: endpoint.port) }
            }
            guard !addresses.isEmpty else { return nil }
            return (
                speaker.id,
                SpeakerTarget(name: speaker.name, addresses: addresses, localAddress: options.localAddress)
            )
        }
        // A clock that cannot be had now is told of when somebody chooses.
        if !targets.isEmpty { try? select(targets, options: options, fallsBack: true) }
    }
}
