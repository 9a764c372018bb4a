import AirPlaySender
import TuttiCommandLineInterface

/// The output of `tutti sink`: sentences, or a JSON object for each event.
struct SinkReport: Sendable {
    let isJSON: Bool
    /// Whether changes of the latency and the volume are told in words too.
    var isVerbose = false

    /// The output is in a sound server.
    func ready(_ name: String, server: String) {
        tell(["event": "ready", "server": .string(server)], "\(name) is an output of \(server)")
    }

    func lost(_ reason: String) {
        if isJSON {
            tell(["event": "lost", "message": .string(reason)], nil)
        } else {
            Console.warning("tutti sink", "no sound server: \(reason)")
        }
    }

    func playing(latency: Double) {
        let milliseconds = Int((latency * 1000).rounded())
        tell(
            ["event": "playing", "latencyMs": .integer(milliseconds)],
            "playing, \(milliseconds) ms behind the desktop")
    }

    func latency(_ latency: Double) {
        let milliseconds = Int((latency * 1000).rounded())
        tell(
            ["event": "latency", "latencyMs": .integer(milliseconds)],
            isVerbose ? "\(milliseconds) ms behind the desktop" : nil)
    }

    func idle(_ counts: String) {
        tell(["event": "idle", "counts": .string(counts)], "silent; the speakers are free")
    }

    func volume(_ percent: Double) {
        tell(
            ["event": "volume", "volume": .number(percent, decimals: 1)],
            isVerbose ? "volume \(Int(percent.rounded()))" : nil)
    }

    func speaker(_ speaker: NamedSpeaker, _ state: String, _ message: String?) {
        let words = message.map { "\(speaker): \($0)" }
        tell(
            [
                "event": "speaker", "speaker": .string(speaker.name),
                "id": speaker.ownID.map { .string($0) }, "state": .string(state),
                "message": .optional(message),
            ],
            words)
    }

    private func tell(_ members: KeyValuePairs<String, JSONValue?>, _ words: String?) {
        if isJSON {
            StandardStream.output.line(JSONLine(members).text)
        } else if let words, !Console.isQuiet {
            StandardStream.output.line(words)
        }
    }
}
