import TuttiMediaTime

/// The size of the largest speaker buffer, which bounds the packet store. It changes when a speaker joins or
/// leaves, so it is asked for again and again, one question at a time.
struct RouteBufferSize: Sendable {
    /// Bytes assumed until a speaker has said its size.
    private static let usual = 8 << 20
    /// Packed bytes kept beyond the largest buffer.
    private static let slack = 512 * 1024

    private(set) var bytes: Int?
    private var lastAsked: HostTime?
    private var isAsking = false

    /// Bytes at which the packet store is full.
    var storeLimit: Int { (bytes ?? Self.usual) + Self.slack }

    /// - Parameter isUrgent: Asks even if the size was asked for a moment ago.
    /// - Returns: Whether to ask now.
    mutating func ask(at now: HostTime, isUrgent: Bool) -> Bool {
        let isDue = lastAsked.map { now >= $0.advanced(by: RouteWakes.rest) } ?? true
        guard !isAsking, bytes == nil || isUrgent || isDue else { return false }
        (isAsking, lastAsked) = (true, now)
        return true
    }

    /// - Parameter bytes: `nil` if no speaker has said its size; an earlier answer stays.
    mutating func answered(_ bytes: Int?) { (isAsking, self.bytes) = (false, bytes ?? self.bytes) }
}
