import AirPlaySender

/// The user's settings for one speaker; `nil` leaves a setting to what the speaker announces.
struct SpeakerSettings: Hashable, Sendable {
    /// The way of the sound, the clock, and the format of a realtime stream.
    var override = SessionChoice.Override()
    /// How much later than the others the speaker plays.
    var delay: SpeakerDelay?
    /// The time before it is heard at which sound is sent in a realtime stream.
    var depth: Duration?
    /// The volume 100 of this program, in percent of the speaker's own scale.
    var maximumVolume: Double?
    var password: String?
    /// The name to show instead of the announced one.
    var name: String?

    /// Sets what the user has set.
    func apply(to target: inout SpeakerTarget) {
        target.override.stream = override.stream ?? target.override.stream
        target.override.clock = override.clock ?? target.override.clock
        target.override.format = override.format ?? target.override.format
        target.override.depth = depth ?? target.override.depth
        target.delay = delay ?? target.delay
        target.maximumVolume = maximumVolume ?? target.maximumVolume
        target.password = password ?? target.password
    }
}

extension SpeakerSettings {
    /// The reason why a value was not taken, in words that complete "KEY is not …".
    struct Refusal: Error, Equatable {
        let words: String
    }

    /// Sets one value of the file.
    ///
    /// - Returns: `false` for an unknown key.
    /// - Throws: ``Refusal`` for a value that the key does not take; nothing changes then.
    mutating func set(_ key: String, to value: SettingsText.Value) throws(Refusal) -> Bool {
        switch key {
        case "stream": override.stream = try Self.word(value, of: SessionChoice.Stream.allCases)
        case "clock": override.clock = try Self.word(value, of: SessionChoice.Clock.allCases)
        case "format": override.format = try Self.word(value, of: SessionChoice.RealtimeFormat.allCases)
        case "delay":
            let limit = SpeakerDelay.limit
            guard case .number(let number) = value, let delay = SpeakerDelay(milliseconds: number) else {
                throw Refusal(words: "a number of milliseconds from -\(limit) to \(limit)")
            }
            self.delay = delay
        case "depth":
            let seconds = try Self.number(value, in: SessionChoice.Override.depths, "of seconds")
            depth = .milliseconds(Int64((seconds * 1000).rounded()))
        case "maximumVolume": maximumVolume = try Self.number(value, in: 1...100, "of percent")
        case "password": password = try Self.text(value)
        case "name": name = try Self.text(value)
        default: return false
        }
        return true
    }

    /// The keys of the file.
    static let keys = ["stream", "clock", "format", "delay", "depth", "maximumVolume", "password", "name"]

    private static func word<Word: RawRepresentable>(
        _ value: SettingsText.Value, of words: [Word]
    ) throws(Refusal) -> Word where Word.RawValue == String {
        if case .text(let text) = value, let word = Word(rawValue: text) { return word }
        throw Refusal(words: words.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
    }

    private static func number(
        _ value: SettingsText.Value, in range: ClosedRange<Double>, _ unit: String
    ) throws(Refusal) -> Double {
        if case .number(let number) = value, range.contains(number) { return number }
        throw Refusal(words: "a number \(unit) from \(range.lowerBound) to \(range.upperBound)")
    }

    private static func text(_ value: SettingsText.Value) throws(Refusal) -> String {
        if case .text(let text) = value, !text.isEmpty, text.utf8.count <= 256 { return text }
        throw Refusal(words: "a text of up to 256 bytes")
    }
}
