/// The settings of a layer for its sink, and which of them the sink lacks. A value.
struct SinkSettings {
    /// The settings that a sink lacks.
    struct Change: Equatable {
        var gravity: AVLayerVideoGravity?
        var keepsAwake: Bool?

        func apply(to sink: any TuttiVideoFrameSink) {
            if let gravity { sink.setVideoGravity(gravity) }
            if let keepsAwake { sink.setKeepsDisplayAwake(keepsAwake) }
        }
    }

    /// The scaling that the program has set; `nil` leaves the sink its own.
    var gravity: AVLayerVideoGravity? {
        didSet { isGravityDue = gravity != nil }
    }
    /// Whether the display should stay awake while pictures are shown.
    var wantsDisplayAwake: Bool

    private var isGravityDue = false
    /// The last value that the sink got; `nil` before the first.
    private var lastKeptAwake: Bool?

    init(wantsDisplayAwake: Bool = true) { self.wantsDisplayAwake = wantsDisplayAwake }

    /// Makes all settings due, for another sink.
    mutating func restart() { (isGravityDue, lastKeptAwake) = (gravity != nil, nil) }

    /// Returns the settings that the sink lacks, which then count as delivered.
    ///
    /// - Parameter isShowing: Whether the layer shows pictures at present.
    mutating func take(isShowing: Bool) -> Change {
        let keepsAwake = wantsDisplayAwake && isShowing
        let change = Change(
            gravity: isGravityDue ? gravity : nil, keepsAwake: keepsAwake == lastKeptAwake ? nil : keepsAwake)
        (isGravityDue, lastKeptAwake) = (false, keepsAwake)
        return change
    }
}
