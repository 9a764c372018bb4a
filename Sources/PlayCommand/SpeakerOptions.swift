import AirPlaySender
import CommandLineInterface

/// The options of `tutti play` that hold for one speaker, as `NAME=VALUE`, or for all.
struct SpeakerOptions {
    private struct Entry<Value> {
        /// `nil` for all speakers.
        let name: String?
        let value: Value
    }

    private let streams: [Entry<SessionChoice.Stream>]
    private let clocks: [Entry<SessionChoice.Clock>]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        streams = try Self.entries("stream", arguments) { SessionChoice.Stream(rawValue: $0) }
        clocks = try Self.entries("clock", arguments) { SessionChoice.Clock(rawValue: $0) }
    }

    private static func entries<Value>(
        _ option: String, _ arguments: ParsedArguments, _ parse: (String) -> Value?
    ) throws(UsageError) -> [Entry<Value>] {
        var entries: [Entry<Value>] = []
        for text in arguments.all(option) {
            // A name may have the sign, a value has none.
            let cut = text.lastIndex(of: "=")
            let word = cut.map { String(text[text.index(after: $0)...]) } ?? text
            guard let value = parse(word) else {
                throw UsageError("--\(option): \(word) is not a value of it; see 'tutti help play'")
            }
            entries.append(Entry(name: cut.map { String(text[..<$0]) }, value: value))
        }
        return entries
    }

    /// Sets the options of the speakers.
    ///
    /// - Throws: `UsageError` if an option names a speaker that is not played to.
    func apply(to targets: inout [SpeakerTarget]) throws(UsageError) {
        try apply(streams, "stream", to: &targets) { $0.override.stream = $1 }
        try apply(clocks, "clock", to: &targets) { $0.override.clock = $1 }
    }

    private func apply<Value>(
        _ entries: [Entry<Value>], _ option: String, to targets: inout [SpeakerTarget],
        _ change: (inout SpeakerTarget, Value) -> Void
    ) throws(UsageError) {
        for entry in entries {
            let named = targets.indices.filter { index in
                entry.name.map { targets[index].name.lowercased() == $0.lowercased() } ?? true
            }
            if let name = entry.name, named.isEmpty {
                throw UsageError("--\(option) names \(name), to which nothing is played; add --to \(name)")
            }
            for index in named { change(&targets[index], entry.value) }
        }
    }
}
