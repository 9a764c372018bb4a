import AirPlaySender
import Foundation
import SystemIO

/// The speakers that the user's long-form programs chose last, stored in a small file.
///
/// `$XDG_STATE_HOME/tutti/route.json`, else `~/.local/state/tutti/route.json`, mode 0600. The file contains
/// no passwords.
struct RouteMemory: Sendable {
    struct Speaker: Codable, Hashable, Sendable {
        var id: String
        var name: String
        /// Addresses to try, in order.
        var endpoints: [Endpoint]
    }

    struct Endpoint: Codable, Hashable, Sendable {
        var address: String
        var port: UInt16
    }

    /// A longer file was not written by this code.
    private static let byteLimit = 64 * 1024
    private static let speakerLimit = 64

    let path: String

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/state"
        path = state + "/tutti/route.json"
    }

    /// Returns the stored speakers; empty if the file is missing or invalid.
    func read() -> [Speaker] {
        guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: Self.byteLimit),
            let speakers = try? JSONDecoder().decode([Speaker].self, from: data)
        else { return [] }
        return Array(speakers.prefix(Self.speakerLimit))
    }

    /// Stores the speakers. Ignores write errors.
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
    /// Stores a long-form choice of speakers; empty for a device of this machine.
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

    /// Selects the stored speakers.
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
        // A failed clock start is reported at the next explicit choice.
        if !targets.isEmpty { try? select(targets, options: options, fallsBack: true) }
    }
}
