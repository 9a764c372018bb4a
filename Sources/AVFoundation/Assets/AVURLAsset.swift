import Codecs
import Foundation
import Web

/// Option: whether the length is measured where the file does not say it, by reading all of it once; a
/// Boolean, `false` unless given.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
/// Option: cookies for the server; here an array of strings as in the header `Set-Cookie`.
public let AVURLAssetHTTPCookiesKey = "AVURLAssetHTTPCookiesKey"
/// Option: the name that the program has for the server; a string.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"
/// Option: whether mobile networks may be used; accepted, and without effect here.
public let AVURLAssetAllowsCellularAccessKey = "AVURLAssetAllowsCellularAccessKey"
/// Option: what kind of content it is, whatever the server says; accepted, and without effect here, as the
/// kind is always found out from the content itself.
public let AVURLAssetOverrideMIMETypeKey = "AVURLAssetOverrideMIMETypeKey"

/// An asset of a file or of an address that begins with `http` or `https`.
open class AVURLAsset: AVAsset, @unchecked Sendable {
    // Safe to share: the address is set by `init` alone.

    /// Where it is.
    open private(set) var url: URL

    /// - Parameter options: by the `AVURLAsset…Key` names; others are ignored.
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

    /// The types of files that can be opened.
    open class func audiovisualTypes() -> [AVFileType] { MediaContainer.all.map(\.type) }

    /// The MIME types that can be opened.
    open class func audiovisualMIMETypes() -> [String] { MediaContainer.all.flatMap(\.mimeTypes) }

    /// Whether something of a MIME type can be played, its parameter `codecs` included, e.g.
    /// `audio/mp4; codecs="mp4a.40.2"`.
    open class func isPlayableExtendedMIMEType(_ extendedMIMEType: String) -> Bool {
        MediaContainer.takes(extendedMIMEType: extendedMIMEType)
    }
}
