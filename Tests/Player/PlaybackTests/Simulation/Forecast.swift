@testable import Playback

/// The settings for playing one item.
struct Listening: Sendable, CustomStringConvertible {
    var rate: Float = 1
    var waits = true
    var isImmediate = false
    /// `preferredForwardBufferDuration`.
    var wish = 0.0

    var description: String {
        let start = isImmediate ? "playImmediately" : waits ? "play" : "play, waits off"
        return "\(start) at \(rate)" + (wish > 0 ? ", \(wish) s ahead" : "")
    }
}

/// The expected events of one item, by sections 3.1 and 3.2 of the reference and by arithmetic.
///
/// The reference leaves open how early a player may trust the speed of a server. One forecast is for a player
/// that trusts it at once, another for a player that waits for the start level; all others lie between them.
struct Forecast: Sendable {
    struct Event: Sendable, CustomStringConvertible {
        var at: Double
        var what: String

        var description: String { "\((at * 100).rounded() / 100) \(what)" }
    }

    private(set) var transport: [Event] = []
    private(set) var notices: [Event] = []
    private(set) var empties: [Event] = []
    private(set) var statuses: [Event] = []
    private(set) var playhead = 0.0

    private let server: SimulatedServer
    private let how: Listening
    private let output: SimulatedRoute.Depth
    private let trustsSpeed: Bool
    private let depth: Double
    private var now = 0.0
    private var speed: Double
    private var end: Double
    private var events: [(at: Double, event: SimulatedServer.Event)]
    private var loaded = 0.0
    private var progress = 0.0
    private var hasFailed = false
    private var control = ""
    private var rate = 0.0
    private var isReady = false
    private var isEmptyTold = true
    /// Time from which the playhead moves after a start; `nil` while it stands still.
    private var runs: Double?
    private var isImmediate: Bool
    /// Whether the item has ended or failed.
    private var isOver = false
    /// Time since which there has been some sound.
    private var soundSince: Double?

    private static let tolerance = 1e-9

    init(
        _ server: SimulatedServer, _ how: Listening, _ output: SimulatedRoute.Depth, trustsSpeed: Bool,
        until limit: Double
    ) {
        (self.server, self.how, self.output, self.trustsSpeed) = (server, how, output, trustsSpeed)
        // 3.2: the preferred duration, or our choice: the output's depth, and 12 s read ahead of it.
        // A feed rests up to a buffer before the wished end.
        let least = how.wish > 0 ? max(2, how.wish) - server.piece : output.low + 12
        let most = how.wish > 0 ? max(2, how.wish) : output.high + 12
        depth = trustsSpeed ? most + 2 * server.piece : least
        (speed, end, events) = (server.speed, server.end, server.events)
        rate = server.duration == nil ? 1 : Double(how.rate)
        isImmediate = how.isImmediate
        enter("waiting")
        while now < limit {
            while follows() {}
            guard !isOver, let next = next() else { break }
            pass(until: min(next, limit))
        }
    }

    private mutating func enter(_ control: String) {
        self.control = control
        transport.append(Event(at: now, what: control))
    }

    private var isOpen: Bool { now >= server.openDelay - Self.tolerance && !(hasFailed && loaded == 0) }
    private var isComplete: Bool { isOpen && loaded >= end - Self.tolerance }
    private var ahead: Double { loaded - playhead }
    private var isEmpty: Bool { ahead <= Self.tolerance && !isComplete }
    private var isReading: Bool { isOpen && !isComplete && !hasFailed && ahead < depth }
    private var isRunning: Bool { runs.map { now >= $0 - Self.tolerance } ?? false }
    private var piece: Double { min(server.piece, end - loaded) }

    // MARK: Time

    /// Returns the time of the next possible change; `nil` if there is none.
    private func next() -> Double? {
        var times = [events.first?.at, now < server.openDelay ? server.openDelay : nil].compactMap(\.self)
        if isReading, speed > 0 { times.append(now + max(0, piece - progress) / speed) }
        if let runs {
            if now < runs - Self.tolerance {
                times.append(runs)
            } else {
                times.append(now + ahead / rate)
                if ahead >= depth { times.append(now + (ahead - depth) / rate + 1e-6) }
            }
        }
        if control == "waiting", let soundSince {
            // Less suffices from one moment to the next.
            let waited = now - soundSince
            if waited < 20 - 1e-6 {
                times.append(soundSince + 20)
            } else if waited < 31 {
                times.append(now + 0.05)
            }
        }
        return times.filter { $0 >= now }.min()
    }

    private mutating func pass(until time: Double) {
        let passed = time - now
        if isRunning { playhead += rate * passed }
        if isReading { progress += speed * passed }
        now = time
        if let first = events.first, first.at <= now + Self.tolerance {
            events.removeFirst()
            switch first.event {
            case .speed(let speed): self.speed = speed
            case .fails: hasFailed = true
            case .ends: end = loaded
            }
        }
        if isReading, progress >= piece - 1e-7 { (loaded, progress) = (loaded + piece, 0) }
    }

    // MARK: Rules

    /// Applies the first rule whose condition holds.
    ///
    /// - Returns: Whether a rule applied.
    private mutating func follows() -> Bool {
        if isOver { return false }
        if !isReady, isOpen, loaded > 0 || isComplete {
            isReady = true
            statuses.append(Event(at: now, what: "readyToPlay"))
            return true
        }
        if isReady, isEmpty != isEmptyTold {
            isEmptyTold = isEmpty
            soundSince = isEmpty ? nil : now
            empties.append(Event(at: now, what: "\(isEmpty)"))
            return true
        }
        if hasFailed, !isReady || (isEmpty && control == "waiting") { return fail() }
        if control == "waiting", isReady, mayStart {
            enter("playing")
            let isAtOnce = isImmediate
            isImmediate = false
            let isEnough = !how.waits || isAtOnce || ahead >= output.sufficient || isComplete || hasFailed
            let wait = isEnough || speed <= 0 ? 0 : (output.sufficient - ahead) / speed
            runs = now + wait + output.startDelay
            return true
        }
        guard control == "playing", isRunning, ahead <= Self.tolerance else { return false }
        if hasFailed { return fail() }
        runs = nil
        notices.append(Event(at: now, what: isComplete ? "ended" : "stalled"))
        isOver = isComplete
        enter(how.waits && !isComplete ? "waiting" : "paused")
        return true
    }

    private mutating func fail() -> Bool {
        notices.append(Event(at: now, what: "failed"))
        statuses.append(Event(at: now, what: "failed"))
        isOver = true
        enter("paused")
        return true
    }

    private var mayStart: Bool {
        guard !isEmpty else { return false }
        if !how.waits || isImmediate || hasFailed || isComplete || ahead >= depth { return true }
        let known = server.duration == nil ? nil : speed
        let waited = soundSince.map { now - $0 } ?? 0
        let enough = Contract.enough(server, rate: rate, speed: known, waited: waited)
        if ahead >= enough - Self.tolerance { return true }
        guard trustsSpeed else { return false }
        // Whole buffers arrive less evenly than sound: half of one is on its way on average.
        guard let duration = server.duration else { return speed >= rate }
        return (duration - loaded + server.piece / 2) / speed <= (duration - playhead) / rate * 0.97
    }
}
