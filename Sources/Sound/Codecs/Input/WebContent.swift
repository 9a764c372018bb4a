/// The content behind an address, judged by its first bytes.
enum WebContent: Hashable {
    case nothing
    /// Anything else; FFmpeg probes it.
    case media
    /// An HLS playlist, whose entries are segments of one stream.
    case segments
    /// A list of addresses.
    case playlist
    /// A web page.
    case page

    /// Bytes that suffice to tell the kinds apart.
    static let byteCount = 4096

    init(_ bytes: [UInt8]) {
        let text = String(decoding: Self.withoutMark(bytes), as: UTF8.self)
        let start = text.drop { $0.isWhitespace }.prefix(256).lowercased()
        if bytes.isEmpty {
            self = .nothing
        } else if start.hasPrefix("#extm3u") {
            self = text.contains("#EXT-X-") ? .segments : .playlist
        } else if start.hasPrefix("[playlist]") || start.hasPrefix("#extinf") {
            self = .playlist
        } else if ["<!doctype html", "<html", "<head", "<body"].contains(where: start.hasPrefix) {
            self = .page
        } else {
            self = .media
        }
    }

    /// Returns whether the name at the end of an address is a playlist's.
    static func isPlaylist(address: String) -> Bool {
        let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".m3u8", ".m3u", ".pls"].contains { path.hasSuffix($0) }
    }

    private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }
}
