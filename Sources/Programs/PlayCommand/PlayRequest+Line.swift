import TuttiCommandLineInterface

extension PlayRequest {
    /// Parses a line of standard input in `--json` mode.
    init(line: String) throws(UsageError) {
        if let request = try SpeakerRequest(line: line) {
            self = .speaker(request)
            return
        }
        var words = line.split(separator: " ", maxSplits: 2).map(String.init)
        // Spaces at the end of the line.
        if words.count == 3, words[2].allSatisfy({ $0 == " " }) { words.removeLast() }
        guard let verb = words.first else { throw UsageError("an empty line is not a command") }
        switch (verb, words.count) {
        case ("pause", 1): self = .pause
        case ("resume", 1): self = .resume
        case ("next", 1): self = .next
        case ("previous", 1): self = .previous
        case ("quit", 1): self = .quit
        case ("mute", 1): self = .mute
        case ("subtitles", 1): self = .subtitles
        case ("step", 2): self = .step(try Self.step(words[1]))
        case ("rate", 2): self = .rate(try Self.rate(words[1]))
        case ("full-screen", 2): self = .fullScreen(try Self.isOn(words[1], of: verb))
        case ("seek", 2): self = .seek(try Self.number(words[1], in: 0...1e7, of: verb))
        case ("volume", 2): self = .volume(try Self.number(words[1], in: 0...100, of: verb))
        case ("remove", 2): self = .remove(try Self.index(words[1], of: verb))
        case ("insert", 3): self = .insert(try Self.index(words[1], of: verb), words[2])
        default:
            throw UsageError(
                "unknown command '\(line.prefix(80))'; the commands are: pause, resume, seek SECONDS, volume 0...100, mute, rate 0.25...4, step NUMBER, subtitles, full-screen on|off, next, previous, "
                    + "remove INDEX, insert INDEX PATH, \(SpeakerRequest.forms), quit")
        }
    }

    private static func number(
        _ text: String, in range: ClosedRange<Double>, of verb: String
    ) throws(UsageError) -> Double {
        guard let value = Double(text), range.contains(value) else {
            throw UsageError(
                "\(verb) takes a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return value
    }

    private static func step(_ text: String) throws(UsageError) -> Int {
        guard let value = Int(text), value != 0, (-1000...1000).contains(value) else {
            throw UsageError("step takes a number of pictures, such as 1 or -1")
        }
        return value
    }

    /// The rates at which sound and pictures play.
    static let rates = 0.25...4.0

    private static func rate(_ text: String) throws(UsageError) -> Double {
        guard let value = Double(text), rates.contains(value) else {
            throw UsageError("rate takes a number from 0.25 to 4")
        }
        return value
    }

    private static func isOn(_ text: String, of verb: String) throws(UsageError) -> Bool {
        switch text {
        case "on": true
        case "off": false
        default: throw UsageError("\(verb) takes on or off")
        }
    }

    private static func index(_ text: String, of verb: String) throws(UsageError) -> Int {
        guard let value = Int(text), value >= 0 else {
            throw UsageError("\(verb) takes the number of a track, from 0")
        }
        return value
    }
}
