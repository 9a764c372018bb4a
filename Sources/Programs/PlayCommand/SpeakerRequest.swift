import AirPlaySender
import TuttiCommandLineInterface

/// A request for one speaker of a play.
enum SpeakerRequest: Equatable, Sendable {
    case join(String)
    case leave(String)
    case volume(Double, of: String)
    case delay(SpeakerDelay, of: String)

    /// The form of the requests, for messages.
    static let forms = "join NAME, leave NAME, volume NAME 0...100, delay NAME MILLISECONDS"

    /// Parses a line of standard input: a verb, a name that may contain spaces, and a number for some verbs.
    ///
    /// - Returns: `nil` for the line of another request.
    init?(line: String) throws(UsageError) {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return nil }
        let rest = words[1].trimmed
        guard !rest.isEmpty else { return nil }
        switch words[0] {
        case "join": self = .join(rest)
        case "leave": self = .leave(rest)
        case "volume":
            guard let (name, value) = Self.split(rest) else { return nil }
            guard let percent = Double(value), (0...100).contains(percent) else {
                throw UsageError(
                    "volume takes a number from 0 to 100, after the name of a speaker if it is for one")
            }
            self = .volume(percent, of: name)
        case "delay":
            guard let (name, value) = Self.split(rest), let number = Double(value),
                let delay = SpeakerDelay(milliseconds: number)
            else {
                throw UsageError(
                    "delay takes the name of a speaker and milliseconds from -\(SpeakerDelay.limit) to \(SpeakerDelay.limit)"
                )
            }
            self = .delay(delay, of: name)
        default: return nil
        }
    }

    /// Splits off the last word; `nil` if there is only one.
    private static func split(_ text: String) -> (name: String, value: String)? {
        guard let space = text.lastIndex(of: " ") else { return nil }
        return (text[..<space].trimmed, String(text[text.index(after: space)...]))
    }
}

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmed: String {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
