/// Why a file or address cannot be played, in words for the one who named it.
public enum MediaError: Error, Equatable, Sendable {
    case notFound(name: String)
    case permissionDenied(name: String)
    case isDirectory(name: String)
    /// A pipe, socket or device; opening one could wait for ever.
    case notAFile(name: String)
    case empty(name: String)
    /// No format that we know, or one without sound.
    case notAudio(name: String)
    /// The format is known, its contents are not whole: usually a download cut short.
    case damaged(name: String)
    /// This build of FFmpeg has no decoder for it.
    case noDecoder(name: String, codec: String)
    /// A server that does not answer, a name that does not resolve, or no network.
    case unreachable(name: String, reason: String)
    /// The server answered with an error, e.g. "404".
    case refused(name: String, reason: String)
    /// Nothing came for the time limit.
    case timedOut(name: String)
    /// ``MediaInterrupt/cancel()`` was called.
    case cancelled
    /// The source is a stream that can only be read onward.
    case notSeekable(name: String)
    /// Reading failed on the way; the library's code and words.
    case readFailed(name: String, code: Int32, reason: String)
}

extension MediaError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let name): "\(name) does not exist"
        case .permissionDenied(let name): "\(name) may not be read: permission denied"
        case .isDirectory(let name): "\(name) is a folder"
        case .notAFile(let name): "\(name) is not a regular file"
        case .empty(let name): "\(name) is empty"
        case .notAudio(let name): "\(name) is not audio"
        case .damaged(let name): "\(name) is damaged or incomplete"
        case .noDecoder(let name, let codec): "\(name) is \(codec), for which there is no decoder"
        case .unreachable(let name, let reason): "\(name) cannot be reached: \(reason)"
        case .refused(let name, let reason): "\(name) is not given out by the server: \(reason)"
        case .timedOut(let name): "\(name) does not answer"
        case .cancelled: "cancelled"
        case .notSeekable(let name): "\(name) is a stream in which there is no going back"
        case .readFailed(let name, _, let reason): "\(name) could not be read: \(reason)"
        }
    }
}

/// Something wrong with a source that still plays.
public enum MediaWarning: Hashable, Sendable, CustomStringConvertible {
    /// The sound stops before the length that the file promises.
    case endsEarly(frame: Int64, expected: Int64)
    /// Reading ended with an error instead of an end; the library's words.
    case stopped(frame: Int64, reason: String)

    public var description: String {
        switch self {
        case .endsEarly(let frame, let expected):
            "the file ends in the middle: \(frame) of \(expected) frames"
        case .stopped(let frame, let reason): "the file ends in the middle, after \(frame) frames: \(reason)"
        }
    }
}
