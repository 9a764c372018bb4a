/// The known facts about the resource behind an address.
package struct WebResource: Sendable {
    /// The address after redirects.
    package internal(set) var address: String
    /// The length in bytes; `nil` if unknown or endless.
    package internal(set) var length: Int64?
    /// Whether the server supports range requests.
    package internal(set) var givesRanges = false
    /// Whether the stream is endless and missed data is lost.
    package internal(set) var isLive = false
    /// The media type in lower case, without parameters.
    package internal(set) var contentType: String?
    /// A radio station's own headers: `icy-name`, `icy-genre` …
    package internal(set) var station: [(name: String, value: String)] = []
    var validator: String?

    init(address: String) { self.address = address }

    /// Creates the facts about bytes that a program provides.
    package init(address: String, length: Int64?, givesRanges: Bool, contentType: String?) {
        (self.address, self.length, self.givesRanges) = (address, length, givesRanges)
        self.contentType = contentType
    }

    private static let stationTextLimit = 1024

    /// Reads the facts from the first response.
    init(address: String, _ head: WebHead) {
        self.address = address
        isLive = head.isRadio
        if !head.isEncoded, !isLive {
            length = head.status == 206 ? head.contentRange?.total : head.contentLength
            givesRanges = head.status == 206 || head.acceptsRanges
        }
        contentType = head["content-type"]?.split(separator: ";").first.map {
            String($0).trimmed.lowercased()
        }
        station = head.headers.filter { $0.name.hasPrefix("icy-") && $0.name != "icy-metaint" }
            .map { ($0.name, String($0.value.prefix(Self.stationTextLimit))) }
        validator = head.validator
    }
}
