import Codecs
import Foundation
import Playback

extension AVError {
    /// Why a renderer failed, in its own words, with the error that came as the underlying one; one of this domain is
    /// left as it is.
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

    /// By its words, as it has nothing else: what nobody decodes, what no route takes, and else a buffer that is
    /// not as its format says.
    private static func code(of error: RenderError) -> Code {
        let words = error.description
        if words.hasPrefix("no decoder") { return .decoderNotFound }
        let isRefused = words.hasSuffix("cannot be rendered") || words.hasSuffix("has no sample rate")
        return isRefused ? .unsupportedOutputSettings : .decodeFailed
    }
}
