import AirPlaySender
import TuttiDiscovery

/// The user's settings for all speakers, each found by its device id or a name.
struct SpeakerSettingsBook: Equatable, Sendable {
    private var entries: [String: SpeakerSettings] = [:]

    /// Most speakers that a file may name.
    static let speakerLimit = 256
    /// Most warnings about one file.
    static let warningLimit = 10

    /// A book without settings.
    init() {}

    /// Reads a file.
    ///
    /// - Returns: The settings, without what was not understood, and a warning about each such thing. A broken file
    ///   has no settings and one warning.
    static func reading(_ bytes: [UInt8]) -> (book: SpeakerSettingsBook, warnings: [String]) {
        var (book, warnings) = (SpeakerSettingsBook(), [String]())
        do throws(SettingsText.Failure) {
            for section in try SettingsText.read(bytes) {
                guard book.entries.count < speakerLimit else {
                    warnings.append(
                        "line \(section.line): more than \(speakerLimit) speakers; the rest is ignored")
                    break
                }
                book.take(section, &warnings)
            }
        } catch {
            return (SpeakerSettingsBook(), ["line \(error.line): \(error.cause); the file is ignored"])
        }
        if warnings.count > warningLimit {
            let more = warnings.count - warningLimit + 1
            warnings = warnings.prefix(warningLimit - 1) + ["\(more) more warnings about it"]
        }
        return (book, warnings)
    }

    private mutating func take(_ section: SettingsText.Section, _ warnings: inout [String]) {
        var settings = entries[Self.key(section.name)] ?? SpeakerSettings()
        for pair in section.pairs {
            let place = "line \(pair.line): \(section.name)"
            do throws(SpeakerSettings.Refusal) {
                if try !settings.set(pair.key, to: pair.value) {
                    let known = SpeakerSettings.keys.joined(separator: ", ")
                    warnings.append(
                        "\(place): unknown setting \"\(pair.key)\" is ignored; the settings are: \(known)")
                }
            } catch {
                warnings.append("\(place): \(pair.key) is not \(error.words); it is ignored")
            }
        }
        entries[Self.key(section.name)] = settings
    }

    /// Whether a password is in the book, so that the file should be private.
    var hasPassword: Bool { entries.values.contains { $0.password != nil } }

    // MARK: Lookups

    /// Returns a speaker's settings; those by its id precede those by its name.
    func settings(of name: String, id: String?) -> SpeakerSettings? {
        id.flatMap { entries[Self.key($0)] } ?? entries[Self.key(name)]
    }

    /// Sets what the user has set for a speaker. For a half of a stereo pair its own settings precede the pair's.
    func apply(to target: inout SpeakerTarget) {
        if let pair = target.pair {
            if let shared = settings(of: pair, id: target.id) {
                shared.apply(to: &target)
                target.pair = shared.name ?? pair
            }
            settings(of: target.name, id: target.record?.deviceID)?.apply(to: &target)
            return
        }
        guard let own = settings(of: target.name, id: target.id ?? target.record?.deviceID) else { return }
        own.apply(to: &target)
        target.name = own.name ?? target.name
    }

    /// Returns the announced name, or the id, of the speaker to which the user gave this name; else the name itself.
    func announcedName(for name: String) -> String {
        announcedNames(for: name).first ?? name
    }

    /// Returns the announced names, or the ids, of the speakers to which the user gave this name, sorted.
    func announcedNames(for name: String) -> [String] {
        let folded = name.lowercased()
        return entries.filter { $0.value.name?.lowercased() == folded }.keys.sorted()
    }

    /// Returns the identity of an entry by its key.
    static func identity(ofKey key: String) -> SpeakerID {
        key.utf8.count == 12 && key.allSatisfy { $0.isASCII && $0.isHexDigit }
            ? .device(key.uppercased()) : .name(key)
    }

    /// The key of a name in any case, or of a device id with or without separators.
    private static func key(_ text: String) -> String {
        let digits = text.filter { $0 != ":" && $0 != "-" }
        let isID = digits.utf8.count == 12 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        return (isID ? digits : text).lowercased()
    }
}
