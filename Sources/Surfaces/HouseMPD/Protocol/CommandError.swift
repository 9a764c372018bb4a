import TuttiHouse
import TuttiMusicLibrary

/// The reason why a command fails, as an `ACK` line tells it.
struct CommandError: Error, Hashable {
    /// The numbers of the protocol.
    enum Code: Int {
        case argument = 2
        case password = 3
        case permission = 4
        case unknown = 5
        case missing = 50
        case limit = 51
        case system = 52
        case notPlaying = 55
        case exists = 56
    }

    var code: Code
    var message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    static let noSong = CommandError(.missing, "No such song")
    static let noFolder = CommandError(.missing, "No such directory")
    static let noPlaylist = CommandError(.missing, "No such playlist")
    static let noOutput = CommandError(.missing, "No such audio output")
    static let gone = CommandError(.system, "The client is gone")
    static let noCurrentSong = CommandError(.notPlaying, "No current song")
    static let badIndex = CommandError(.argument, "Bad song index")

    /// Returns the line, without its end.
    ///
    /// - Parameters:
    ///   - index: The place of the command in its list, from 0.
    ///   - command: The command's name; empty before a command is known.
    func line(index: Int, command: String) -> String {
        "ACK [\(code.rawValue)@\(index)] {\(command)} \(message)"
    }
}

extension CommandError {
    init(_ error: HouseError) {
        let code: Code =
            switch error.kind {
            case .notFound: .missing
            case .invalid: .argument
            case .conflict: .notPlaying
            case .limit: .limit
            case .unavailable: .system
            }
        self.init(code, error.description)
    }

    init(_ error: LibraryError) {
        let code: Code =
            switch error.kind {
            case .notFound: .missing
            case .invalid: .argument
            case .limit: .limit
            case .unavailable: .system
            }
        self.init(code, error.description)
    }
}
