import CoreMedia
import Foundation

/// The domain of this module's errors.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// An error of this module: a code, and a text for users in `localizedDescription`.
///
/// An `AVError` bridges to and from an `NSError` of ``AVFoundationErrorDomain``:
/// `catch let error as AVError`, `catch AVError.decodeFailed`, `error as NSError` and
/// `AVError(.decodeFailed)` all work.
public struct AVError: _BridgedStoredNSError {
    public let _nsError: NSError

    /// Wraps an error object.
    ///
    /// - Precondition: The error has the domain ``AVFoundationErrorDomain``.
    public init(_nsError error: NSError) {
        precondition(error.domain == AVFoundationErrorDomain, "an error of another domain")
        _nsError = error
    }

    /// Creates an error of this code.
    ///
    /// - Parameter userInfo: Further facts, by the keys of `NSError` and of this module.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(
            _nsError: NSError(domain: AVFoundationErrorDomain, code: code.rawValue, userInfo: userInfo))
    }

    /// The error domain, ``AVFoundationErrorDomain``.
    public static var errorDomain: String { AVFoundationErrorDomain }

    public static var _nsErrorDomain: String { AVFoundationErrorDomain }

    /// The error code; ``Code/unknown`` for a number without a name, which ``errorCode`` still returns.
    public var code: Code { Code(rawValue: _nsError.code) ?? .unknown }
}

extension AVError {
    /// The kind of media that the error concerns.
    public var mediaType: AVMediaType? { userInfo[AVErrorMediaTypeKey] as? AVMediaType }

    /// The encodings that the error concerns, as four-character codes.
    public var mediaSubtypes: [Int]? { userInfo[AVErrorMediaSubTypeKey] as? [Int] }

    /// The time in the media at which the error occurred.
    public var time: CMTime? { (userInfo[AVErrorTimeKey] as? NSValue)?.timeValue }

    /// The presentation time of the sample that caused the error.
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

/// User info key: the media type, an ``AVMediaType``.
public let AVErrorMediaTypeKey = "AVErrorMediaTypeKey"
/// User info key: the encodings, an array of four-character codes as numbers.
public let AVErrorMediaSubTypeKey = "AVErrorMediaSubTypeKey"
/// User info key: the time in the media, an `NSValue` with a `CMTime`.
public let AVErrorTimeKey = "AVErrorTimeKey"
/// User info key: the presentation time of the sample, an `NSValue` with a `CMTime`.
public let AVErrorPresentationTimeStampKey = "AVErrorPresentationTimeStampKey"
/// User info key: the track ID, a number.
public let AVErrorPersistentTrackIDKey = "AVErrorPersistentTrackIDKey"
/// User info key: the file type, an ``AVFileType``.
public let AVErrorFileTypeKey = "AVErrorFileTypeKey"
