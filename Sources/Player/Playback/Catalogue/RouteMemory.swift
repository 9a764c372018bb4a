import AirPlaySender
import Foundation
import TuttiSystemIO

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
        /// The name of the stereo pair that the speaker is a half of, whose id it then has.
        var pair: String?
    }

    struct Endpoint: Codable, Hashable, Sendable {
        var address: String
        var port: UInt16
    }

    /// A longer file was not written by this code.
    private static let byteLimit = 64 * 1024
    private static let speakerLimit = 64

    let path: String
    private let machine: any Machine

    /// - Parameter machine: Random numbers, for the name of a file that is being written.
    init(
        environment: [String: String] = ProcessInfo.processInfo.environment, machine: any Machine
    ) {
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/state"
        path = state + "/tutti/route.json"
        self.machine = machine
    }

    /// Returns the stored speakers; empty if the file is missing or invalid.
    func read() -> [Speaker] {
        guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? handle.close() }  // Nothing was written, so nothing can be lost.
        guard let data = try? handle.read(upToCount: Self.byteLimit),
            let speakers = try? JSONDecoder().decode([Speaker].self, from: data)
        else { return [] }
        return Array(speakers.prefix(Self.speakerLimit))
    }

    /// Stores the speakers. Ignores write errors: the next program then offers an older choice.
    func write(_ speakers: [Speaker]) {
        guard let data = try? JSONEncoder().encode(speakers) else { return }
        let folder = (path as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let temporary = "\(path).\(String(machine.randomBits(), radix: 16))"
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: data, attributes: [.posixPermissions: 0o600])
        else { return }
        if rename(temporary, path) != 0 { try? FileManager.default.removeItem(atPath: temporary) }
    }
}

extension RouteMemory.Speaker {
    init(_ speaker: ChosenSpeaker) {
        (id, name, pair) = (speaker.id, speaker.target.name, speaker.target.pair)
        endpoints = speaker.target.addresses.map {
            RouteMemory.Endpoint(address: "\($0.address)", port: $0.port)
        }
    }

    /// Returns the speaker as a target; `nil` if no endpoint has an IP address.
    func chosen(localAddress: IPAddress?) -> ChosenSpeaker? {
        let addresses = endpoints.compactMap { endpoint in
            IPAddress(endpoint.address).map { SocketAddress($0, port: endpoint.port) }
        }
        guard !addresses.isEmpty else { return nil }
        var target = SpeakerTarget(name: name, addresses: addresses, localAddress: localAddress)
        // A file of an older version does not name the pair: its halves are told apart by their names.
        let isOldHalf = pair == nil && id.hasPrefix("pair:")
        (target.id, target.pair) = (isOldHalf ? nil : id, pair)
        return ChosenSpeaker(id: id, target: target)
    }
}
