import TuttiCodecs

/// An error about a file that has no code of its own.
public let kAudioFileUnspecifiedError: OSStatus = 0x7768_743F  // wht?
/// The file type is not supported.
public let kAudioFileUnsupportedFileTypeError: OSStatus = 0x7479_703F  // typ?
/// The file type is supported, but the encoding of the sound is not.
public let kAudioFileUnsupportedDataFormatError: OSStatus = 0x666D_743F  // fmt?
/// The file is damaged.
public let kAudioFileInvalidFileError: OSStatus = 0x6474_613F  // dta?
/// The process lacks permission to read the file.
public let kAudioFilePermissionsError: OSStatus = 0x7072_6D3F  // prm?
/// The file was closed.
public let kAudioFileNotOpenError: OSStatus = -38
/// The end of the file is reached.
public let kAudioFileEndOfFileError: OSStatus = -39
/// A parameter of an audio function is invalid.
public let kAudio_ParamError: OSStatus = -50

/// The errors of ``AVAudioFile``, with Apple's domain and codes, and the reader's error as underlying error.
enum AudioFileError {
    static let domain = "com.apple.coreaudio.avfaudio"

    static func make(_ code: OSStatus, _ words: String, under cause: (any Error)? = nil) -> NSError {
        var info: [String: Any] = [NSLocalizedDescriptionKey: words]
        info[NSUnderlyingErrorKey] = cause
        return NSError(domain: domain, code: Int(code), userInfo: info)
    }

    /// Converts an error of a reader or decoder.
    static func make(_ error: any Error) -> NSError {
        switch error {
        case let error as MediaError: make(code(of: error), error.description, under: error)
        case let error as CodecError:
            make(kAudioFileUnsupportedDataFormatError, error.description, under: error)
        default: make(kAudioFileUnspecifiedError, "the file cannot be read", under: error)
        }
    }

    private static func code(of error: MediaError) -> OSStatus {
        switch error {
        case .permissionDenied: kAudioFilePermissionsError
        case .notAudio: kAudioFileUnsupportedFileTypeError
        case .noDecoder: kAudioFileUnsupportedDataFormatError
        case .empty, .damaged: kAudioFileInvalidFileError
        default: kAudioFileUnspecifiedError
        }
    }

    static func endOfFile(_ url: URL) -> NSError {
        make(kAudioFileEndOfFileError, "the end of \(url.lastPathComponent) was reached")
    }

    static func notOpen(_ url: URL) -> NSError {
        make(kAudioFileNotOpenError, "\(url.lastPathComponent) was closed")
    }

    static var foreignBuffer: NSError {
        make(kAudio_ParamError, "the buffer's format is not the file's processing format")
    }

    static func notAFile(_ url: URL) -> NSError {
        make(kAudioFileUnspecifiedError, "\(url.absoluteString) is not a file")
    }
}
