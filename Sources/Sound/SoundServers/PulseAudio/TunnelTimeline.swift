import TuttiMediaTime

/// The device that a tunnel plays to, which exists in arithmetic alone: frame n is consumed at its place of a
/// line on the host's clock, and heard the told latency later.
///
/// The tunnel may hold back sound for half of the latency, at most half a second, without a change of the
/// line: the sound is still early enough. After that the device stops, and a new line begins with the next
/// sound.
struct TunnelTimeline {
    /// Frames that the tunnel is asked for ahead of the device, in time.
    static let lead = Duration.milliseconds(30)
    /// Interval between two requests, in time: the length of the blocks that come.
    static let period = Duration.milliseconds(10)
    private static let longestDelay = Duration.milliseconds(500)

    let rate: SampleRate
    var latency: Duration

    /// Frames asked for and received since the stream began.
    private(set) var requested: Int64 = 0
    private(set) var received: Int64 = 0
    private(set) var isRunning = false
    /// The device waits for sound.
    private var isStarved = false
    /// A point of the last line.
    private var origin = (frame: Int64(0), time: HostTime(nanoseconds: 0))

    init(rate: SampleRate, latency: Duration) { (self.rate, self.latency) = (rate, latency) }

    /// The frame that the device consumes at a time.
    func position(at now: HostTime) -> Int64 {
        guard isRunning else { return origin.frame }
        return origin.frame &+ rate.frames(in: now.since(origin.time).wholeNanoseconds)
    }

    /// Starts the device, or continues after ``stop(at:)``, with the next frame that comes.
    mutating func start(at now: HostTime) {
        guard !isRunning else { return }
        origin = (received, now)
        (isRunning, isStarved) = (true, false)
    }

    /// Stops the device.
    mutating func stop(at now: HostTime) {
        origin = (position(at: now), now)
        (isRunning, isStarved) = (false, false)
    }

    /// Returns how many frames to ask for now; 0 if the tunnel has not yet sent enough of what it was asked
    /// for.
    mutating func request(at now: HostTime) -> Int64 {
        guard isRunning else { return 0 }
        var position = position(at: now)
        let patience = min(latency.wholeNanoseconds / 2, Self.longestDelay.wholeNanoseconds)
        if position - received > rate.frames(in: patience) {
            guard requested == received else {
                stop(at: now)
                isStarved = true
                return 0
            }
            // Not the tunnel was late, but this side, which did not ask.
            origin = (received, now)
            position = received
        }
        let count = position + rate.frames(in: Self.lead.wholeNanoseconds) - requested
        guard count >= rate.frames(in: Self.period.wholeNanoseconds) else { return 0 }
        requested += count
        return count
    }

    /// Takes frames that came.
    ///
    /// - Returns: The time at which the first of them is heard; `nil` if more came than was asked for.
    mutating func receive(_ count: Int64, at now: HostTime) -> HostTime? {
        guard count >= 0, count <= requested - received else { return nil }
        if isStarved { start(at: now) }
        defer { received += count }
        return heardAt(received)
    }

    /// The time at which a frame is heard.
    func heardAt(_ frame: Int64) -> HostTime {
        origin.time.advanced(by: .nanoseconds(rate.nanoseconds(of: frame - origin.frame))).advanced(
            by: latency)
    }
}
