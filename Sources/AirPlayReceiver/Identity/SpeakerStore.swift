import Foundation
internal import Glibc
internal import HomeKitPairing

/// What one speaker keeps from run to run: who it is, and which controllers it knows.
///
/// Two files below `$XDG_STATE_HOME/tutti/speakers` (else `~/.local/state`), named after the speaker, mode
/// 0600 in a folder of mode 0700. While the value lives, no other speaker on this machine takes the same
/// files: a second one of the same name gets files of its own, `NAME@2` and so on, and so another identity.
public final class SpeakerStore: Sendable {
    /// Who the speaker is.
    public let identity: SpeakerIdentity
    /// The controllers that have paired with it.
    public let controllers: PairedControllers
    /// Whether it is all kept on disk.
    public let isKept: Bool
    private let lock: FileLock?

    /// Speakers of one name on one machine that get files of their own.
    static let instanceLimit = 32

    /// Opens the files of a speaker, and makes them when they are not there. Waits for the disk; does not
    /// fail: without a place to write, the speaker is a new one in each run.
    ///
    /// - Parameters:
    ///   - name: The speaker's name.
    ///   - instance: Tells speakers of one name apart for good, e.g. an address; without it, the order in
    ///     which they start does.
    ///   - folder: Another folder.
    ///   - environment: Where the usual folder is found.
    ///   - report: Told, in words for the user, what is not as it should be, now and later; on the thread
    ///     that calls; it must not use the store.
    public convenience init(
        name: String, instance: String? = nil, folder: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        report: @escaping @Sendable (String) -> Void
    ) {
        let place = folder.map(PrivateFolder.init) ?? PrivateFolder.ofSpeakers(environment: environment)
        guard let place else {
            report("\(Self.notKept): neither XDG_STATE_HOME nor HOME is set")
            self.init(inMemory: report)
            return
        }
        do {
            if try place.prepare() { report("\(place.path) was open to others; it is not any more") }
            let (lock, base) = try Self.claim(name, instance, in: place)
            self.init(base: base, lock: lock, report: report)
        } catch {
            report("\(Self.notKept): \(error)")
            self.init(inMemory: report)
        }
    }

    private static let notKept = "the speaker's identity is not kept and will be another one next time"

    /// In memory only: another identity in each run.
    public init(inMemory report: @escaping @Sendable (String) -> Void) {
        identity = SpeakerIdentity()
        controllers = PairedControllers([], file: nil, report: report)
        isKept = false
        lock = nil
    }

    private init(base: String, lock: FileLock, report: @escaping @Sendable (String) -> Void) {
        self.lock = lock
        let found = Self.identity(PrivateFile(path: base + ".json"), report)
        (identity, isKept) = (found.identity, found.origin != .memory)
        let file = isKept ? PrivateFile(path: base + ".controllers.json") : nil
        // Controllers know one identity; those of an earlier one would be strangers to this.
        if found.origin == .new { _ = file?.setAside() }
        controllers = PairedControllers(Self.controllers(file, report), file: file, report: report)
    }

    private enum Origin {
        case file
        case new
        case memory
    }

    /// The files that no other speaker has.
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
        throw PrivateFileError(first, "and \(instanceLimit - 1) more are in use by other speakers")
    }

    private static func identity(
        _ file: PrivateFile, _ report: (String) -> Void
    ) -> (identity: SpeakerIdentity, origin: Origin) {
        do {
            if let kept = try content(
                of: file, report, { StableJSON.decode(IdentityFile.self, $0)?.identity })
            {
                return (kept, .file)
            }
            let new = SpeakerIdentity()
            try file.write(StableJSON.encode(IdentityFile(new)))
            return (new, .new)
        } catch {
            report("\(notKept): \(error)")
            return (SpeakerIdentity(), .memory)
        }
    }

    private static func controllers(_ file: PrivateFile?, _ report: (String) -> Void) -> [PairedPeer] {
        guard let file else { return [] }
        do {
            return try content(of: file, report) { StableJSON.decode(ControllersFile.self, $0)?.peers } ?? []
        } catch {
            report("the paired controllers are not known: \(error)")
            return []
        }
    }

    /// What a file holds; `nil` when it is not there, or has been set aside because it holds something else.
    private static func content<Value>(
        of file: PrivateFile, _ report: (String) -> Void, _ decode: ([UInt8]) -> Value?
    ) throws(PrivateFileError) -> Value? {
        guard case .bytes(let bytes, let wasOpen) = try file.read() else { return nil }
        if wasOpen {
            report("\(file.path) could be read by others; it cannot any more, but its keys may be known")
        }
        if let value = decode(bytes) { return value }
        guard let other = file.setAside() else {
            throw PrivateFileError(file.path, "is broken and cannot be moved")
        }
        report("\(file.path) is broken; it is now \(other), and a new one is made")
        return nil
    }
}

/// A file whose lock says that a speaker runs; the kernel takes it away when the process ends.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// - Returns: `nil` when another speaker has it.
    init?(path: String) throws(PrivateFileError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PrivateFileError("open", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let error = PrivateFileError("lock", path)
            close(descriptor)
            if isTaken { return nil }
            throw error
        }
        self.descriptor = descriptor
    }

    deinit {
        // The lock goes with the last copy of the descriptor, and a process that is being started holds one for a moment.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
