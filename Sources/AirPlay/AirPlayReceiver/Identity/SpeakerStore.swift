import Foundation
import HomeKitPairing
import TuttiSystemIO

/// The persistent state of one speaker: its identity and its paired controllers.
///
/// Two files below `$XDG_STATE_HOME/tutti/speakers` (else `~/.local/state`), named after the speaker, with
/// mode 0600 in a folder of mode 0700. The store locks its files while it lives. A second speaker of the same
/// name on this machine gets its own files, `NAME@2` and so on, and thus another identity.
package final class SpeakerStore: Sendable {
    /// The speaker's identity.
    package let identity: SpeakerIdentity
    /// The controllers that have paired with the speaker.
    package let controllers: PairedControllers
    /// Whether the identity and the controllers are stored on disk.
    package let isKept: Bool
    private let lock: FileLock?

    /// Most speakers of one name on one machine.
    static let instanceLimit = 32

    /// Opens the files of a speaker, or creates them. Blocks on the disk. Does not fail: if the store cannot
    /// write, the speaker gets a new identity in each run.
    ///
    /// - Parameters:
    ///   - name: The speaker's name.
    ///   - instance: Distinguishes speakers of one name permanently, e.g. an address; without it, the order
    ///     in which the speakers start does.
    ///   - folder: Replaces the default folder.
    ///   - environment: The environment variables that name the default folder.
    ///   - machine: Random numbers of a new identity.
    ///   - report: Called with each problem, in words for the user, now and later, on the calling thread;
    ///     must not use the store.
    package convenience init(
        name: String, instance: String? = nil, folder: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        machine: any Machine, report: @escaping @Sendable (String) -> Void
    ) {
        let place = folder.map { PrivateFolder($0) } ?? .ofSpeakers(environment: environment)
        guard let place else {
            report("\(Self.notKept): neither XDG_STATE_HOME nor HOME is set")
            self.init(machine: machine, inMemory: report)
            return
        }
        do {
            if try place.prepare() {
                report("\(place.path) was accessible to others; its permissions were restricted")
            }
            let (lock, base) = try Self.claim(name, instance, in: place)
            self.init(base: base, lock: lock, machine: machine, report: report)
        } catch {
            report("\(Self.notKept): \(error)")
            self.init(machine: machine, inMemory: report)
        }
    }

    private static let notKept = "the speaker's identity cannot be stored and will change at the next start"

    /// Creates a store in memory only, with a new identity in each run.
    package init(machine: any Machine, inMemory report: @escaping @Sendable (String) -> Void) {
        identity = SpeakerIdentity(machine: machine)
        controllers = PairedControllers([], file: nil, report: report)
        isKept = false
        lock = nil
    }

    private init(
        base: String, lock: FileLock, machine: any Machine, report: @escaping @Sendable (String) -> Void
    ) {
        self.lock = lock
        let found = Self.identity(PrivateFile(path: base + ".json"), machine, report)
        (identity, isKept) = (found.identity, found.origin != .memory)
        let file = isKept ? PrivateFile(path: base + ".controllers.json") : nil
        // Controllers know one identity: drop the controllers of an earlier identity.
        if found.origin == .new { _ = file?.setAside() }
        controllers = PairedControllers(Self.controllers(file, report), file: file, report: report)
    }

    private enum Origin {
        case file
        case new
        case memory
    }

    /// Locks the first file name that no other speaker holds.
    private static func claim(
        _ name: String, _ instance: String?, in folder: PrivateFolder
    ) throws(PrivateFileError) -> (FileLock, base: String) {
        let first = "\(folder.path)/\(PrivateFolder.fileName(of: name, instance: instance))"
        if let lock = try FileLock(path: first + ".lock") { return (lock, first) }
        guard instance == nil else { throw PrivateFileError(first, "is in use by another speaker") }
        for number in 2...instanceLimit {
            let base = "\(folder.path)/\(PrivateFolder.fileName(of: name, instance: String(number)))"
            if let lock = try FileLock(path: base + ".lock") { return (lock, base) }
        }
        throw PrivateFileError(first, "and \(instanceLimit - 1) more files are in use by other speakers")
    }

    private static func identity(
        _ file: PrivateFile, _ machine: any Machine, _ report: (String) -> Void
    ) -> (identity: SpeakerIdentity, origin: Origin) {
        do {
            if let kept = try file.decoded(
                report, { StableJSON.decode(IdentityFile.self, $0)?.identity })
            {
                return (kept, .file)
            }
            let new = SpeakerIdentity(machine: machine)
            try file.write(StableJSON.encode(IdentityFile(new)))
            return (new, .new)
        } catch {
            report("\(notKept): \(error)")
            return (SpeakerIdentity(machine: machine), .memory)
        }
    }

    private static func controllers(_ file: PrivateFile?, _ report: (String) -> Void) -> [PairedPeer] {
        guard let file else { return [] }
        do {
            return try file.decoded(report) { StableJSON.decode(ControllersFile.self, $0)?.peers } ?? []
        } catch {
            report("the paired controllers cannot be read: \(error)")
            return []
        }
    }
}

extension PrivateFolder {
    /// Returns the folder of this user's speakers: `$XDG_STATE_HOME/tutti/speakers`, else below
    /// `~/.local/state`; `nil` if there is neither.
    static func ofSpeakers(environment: [String: String]) -> PrivateFolder? {
        below("XDG_STATE_HOME", or: ".local/state", "tutti/speakers", environment: environment)
    }
}
