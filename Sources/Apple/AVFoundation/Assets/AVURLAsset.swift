import Foundation
import TuttiCodecs
import TuttiWeb

/// Option: whether to measure a duration that the file does not state, by reading the whole file once; a
/// Boolean, `false` by default.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// Option: cookies for the server; here an array of strings in the form of the `Set-Cookie` header.
public let AVURLAssetHTTPCookiesKey = "AVURLAssetHTTPCookiesKey"
/// Option: the `User-Agent` header for the server; a string.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"
/// Option: whether mobile networks may be used; accepted and ignored.
public let AVURLAssetAllowsCellularAccessKey = "AVURLAssetAllowsCellularAccessKey"
/// Option: the MIME type, overriding that of the server; accepted and ignored, because Tutti always detects
/// the format from the content.
public let AVURLAssetOverrideMIMETypeKey = "AVURLAssetOverrideMIMETypeKey"

/// An asset of a file, an `http` or `https` URL, or a custom URL that a resource loader's delegate serves.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    // Safe to share: only `init` sets the URL.

    /// The URL of the resource.
    open private(set) var url: URL

    /// Creates an asset without opening the URL.
    ///
    /// - Parameter options: Values for the `AVURLAsset…Key` constants; other keys are ignored.
    public init(url URL: URL, options: [String: Any]? = nil) {
        url = URL
        var source = AssetSource(URL)
        source.isPrecise =
            (options?[AVURLAssetPreferPreciseDurationAndTimingKey] as? NSNumber)?.boolValue ?? false
        source.request = WebRequest(
            userAgent: options?[AVURLAssetHTTPUserAgentKey] as? String,
            cookies: options?[AVURLAssetHTTPCookiesKey] as? [String] ?? [])
        source.loader?.options = WebOptions(
            userAgent: source.request.userAgent, cookies: source.request.cookies)
        super.init(source: source)
    }

    /// Returns the file types that can be opened.
    open class func audiovisualTypes() -> [AVFileType] { MediaContainer.all.map(\.type) }

    /// Returns the MIME types that can be opened.
    open class func audiovisualMIMETypes() -> [String] { MediaContainer.all.flatMap(\.mimeTypes) }

    /// Returns whether content of a MIME type can be played, including its `codecs` parameter, e.g.
    /// `audio/mp4; codecs="mp4a.40.2"`.
    open class func isPlayableExtendedMIMEType(_ extendedMIMEType: String) -> Bool {
        MediaContainer.takes(extendedMIMEType: extendedMIMEType)
    }
}
