import Foundation
import TuttiCodecs

extension AVError {
    /// Creates an error with its cause in words.
    init(_ code: Code, reason: String, url: URL? = nil, underlying: NSError? = nil) {
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: reason, NSLocalizedFailureReasonErrorKey: reason,
        ]
        if let url { userInfo[NSURLErrorKey] = url }
        if let underlying { userInfo[NSUnderlyingErrorKey] = underlying }
        self.init(code, userInfo: userInfo)
    }

    /// Creates the error for a file or URL that could not be read.
    init(_ error: MediaError, url: URL? = nil) {
        let (code, cause) = Self.meaning(of: error)
        var underlying = cause.map { NSError(domain: NSURLErrorDomain, code: $0) }
        if case .programFailed(_, let reason, let domain, let code) = error {
            underlying = NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: reason])
        }
        self.init(code, reason: error.description, url: url, underlying: underlying)
    }

    /// Returns the error code, and a code of `NSURLErrorDomain` if there is a more specific one.
    private static func meaning(of error: MediaError) -> (Code, Int?) {
        switch error {
        case .notFound: (.contentIsUnavailable, NSURLErrorFileDoesNotExist)
        case .permissionDenied: (.contentIsNotAuthorized, NSURLErrorNoPermissionsToReadFile)
        case .isDirectory: (.fileFormatNotRecognized, NSURLErrorFileIsDirectory)
        case .notAFile, .empty, .notAudio, .noPictures, .noSubtitles: (.fileFormatNotRecognized, nil)
        case .damaged, .noSound: (.fileFailedToParse, nil)
        case .noDecoder: (.decoderNotFound, nil)
        case .undecodable: (.decodeFailed, nil)
        case .unreachable: (.contentIsUnavailable, NSURLErrorCannotConnectToHost)
        case .unknownHost: (.contentIsUnavailable, NSURLErrorCannotFindHost)
        case .notTrusted: (.contentIsNotAuthorized, NSURLErrorServerCertificateUntrusted)
        case .httpStatus(_, let status, _): meaning(ofStatus: status)
        case .redirectLoop: (.serverIncorrectlyConfigured, NSURLErrorHTTPTooManyRedirects)
        case .refused: (.serverIncorrectlyConfigured, NSURLErrorBadServerResponse)
        case .programFailed: (.contentIsUnavailable, nil)
        case .connectionLost: (.contentIsUnavailable, NSURLErrorNetworkConnectionLost)
        case .webPage, .playlist: (.fileFormatNotRecognized, nil)
        case .timedOut, .tooSlow: (.contentIsUnavailable, NSURLErrorTimedOut)
        case .cancelled: (.operationCancelled, nil)
        case .notSeekable: (.operationNotSupportedForAsset, nil)
        case .readFailed: (.failedToLoadMediaData, nil)
        }
    }

    private static func meaning(ofStatus status: Int) -> (Code, Int?) {
        switch status {
        case 401: (.contentIsNotAuthorized, NSURLErrorUserAuthenticationRequired)
        case 402, 403, 407, 451: (.contentIsNotAuthorized, NSURLErrorNoPermissionsToReadFile)
        case 404, 410: (.serverIncorrectlyConfigured, NSURLErrorFileDoesNotExist)
        case 500...: (.contentIsUnavailable, NSURLErrorBadServerResponse)
        default: (.serverIncorrectlyConfigured, NSURLErrorBadServerResponse)
        }
    }
}
