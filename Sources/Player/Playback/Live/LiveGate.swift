import TuttiMediaTime

/// The life of a live player, a value: whether sound that comes is wanted, plays, or is dropped.
struct LiveGate: Sendable {
    /// The activity of a player.
    enum Phase: Sendable, Hashable {
        /// Nothing but silence comes.
        case idle
        /// Sound has come, and the owner has been told.
        case waiting
        /// The outputs are being opened.
        case starting
        case running
        /// Sound is dropped until it has been silent once.
        case declined
    }

    /// The treatment of a block.
    enum Verdict: Sendable, Hashable {
        /// The block is not wanted.
        case drop
        /// The block cannot be played yet; a source that can wait keeps it.
        case keep
        case play
        /// The first sound after silence: the owner must be told.
        case tell
        /// The silence has lasted so long that playback ends.
        case end
    }

    /// The silence after which sound is reported again.
    static let pause = Duration.seconds(2)

    let idleTime: Duration
    private(set) var phase = Phase.idle
    /// The time of the last block with sound, and of the last block.
    private var lastSound: HostTime?
    private var lastBlock: HostTime?

    init(idleTime: Duration) { self.idleTime = idleTime }

    /// Takes note of a block.
    mutating func take(isSilent: Bool, at now: HostTime) -> Verdict {
        let quiet = lastSound.map { now.since($0) } ?? idleTime
        if !isSilent { lastSound = now }
        lastBlock = now
        if quiet >= Self.pause, phase == .declined || phase == .waiting { phase = .idle }
        switch phase {
        case .idle:
            if isSilent { return .drop }
            phase = .waiting
            return .tell
        case .waiting, .starting: return .keep
        case .declined: return .drop
        case .running: return isSilent && quiet >= idleTime ? end() : .play
        }
    }

    /// Returns whether playback ends, because only silence or nothing has come for the idle time.
    mutating func isOver(at now: HostTime) -> Bool {
        guard phase == .running, let lastSound, now.since(lastSound) >= idleTime else { return false }
        return end() == .end
    }

    private mutating func end() -> Verdict {
        phase = .idle
        return .end
    }

    /// - Returns: Whether this is a change.
    mutating func start(at now: HostTime) -> Bool {
        guard phase != .starting, phase != .running else { return false }
        (phase, lastSound) = (.starting, now)
        return true
    }

    /// Notes that the outputs are open.
    ///
    /// - Returns: Whether this is a change.
    mutating func run(at now: HostTime) -> Bool {
        guard phase == .starting else { return false }
        (phase, lastSound) = (.running, now)
        return true
    }

    /// Notes that the outputs have to be opened again.
    mutating func reopen() { if phase == .running { phase = .starting } }

    /// Drops sound until there has been silence.
    mutating func decline() { phase = .declined }

    /// Stops; the next sound is reported, even without silence before it.
    mutating func reset() { phase = .idle }
}
