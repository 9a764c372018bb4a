import TuttiMediaTime

/// The time in which rebuffering is hidden from observers: after a change of rate or output, the program has
/// lost nothing.
struct HiddenRefill: Sendable {
    enum Outcome { case hidden, exposed, over }

    /// Hides rebuffering until this time; `nil` while nothing is hidden.
    private(set) var end: HostTime?

    mutating func begin(at now: HostTime) { end = now.advanced(by: Self.longest) }

    mutating func stop() { end = nil }

    /// Compares with the levels at `now`: enough sound, or too long a time, ends the hiding.
    ///
    /// - Returns: `over` if nothing is hidden, `exposed` if the lack of sound shows from now on.
    mutating func look(_ levels: BufferLevels, at now: HostTime) -> Outcome {
        guard let end else { return .over }
        if !levels.isEnough, now < end { return .hidden }
        self.end = nil
        return levels.isEnough ? .over : .exposed
    }

    private static let longest = Duration.seconds(1)
}
