/// The time at which a change beside the picture, such as a new subtitle, is drawn.
///
/// A presentation may wait for the display. While pictures flow, a presentation of its own for each change
/// would delay the next picture, so the change waits for that picture, for a limited time.
struct RedrawSchedule {
    /// The longest wait for the next picture, longer than a picture of a film lasts (42 ms).
    static let patience: Int64 = 60_000_000

    private var lastPicture: Int64?
    /// The host time at which to draw; `nil` when nothing waits.
    private(set) var deadline: Int64?

    mutating func noteDrawing(isPicture: Bool, at now: Int64) {
        deadline = nil
        if isPicture { lastPicture = now }
    }

    mutating func noteChange(at now: Int64) {
        guard deadline == nil else { return }
        let arePicturesFlowing = lastPicture.map { now - $0 < Self.patience } ?? false
        deadline = arePicturesFlowing ? now + Self.patience : now
    }
}
