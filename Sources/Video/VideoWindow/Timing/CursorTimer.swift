/// Decides when the mouse cursor is hidden.
struct CursorTimer {
    /// Nanoseconds without movement after which the cursor disappears.
    static let patience: Int64 = 2_000_000_000

    private(set) var isHidden = false
    /// The host time of the next ``handleTimeout(at:)``; `nil` while the cursor is hidden.
    private(set) var deadline: Int64?

    init(at now: Int64) { deadline = now + Self.patience }

    /// Returns whether to show the cursor.
    mutating func noteMovement(at now: Int64) -> Bool {
        defer { (isHidden, deadline) = (false, now + Self.patience) }
        return isHidden
    }

    /// Returns whether to hide the cursor; safe to call early.
    mutating func handleTimeout(at now: Int64) -> Bool {
        guard let deadline, now >= deadline else { return false }
        (isHidden, self.deadline) = (true, nil)
        return true
    }
}
