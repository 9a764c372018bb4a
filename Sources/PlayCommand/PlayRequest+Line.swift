import CommandLineInterface

extension PlayRequest {
    /// Parses a line of standard input in `--json` mode.
    init(line: String) throws(UsageError) {
        if let request = try SpeakerRequest(line: line) {
            self = .speaker(request)
            return
        }
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard let verb = words.first else { throw UsageError("an empty line is not a command") }
        switch (verb, words.count) {
        case ("pause", 1): self = .pause
        case ("resume", 1): self = .resume
        case ("next", 1): self = .next
        case ("previous", 1): self = .previous
        case ("quit", 1): self = .quit
        case ("seek", 2): self = .seek(try Self.number(words[1], in: 0...1e7, of: verb))
        case ("volume", 2): self = .volume(try Self.number(words[1], in: 0...100, of: verb))
        case ("remove", 2): self = .remove(try Self.index(words[1], of: verb))
        case ("insert", 3): self = .insert(try Self.index(words[1], of: verb), words[2])
        default:
            throw UsageError(
                "unknown command '\(line.prefix(80))'; the commands are: pause, resume, seek SECONDS, volume 0...100, next, previous, "
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

    private static func index(_ text: String, of verb: String) throws(UsageError) -> Int {
        guard let value = Int(text), value >= 0 else {
            throw UsageError("\(verb) takes the number of a track, from 0")
        }
        return value
    }
}
