import Foundation
import Synchronization
import TuttiSystemIO

/// The user's settings file of the speakers, read once, when it is first needed. Any thread.
///
/// `$XDG_CONFIG_HOME/tutti/speakers.json`, else `~/.config/tutti/speakers.json`. A missing file is an empty one.
final class SpeakerSettingsStore: Sendable {
    private let path: String?
    private let warn: @Sendable (String) -> Void
    private let book = Mutex<SpeakerSettingsBook?>(nil)

    /// - Parameters:
    ///   - path: `nil` for no file.
    ///   - warn: Receives warnings about the file, on the thread that first needs it.
    init(path: String?, warn: @escaping @Sendable (String) -> Void) { (self.path, self.warn) = (path, warn) }

    /// Returns the path of the user's file; `nil` without a home folder.
    static func usualPath(environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        PrivateFolder.below("XDG_CONFIG_HOME", or: ".config", "tutti", environment: environment)
            .map { $0.path + "/speakers.json" }
    }

    /// The settings. The first call blocks on the disk.
    var current: SpeakerSettingsBook {
        let (book, warnings) = book.withLock { book in
            if let book { return (book, [String]()) }
            let (read, warnings) = read()
            book = read
            return (read, warnings)
        }
        for warning in warnings { warn(warning) }
        return book
    }

    private func read() -> (SpeakerSettingsBook, [String]) {
        guard let path else { return (SpeakerSettingsBook(), []) }
        do throws(PrivateFileError) {
            guard let (bytes, isOpen) = try PrivateFile(path: path).readShared() else {
                return (SpeakerSettingsBook(), [])
            }
            let (book, warnings) = SpeakerSettingsBook.reading(bytes)
            let open = "other users can read the passwords in it; `chmod 600 \(path)` prevents that"
            return (book, (warnings + (isOpen && book.hasPassword ? [open] : [])).map { "\(path): \($0)" })
        } catch {
            return (SpeakerSettingsBook(), ["\(error); it is ignored"])
        }
    }
}
