/// What is known about what an address gives.
package struct WebResource: Sendable {
    /// Where redirects led to.
    package internal(set) var address: String
    /// In bytes; `nil` while it is not known, and for what has no end.
    package internal(set) var length: Int64?
    /// Whether the server gives parts.
    package internal(set) var givesRanges = false
    /// Whether it goes on for ever, and what was missed is gone.
    package internal(set) var isLive = false
    /// Small letters, without parameters.
    package internal(set) var contentType: String?
    /// What a radio station says of itself: `icy-name`, `icy-genre` …
    package internal(set) var station: [(name: String, value: String)] = []
    /// Bytes of sound between two titles; 0 where there are none.
    var titleInterval = 0
    var validator: String?

    init(address: String) { self.address = address }

    /// The facts about bytes that a program provides.
    package init(address: String, length: Int64?, givesRanges: Bool, contentType: String?) {
        (self.address, self.length, self.givesRanges) = (address, length, givesRanges)
        self.contentType = contentType
    }

    /// Titles farther apart are no titles.
    private static let titleIntervalLimit = 16 << 20
    private static let stationTextLimit = 1024

    /// Learns from the first answer.
    init(address: String, _ head: WebHead, range: ContentRange?) {
        self.address = address
        isLive = head.isRadio
        if !head.isEncoded, !isLive {
            length = head.status == 206 ? range?.total : head.contentLength
            givesRanges = head.status == 206 || head.acceptsRanges
        }
        contentType = head["content-type"]?.split(separator: ";").first.map {
            String($0).trimmed.lowercased()
        }
        station = head.headers.filter { $0.name.hasPrefix("icy-") && $0.name != "icy-metaint" }
            .map { ($0.name, String($0.value.prefix(Self.stationTextLimit))) }
        if let interval = head["icy-metaint"].flatMap({ Int($0) }),
            (1...Self.titleIntervalLimit).contains(interval)
        {
            titleInterval = interval
        }
        validator = head.validator
    }
}
