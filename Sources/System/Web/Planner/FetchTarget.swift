/// The bytes that a planner fetches: the wanted range of an address, and what its server declared so far.
struct FetchTarget {
    /// The address before redirects.
    private let original: String
    /// The first wanted byte of the source.
    let first: Int64
    /// The last wanted byte; `nil` for the source's last.
    private let last: Int64?
    private(set) var resource: WebResource
    /// Whether the first response arrived and was good.
    private(set) var isOpen = false

    init(address: String, first: Int64, last: Int64?) {
        (original, self.first, self.last) = (address, first, last)
        resource = WebResource(address: address)
    }

    /// The end of the wanted bytes; `nil` if unknown.
    var end: Int64? { [resource.length, last.map { $0 + 1 }].compactMap(\.self).min() }

    /// Returns the longest distance beyond a fetch's end that is bridged by reading on instead of a new request.
    func reach(_ limits: WebLimits) -> Int64 {
        Int64(resource.givesRanges ? limits.shortJumpBytes : limits.skippedBytes)
    }

    /// Returns whether a new request can give the bytes from an offset on.
    func isReachable(_ offset: Int64, _ limits: WebLimits) -> Bool {
        resource.givesRanges || offset <= Int64(limits.skippedBytes)
    }

    /// Returns a request for the bytes from an offset on; a server without ranges sends everything again.
    func ask(_ serial: Int, from offset: Int64, _ cause: TransferRecord.Cause) -> FetchPlanner.Ask {
        let isPart = !resource.isLive && (!isOpen || resource.givesRanges)
        return FetchPlanner.Ask(
            serial: serial, address: resource.address, offset: isPart ? offset : 0,
            last: isPart ? last : nil, isRanged: isPart,
            validator: isPart && offset > 0 ? resource.validator : nil, cause: cause)
    }

    /// Learns from the head of a good response.
    ///
    /// - Parameters:
    ///   - asked: The first byte requested.
    ///   - wanted: The first byte that is not cached.
    /// - Returns: The number of bytes before `wanted` that the response repeats.
    /// - Throws: The reason why the response is of no use.
    mutating func learn(
        _ head: WebHead, from address: String, asked: Int64, wanted: Int64, _ limits: WebLimits
    ) throws(WebError) -> Int64 {
        let range = head.contentRange
        let first = head.status == 206 ? range?.first ?? asked : 0
        guard first <= asked else { throw .badAnswer("it is not the requested range") }
        if !isOpen {
            resource = WebResource(address: address, head)
            isOpen = true
        } else if let known = resource.validator, let now = head.validator, known != now, !resource.isLive {
            throw .changed
        } else {
            resource.address = address
            if head.status == 206, let total = range?.total { resource.length = total }
            if head.status == 200, asked > 0 { resource.givesRanges = false }
        }
        let skipped = resource.isLive ? 0 : wanted - first
        guard skipped <= Int64(limits.skippedBytes) else { throw .noRanges }
        return skipped
    }

    /// Returns whether a request that failed with an HTTP status may succeed later, at the original address.
    mutating func mayRecover(from status: Int) -> Bool {
        let isPassing = [408, 425, 429].contains(status) || (500..<600).contains(status)
        guard isOpen, isPassing || resource.isLive || resource.address != original else { return false }
        // Redirect targets often expire after some minutes.
        resource.address = original
        return true
    }

    /// Learns that the source has no bytes after an offset, before any good response.
    mutating func openEmpty(at end: Int64) {
        if !isOpen { (isOpen, resource.length) = (true, end) }
    }

    /// Learns where the source ends.
    ///
    /// - Parameter isCounted: Whether all repeated bytes before the end were counted.
    mutating func finish(at end: Int64, isCounted: Bool) {
        if last == nil, resource.length != nil || isCounted { resource.length = end }
    }
}
