import TuttiWeb

extension MediaError {
    /// - Parameter name: The source's display name.
    init(_ error: WebError, name: String) {
        self =
            switch error {
            case .unknownHost(let host): .unknownHost(name: name, host: host)
            case .noConnection: .unreachable(name: name, reason: "\(error)")
            case .notTrusted: .notTrusted(name: name, reason: "\(error)")
            case .status(let status): .httpStatus(name: name, status: status, reason: "\(error)")
            case .redirectLoop: .redirectLoop(name: name, reason: "\(error)")
            case .lost: .connectionLost(name: name, reason: "\(error)")
            case .timedOut: .timedOut(name: name)
            case .tooSlow: .tooSlow(name: name, reason: "\(error)")
            case .cancelled: .cancelled
            case .program(let reason, let domain, let code):
                .programFailed(name: name, reason: reason, domain: domain, code: code)
            case .noRanges: .notSeekable(name: name)
            case .invalidAddress, .redirectElsewhere, .endlessHead, .badAnswer, .changed, .tooLong,
                .tooManyRequests, .playlistsInPlaylists:
                .refused(name: name, reason: "\(error)")
            }
    }
}
