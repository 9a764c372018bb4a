import CoreMedia
import Foundation

/// The domain of this module's errors.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// What this module throws and stores: a code, and words for people in `localizedDescription`.
///
/// It is an `NSError` of ``AVFoundationErrorDomain`` and the other way round: `catch let error as AVError`,
/// `catch AVError.decodeFailed`, `error as NSError` and `AVError(.decodeFailed)` all work.
public struct AVError: _BridgedStoredNSError, @unchecked Sendable {
    // Safe to share: error objects never change.

    public let _nsError: NSError

    /// - Precondition: the error is of this domain.
    public init(_nsError error: NSError) {
        precondition(error.domain == AVFoundationErrorDomain, "an error of another domain")
        _nsError = error
    }

    /// An error of this code.
    ///
    /// - Parameter userInfo: what else is known, by the keys of `NSError` and of this module.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(
            _nsError: NSError(domain: AVFoundationErrorDomain, code: code.rawValue, userInfo: userInfo))
    }

    /// The name that `NSError` has for it.
    public static var errorDomain: String { AVFoundationErrorDomain }

    public static var _nsErrorDomain: String { AVFoundationErrorDomain }

    /// What went wrong; ``Code/unknown`` for a number without a name, which ``errorCode`` still has.
    public var code: Code { Code(rawValue: _nsError.code) ?? .unknown }
}

extension AVError {
    /// The kind of media that the error concerns.
    public var mediaType: AVMediaType? { userInfo[AVErrorMediaTypeKey] as? AVMediaType }

    /// The encodings that the error concerns, as four-character codes.
    public var mediaSubtypes: [Int]? { userInfo[AVErrorMediaSubTypeKey] as? [Int] }

    /// Where in the media it happened.
    public var time: CMTime? { (userInfo[AVErrorTimeKey] as? NSValue)?.timeValue }

    /// The presentation time of the sample it happened with.
    public var presentationTimeStamp: CMTime? {
        (userInfo[AVErrorPresentationTimeStampKey] as? NSValue)?.timeValue
    }

    /// The track that the error concerns.
    public var persistentTrackID: CMPersistentTrackID? {
        (userInfo[AVErrorPersistentTrackIDKey] as? NSNumber)?.int32Value
    }

    /// The type of the file that the error concerns.
    public var fileType: AVFileType? { userInfo[AVErrorFileTypeKey] as? AVFileType }
}

/// Key of a user info: an ``AVMediaType``.
public let AVErrorMediaTypeKey = "AVErrorMediaTypeKey"
/// Key of a user info: an array of numbers.
public let AVErrorMediaSubTypeKey = "AVErrorMediaSubTypeKey"
/// Key of a user info: an `NSValue` with a time.
public let AVErrorTimeKey = "AVErrorTimeKey"
/// Key of a user info: an `NSValue` with a time.
public let AVErrorPresentationTimeStampKey = "AVErrorPresentationTimeStampKey"
/// Key of a user info: a number.
public let AVErrorPersistentTrackIDKey = "AVErrorPersistentTrackIDKey"
/// Key of a user info: an ``AVFileType``.
public let AVErrorFileTypeKey = "AVErrorFileTypeKey"
