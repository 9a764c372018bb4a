import Foundation
import HomeKitPairing
import Synchronization
import TuttiSystemIO

/// The lasting pairings of this user's programs with speakers: one identity, and the speakers that know it.
///
/// Stored in one file, `$XDG_DATA_HOME/tutti/pairings.json`, else `~/.local/share/tutti/pairings.json`, with
/// mode 0600 in a folder of mode 0700, which all programs of the user share. A change takes a lock, reads the
/// file again and replaces it at once, so that programs do not undo each other's changes. Any thread; what
/// reads or writes the file says so.
public final class SpeakerPairings: Sendable {
    /// The pairings of this user. Messages about the file go to standard error.
    public static let shared = SpeakerPairings { message in
        // With standard error closed, nobody reads the message.
        try? FileHandle.standardError.write(contentsOf: Data("tutti: \(message)\n".utf8))
    }

    struct Content: Sendable {
        var identity: ControllerIdentity
        /// Oldest first.
        var speakers: [PairedSpeaker]
    }

    private let content = Mutex<Content?>(nil)
    /// `nil` if the pairings are kept in memory only.
    private let folder: PrivateFolder?
    private let report: @Sendable (String) -> Void
    let machine: any Machine

    private static let fileName = "pairings.json"

    /// - Parameters:
    ///   - folder: Replaces the default folder.
    ///   - environment: The environment variables that name the default folder.
    ///   - report: Called with each problem of the file, in words for the user, on the calling thread; must
    ///     not use this object.
    public convenience init(
        folder: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.init(folder: folder, environment: environment, machine: SystemMachine(), report: report)
    }

    /// Uses a folder like ``init(folder:environment:report:)``.
    ///
    /// - Parameter machine: Makes the connections on which pairings are made and ended.
    package init(
        folder: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment,
        machine: any Machine, report: @escaping @Sendable (String) -> Void
    ) {
        self.folder =
            folder.map { PrivateFolder($0) }
            ?? .below("XDG_DATA_HOME", or: ".local/share", "tutti", environment: environment)
        (self.machine, self.report) = (machine, report)
    }

    /// Creates pairings in memory only, with a new identity.
    public convenience init() { self.init(machine: SystemMachine()) }

    /// Creates pairings in memory only, like ``init()``.
    ///
    /// - Parameter machine: Makes the connections on which pairings are made and ended.
    package init(machine: any Machine) {
        (folder, report) = (nil, { _ in })
        self.machine = machine
    }

    // MARK: Reading

    /// All paired speakers, oldest first. Reads the file.
    public var all: [PairedSpeaker] {
        refresh()
        return content.withLock { $0?.speakers ?? [] }
    }

    /// Returns whether the speaker with this device id is paired, as last read. Reads the file as long as nothing
    /// is paired.
    public func knows(_ id: String) -> Bool {
        if identity == nil { refresh() }
        return content.withLock { $0?.speakers.contains { $0.id == id.lowercased() } ?? false }
    }

    /// Reads the file, which another program may have changed. Blocks on the disk.
    func refresh() {
        guard let file else { return }
        content.withLock { content in
            do {
                content = try read(file)
            } catch {
                report("the pairings with speakers cannot be read: \(error)")
            }
        }
    }

    /// The identity as last read; `nil` before the first pairing.
    var identity: ControllerIdentity? { content.withLock { $0?.identity } }

    /// Returns the credentials for a speaker as last read.
    ///
    /// - Parameter id: The speaker's device id.
    func credentials(for id: String?) -> SpeakerAccess.Credentials? {
        guard let id = id?.lowercased() else { return nil }
        return content.withLock { content in
            guard let content, let speaker = content.speakers.first(where: { $0.id == id }) else {
                return nil
            }
            return SpeakerAccess.Credentials(identity: content.identity.pairing, speaker: speaker)
        }
    }

    // MARK: Changing

    /// Returns the identity, and creates it before the first pairing. Reads, and perhaps writes, the file.
    ///
    /// - Parameter sender: Gives a new identity its other identifiers.
    /// - Throws: ``SpeakerFailure/Code/notStored`` if the file cannot be used.
    func identity(createdBy sender: SenderIdentity) throws(SpeakerFailure) -> ControllerIdentity {
        try change(createdBy: sender) { _ in } ?? ControllerIdentity(of: sender, machine: machine)
    }

    /// Stores a speaker; a speaker of the same id is replaced, and the oldest one if there are too many. Writes
    /// the file.
    func keep(_ speaker: PairedSpeaker, createdBy sender: SenderIdentity) throws(SpeakerFailure) {
        _ = try change(createdBy: sender) { speakers in
            speakers.removeAll { $0.id == speaker.id }
            speakers.append(speaker)
            if speakers.count > PairingsFile.speakerLimit { speakers.removeFirst() }
        }
    }

    /// Removes a speaker whose credentials are of no use any more. Writes the file; does nothing for a speaker
    /// that has paired anew meanwhile.
    func forget(_ speaker: PairedSpeaker) throws(SpeakerFailure) {
        _ = try change(createdBy: nil) { $0.removeAll { $0 == speaker } }
    }

    /// Changes the speakers under the lock of the file.
    ///
    /// - Parameter sender: Gives a new identity its other identifiers; `nil` changes nothing if there is no
    ///   identity yet.
    /// - Returns: The identity.
    private func change(
        createdBy sender: SenderIdentity?, _ body: (inout [PairedSpeaker]) -> Void
    ) throws(SpeakerFailure) -> ControllerIdentity? {
        do {
            return try content.withLock { (content) throws(PrivateFileError) -> ControllerIdentity? in
                let lock = try lockFile()
                defer { withExtendedLifetime(lock) {} }
                if let file { content = try read(file) }
                let before = content.map { PairingsFile($0.identity, $0.speakers) }
                let identity =
                    content?.identity ?? sender.map { ControllerIdentity(of: $0, machine: machine) }
                guard let identity else { return nil }
                var speakers = content?.speakers ?? []
                body(&speakers)
                let after = PairingsFile(identity, speakers)
                if let file, before != after { try file.write(StableJSON.encode(after)) }
                content = Content(identity: identity, speakers: speakers)
                return identity
            }
        } catch {
            throw SpeakerFailure(.notStored, "pairings with speakers cannot be stored: \(error)")
        }
    }

    /// Locks the file against other programs; `nil` without a file.
    private func lockFile() throws(PrivateFileError) -> FileLock? {
        guard let folder, let file else { return nil }
        if try folder.prepare() {
            report("\(folder.path) was accessible to others; its permissions were restricted")
        }
        return try FileLock(waitingFor: file.path + ".lock")
    }

    private var file: PrivateFile? { folder.map { PrivateFile(path: "\($0.path)/\(Self.fileName)") } }

    private func read(_ file: PrivateFile) throws(PrivateFileError) -> Content? {
        try file.decoded(report) { StableJSON.decode(PairingsFile.self, $0)?.content }
    }
}
