import TuttiClockService
import TuttiMediaTime
import TuttiTestSupport

/// Another machine's clock behind a link, and its follower: only times, no messages.
///
/// Messages to us arrive eight times a second, after a first 1.2 s of one every 25 ms; requests
/// are sent as the follower sends them.
struct SimulatedClock {
    /// One direction of the link.
    struct Way {
        var delay = Duration.zero
        /// Mean of the additional, exponentially distributed delay.
        var jitter = Duration.zero
    }

    var followed = FollowedClock()
    var now: HostTime
    var driftPPM = 0.0
    var there = Way()
    var back = Way()
    var loss = 0.0
    /// How often a departure time is late, and by how much: up to 2 ms.
    var wrongStamps = 0.0
    var isSilent = false
    var answers = true
    private var networkBase: Int64
    private var hostBase: HostTime
    private var nextSync: HostTime
    private var nextQuestion: HostTime
    private let start: HostTime
    private var generator: SeededGenerator
    /// Estimated network time minus the truth, nanoseconds, ten times a second.
    private(set) var errors: [(time: Double, error: Double)] = []
    /// The largest step between two consecutive lines, nanoseconds.
    private(set) var worstStep = 0.0
    private(set) var usableAfter: Duration?

    init(driftPPM: Double = 0, offset: Int64 = 123_456_789_012_345, seed: UInt64 = 7) {
        generator = SeededGenerator(seed: seed)
        start = HostTime(nanoseconds: 5_000_000_000_000)
        now = start
        (hostBase, nextSync, nextQuestion) = (start, start, start)
        networkBase = start.nanoseconds + offset
        self.driftPPM = driftPPM
    }

    func truth(at time: HostTime) -> NetworkTime {
        let elapsed = time.nanoseconds - hostBase.nanoseconds
        return NetworkTime(
            nanoseconds: networkBase + elapsed + Int64((Double(elapsed) * driftPPM * 1e-6).rounded()))
    }

    /// Sets the clock.
    mutating func step(by nanoseconds: Int64) {
        networkBase = truth(at: now).nanoseconds + nanoseconds
        hostBase = now
    }

    /// Returns the largest error since `seconds` after the start.
    func worstError(since seconds: Double) -> Double {
        errors.filter { $0.time >= seconds }.map(\.error.magnitude).max() ?? .infinity
    }

    var error: Double {
        guard let mapping = followed.mapping(at: now) else { return .infinity }
        return Double(mapping.networkTime(at: now).nanoseconds - truth(at: now).nanoseconds)
    }

    mutating func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        var nextLook = now
        while true {
            let next = min(nextSync, nextQuestion, nextLook)
            guard next <= end else { break }
            now = next
            if next == nextSync { sync() }
            if next == nextQuestion { ask() }
            if next == nextLook {
                nextLook = now.advanced(by: .milliseconds(100))
                if followed.line != nil { errors.append((now.since(start).inSeconds, error)) }
            }
        }
        now = end
    }

    /// Runs while the rate changes, as that of a crystal that becomes warmer.
    mutating func warm(for seconds: Int, ppmPerMinute: Double) {
        for _ in 0..<seconds {
            step(by: 0)
            driftPPM += ppmPerMinute / 60
            run(for: .seconds(1))
        }
    }

    private mutating func delay(_ way: Way) -> Duration {
        guard way.jitter > .zero else { return way.delay }
        return way.delay + way.jitter * -_log(Double.random(in: 0.0001..<1, using: &generator))
    }

    private var isLost: Bool {
        mutating get { loss > 0 && Double.random(in: 0..<1, using: &generator) < loss }
    }

    private mutating func sync() {
        let isYoung = now.since(start) < .milliseconds(1200)
        nextSync = now.advanced(by: .milliseconds(isYoung ? 25 : 125))
        guard !isSilent, !isLost else { return }
        let arrival = now.advanced(by: delay(there))
        var departure = truth(at: now)
        if wrongStamps > 0, Double.random(in: 0..<1, using: &generator) < wrongStamps {
            departure = departure.advanced(by: .microseconds(Int.random(in: 50...2000, using: &generator)))
        }
        take(at: arrival) { $0.receive(departure: departure, arrival: arrival) }
    }

    private mutating func ask() {
        let isYoung = now.since(start) < .seconds(2)
        nextQuestion = now.advanced(by: .milliseconds(isYoung ? 125 : 500))
        guard !isSilent, answers, !isLost, !isLost else { return }
        let departure = now
        let middle = now.advanced(by: delay(back))
        let arrival = truth(at: middle)
        let answered = middle.advanced(by: delay(there))
        take(at: answered) { $0.receive(departure: departure, arrival: arrival, answeredAt: answered) }
    }

    private mutating func take(at time: HostTime, _ body: (inout FollowedClock) -> Void) {
        let before = followed.mapping(at: time)
        body(&followed)
        guard let after = followed.mapping(at: time) else { return }
        if usableAfter == nil { usableAfter = time.since(start) }
        guard let before, time.since(start) >= .seconds(2) else { return }
        worstStep = max(worstStep, Double(after.network.nanoseconds - before.network.nanoseconds).magnitude)
    }
}
