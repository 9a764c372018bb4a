/// The pending preroll of a player: it ends once a start would be heard at once. A later preroll replaces an earlier
/// one.
struct Preroll: Sendable {
    private var request: RequestID?

    /// Begins a preroll; none is pending.
    mutating func begin(_ request: RequestID) { self.request = request }

    /// Ends the preroll.
    ///
    /// - Returns: Its request, to be completed.
    mutating func end() -> RequestID? { request.take() }

    /// Whether a preroll waits for its end.
    var isPending: Bool { request != nil }
}
