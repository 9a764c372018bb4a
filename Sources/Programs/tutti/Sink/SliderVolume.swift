import TuttiMediaTime

/// The volume of an output's slider, a value: tells the wish of a user from the memory of a sound server.
struct SliderVolume: Sendable {
    /// The meaning of a volume that the server reports.
    enum Change: Equatable {
        case none
        /// A user moved the slider to this place.
        case wish(Double)
        /// The server put the slider elsewhere by itself: it has to show this volume again.
        case correction(Double)
    }

    /// The time after the output's beginning in which its volume is the server's memory, and no wish of a user.
    static let settling = Duration.seconds(1)

    /// The volume of the rooms, in percent; `nil` until it is set.
    private(set) var percent: Double?
    private(set) var isMuted = false
    private var begun: HostTime?

    /// Sets the volume from this side.
    mutating func set(_ percent: Double) { self.percent = percent }

    /// Notes that a server has the output now.
    mutating func didBegin(at now: HostTime) { begun = now }

    /// Notes that no server has it. The memory of the next one is no wish of a user either.
    mutating func didEnd() { begun = nil }

    /// Takes what the server shows.
    mutating func take(_ percent: Double, isMuted: Bool, at now: HostTime) -> Change {
        let percent = max(0, min(100, percent))
        self.isMuted = isMuted
        // A slider that was told no volume shows the server's, from which a step may lead anywhere.
        guard let begun, let shown = self.percent, abs(percent - shown) > 0.5 else { return .none }
        // Left where it is, its next step would bring the rooms there.
        guard now.since(begun) > Self.settling else { return .correction(shown) }
        self.percent = percent
        return .wish(percent)
    }
}
