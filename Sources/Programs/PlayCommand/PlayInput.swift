import Playback

/// An item to play, as named on the command line or in a playlist.
struct PlayInput: Hashable, Sendable {
    /// A path or an address.
    var path: String
    /// The title from a playlist; `nil` if there is none.
    var title: String?
    /// The pipe to read once, instead of a file; `nil` for a file or an address.
    var pipe: Pipe?

    /// Standard input, whose path is `-`, or a named pipe.
    struct Pipe: Hashable, Sendable {
        /// The format of raw samples; `nil` for a container.
        var format: LiveFormat?
    }

    /// The word for standard input.
    static let standardInput = "-"

    var isAddress: Bool {
        let start = path.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
