import Foundation
import Playback
import TuttiCodecs

extension AVError {
    /// Wraps a renderer's error, keeping its text and the error itself as the underlying error. Returns an
    /// `AVError` unchanged.
    init(rendering error: any Error) {
        if let error = error as? AVError {
            self = error
        } else if let error = error as? MediaError {
            self.init(error)
        } else {
            let object = error as NSError
            let words = type(of: error) is NSError.Type ? object.localizedDescription : "\(error)"
            let underlying = NSError(
                domain: object.domain, code: object.code,
                userInfo: object.userInfo.merging([NSLocalizedDescriptionKey: words]) { own, _ in own })
            self.init(Self.code(of: error), reason: words, underlying: underlying)
        }
    }

    private static func code(of error: any Error) -> Code {
        switch error {
        case let error as CodecError: error.code == 0 ? .decoderNotFound : .decodeFailed
        case let error as RenderError: code(of: error)
        default: .unknown
        }
    }

    /// Classifies a render error by its text, because a `RenderError` carries nothing else: no decoder, a
    /// format that no route takes, or else a buffer that contradicts its format.
    private static func code(of error: RenderError) -> Code {
        let words = error.description
        if words.hasPrefix("no decoder") { return .decoderNotFound }
        let isRefused = words.hasSuffix("cannot be rendered") || words.hasSuffix("has no sample rate")
        return isRefused ? .unsupportedOutputSettings : .decodeFailed
    }
}
