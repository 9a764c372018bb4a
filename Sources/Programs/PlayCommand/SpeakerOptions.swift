import AirPlaySender
import Playback
import TuttiCommandLineInterface

/// The options of `tutti play` that hold for one speaker, as `NAME=VALUE`, or for all.
struct SpeakerOptions: Sendable {
    private struct Entry<Value: Sendable>: Sendable {
        /// `nil` for all speakers.
        let name: String?
        let value: Value
    }

    private let streams: [Entry<SessionChoice.Stream>]
    private let clocks: [Entry<SessionChoice.Clock>]
    private let formats: [Entry<SessionChoice.RealtimeFormat>]
    /// The format of raw samples to play, which `--format` names too; `nil` for containers.
    let rawFormat: LiveFormat?
    private let delays: [Entry<SpeakerDelay>]
    private let volumes: [Entry<Double>]

    /// An option that names a speaker to which nothing is played, or several speakers.
    struct Unmatched: Equatable, Sendable {
        let option: String
        let name: String
        /// The message that the name means several speakers; `nil` if it means none.
        var ambiguity: String?

        /// The warning if no speaker of that name answers.
        var warning: String {
            "--\(option) names \(name), which does not play, and no speaker of that name answers; `tutti speakers` lists the names"
        }
    }

    /// The volume for all speakers, 0 ... 100.
    var volume: Double? { volumes.last { $0.name == nil }?.value }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        delays = try Self.entries("delay", arguments) { Double($0).flatMap(SpeakerDelay.init(milliseconds:)) }
        guard delays.allSatisfy({ $0.name != nil }) else {
            throw UsageError("--delay takes a speaker and milliseconds: NAME=MS")
        }
        volumes = try Self.entries("volume", arguments) { text in
            Double(text).flatMap { (0...100).contains($0) ? $0 : nil }
        }
        // This machine's output is a speaker by itself: `--to local`.
        streams = try Self.entries("stream", arguments) { word in
            SessionChoice.Stream(rawValue: word).flatMap { $0 == .local ? nil : $0 }
        }
        clocks = try Self.entries("clock", arguments) { word in
            SessionChoice.Clock(rawValue: word).flatMap { $0 == .host ? nil : $0 }
        }
        let words = arguments.all("format").filter { !LiveFormat.isMeant(by: $0) }
        formats = try Self.entries("format", words) { SessionChoice.RealtimeFormat(rawValue: $0) }
        do throws(LiveFormatError) {
            rawFormat = try arguments.all("format").last { LiveFormat.isMeant(by: $0) }
                .map { text throws(LiveFormatError) in try LiveFormat(text) }
        } catch {
            throw UsageError("--format: \(error)")
        }
    }

    private static func entries<Value: Sendable>(
        _ option: String, _ arguments: ParsedArguments, _ parse: (String) -> Value?
    ) throws(UsageError) -> [Entry<Value>] { try entries(option, arguments.all(option), parse) }

    private static func entries<Value: Sendable>(
        _ option: String, _ words: [String], _ parse: (String) -> Value?
    ) throws(UsageError) -> [Entry<Value>] {
        var entries: [Entry<Value>] = []
        for text in words {
            // A name may have the sign, a value has none.
            let cut = text.lastIndex(of: "=")
            let word = cut.map { String(text[text.index(after: $0)...]) } ?? text
            guard cut != text.startIndex else {
                throw UsageError("--\(option): \(text) names no speaker; see 'tutti help play'")
            }
            guard let value = parse(word) else {
                throw UsageError("--\(option): \(word) is not a value of it; see 'tutti help play'")
            }
            entries.append(Entry(name: cut.map { String(text[..<$0]) }, value: value))
        }
        return entries
    }

    /// Sets the options of the speakers.
    ///
    /// - Returns: The options that name a speaker which is not among `targets`, or several of them; these have no effect.
    func apply(to targets: inout [SpeakerTarget]) -> [Unmatched] {
        apply(streams, "stream", to: &targets) { $0.override.stream = $1 }
            + apply(clocks, "clock", to: &targets) { $0.override.clock = $1 }
            + apply(formats, "format", to: &targets) { $0.override.format = $1 }
            + apply(delays, "delay", to: &targets) { $0.delay = $1 }
            + apply(volumes.filter { $0.name != nil }, "volume", to: &targets) { $0.volume = $1 }
    }

    private func apply<Value: Sendable>(
        _ entries: [Entry<Value>], _ option: String, to targets: inout [SpeakerTarget],
        _ change: (inout SpeakerTarget, Value) -> Void
    ) -> [Unmatched] {
        var unmatched: [Unmatched] = []
        for entry in entries {
            let named = targets.indices.filter { index in
                entry.name.map { targets[index].isCalled($0) } ?? true
            }
            if let name = entry.name, named.isEmpty {
                unmatched.append(Unmatched(option: option, name: name))
            }
            if let name = entry.name,
                let ambiguity = SpeakerTarget.ambiguity(of: name, among: named.map { targets[$0] })
            {
                unmatched.append(Unmatched(option: option, name: name, ambiguity: ambiguity))
                continue
            }
            for index in named { change(&targets[index], entry.value) }
        }
        return unmatched
    }
}
