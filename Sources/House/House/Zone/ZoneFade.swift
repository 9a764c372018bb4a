/// The lowered volumes of a zone that falls asleep or wakes. A value.
///
/// A share of 1 is the volume that a user has set and sees; the speakers get less. A share falls and rises in a
/// straight line, which is one in decibels too: the volumes of speakers are decibels in percent.
struct ZoneFade: Sendable {
    /// The rise of the volume after an alarm.
    struct Rise: Sendable, Equatable {
        var seconds: Double
        /// The share at the beginning.
        var from = 0.0
        /// The Unix time at which sound was heard first; `nil` before.
        var began: Double?
    }

    /// The state of a zone, as far as its fade depends on it.
    struct Moment: Sendable {
        /// Unix time in seconds.
        var time: Double
        /// Seconds before the sleep timer pauses; `nil` if it does not.
        var remaining: Double?
        /// The seconds of the timer's fade; 0 for none.
        var length: Double
        /// Whether the zone is to play its queue or an input.
        var isToPlay: Bool
        /// Whether the zone plays its queue, or is about to.
        var playsQueue: Bool
        /// Whether the player has said that it plays.
        var isPlaying: Bool
        /// Whether the last sound before a pause may still be heard.
        var isResting: Bool
    }

    /// The seconds that a user may give a fade.
    static let lengths = 0.0...600.0
    /// The least share while the volume rises: no volume at all is silence, which would end with a jump.
    private static let leastShare = 0.02
    /// The least change of a volume to send, in percent: an eighth of a decibel.
    private static let step = 0.4
    /// The number of steps of a fade. A step of the loudest volume is below one decibel then.
    private static let steps = 40.0
    /// The least and the most seconds between two steps.
    private static let stepSeconds = 0.025...0.25
    /// The most that a speaker's report of a volume may differ from the one that it was sent, in percent.
    private static let tolerance = 1.0
    private static let rememberedCount = 8

    private(set) var rise: Rise?
    /// The volumes that rooms were sent in place of their own, the last one last.
    private var sent: [RoomID: [Double]] = [:]
    /// The seconds before the pause in which a user has changed the volume of a room: its fade begins anew there.
    private var bases: [RoomID: Double] = [:]
    /// The rooms whose volume a user has changed since the rise began: they rise no more.
    private var settled: Set<RoomID> = []

    /// The rooms that have another volume than their own.
    var lowered: some Collection<RoomID> { sent.keys }

    /// The volume that a room has in place of its own.
    func lowered(_ room: RoomID) -> Double? { sent[room]?.last }

    /// Begins or ends a rise, and forgets what belonged to a fade that is over.
    mutating func advance(to moment: Moment) {
        if moment.remaining == nil { bases = [:] }
        // A rise belongs to the queue.
        if !moment.playsQueue { endRise() }
        guard let rise else { return }
        let began = rise.began ?? (moment.isPlaying ? moment.time : nil)
        self.rise?.began = began
        if let began, moment.time - began >= rise.seconds { endRise() }
    }

    /// Returns the volume to send to a room; `nil` if it has the right one.
    ///
    /// - Parameter own: The volume that a user has set.
    mutating func volume(of room: RoomID, own: Double, at moment: Moment) -> Double? {
        let share = share(of: room, at: moment)
        if share >= 1 {
            guard lowered(room) != nil, !moment.isResting else { return nil }
            forget(room)
            return own
        }
        guard abs((lowered(room) ?? own) - own * share) >= Self.step else { return nil }
        note(own * share, of: room)
        return own * share
    }

    /// Returns a room's share of its own volume.
    func share(of room: RoomID, at moment: Moment) -> Double {
        var share = 1.0
        let length = min(moment.length, bases[room] ?? moment.length)
        if let remaining = moment.remaining, length > 0, remaining < length {
            share = max(0, remaining / length)
        }
        guard let rise, !settled.contains(room) else { return share }
        let risen = rise.began.map { min(1, (moment.time - $0) / rise.seconds) } ?? 0
        return share * max(Self.leastShare, rise.from + (1 - rise.from) * risen)
    }

    /// Returns the seconds to the next step; `nil` if nothing fades.
    func interval(at moment: Moment) -> Double? {
        guard moment.isToPlay else { return nil }
        if let rise, rise.began != nil { return Self.interval(rise.seconds) }
        guard moment.length > 0, let remaining = moment.remaining, remaining < moment.length + 1 else {
            return nil
        }
        let interval = Self.interval(moment.length)
        return remaining > moment.length + interval ? remaining - moment.length : interval
    }

    private static func interval(_ seconds: Double) -> Double {
        min(max(seconds / steps, stepSeconds.lowerBound), stepSeconds.upperBound)
    }

    mutating func note(_ volume: Double, of room: RoomID) {
        sent[room] = (sent[room] ?? []).suffix(Self.rememberedCount - 1) + [volume]
    }

    mutating func forget(_ room: RoomID) { sent[room] = nil }

    /// Takes a volume that a user has set, which the room gets at once.
    mutating func touch(_ room: RoomID, remaining: Double?) {
        sent[room] = nil
        if let remaining { bases[room] = remaining }
        settled.insert(room)
    }

    /// - Parameter rooms: The rooms that keep their volume.
    mutating func beginRise(_ seconds: Double, from share: Double = 0, sparing rooms: Set<RoomID> = []) {
        (rise, settled) = (seconds > 0 ? Rise(seconds: seconds, from: share) : nil, rooms)
    }

    mutating func endRise() { (rise, settled) = (nil, []) }

    /// Whether a volume that a speaker reports is one that the fade has sent.
    func isEcho(_ volume: Double, of room: RoomID) -> Bool {
        (sent[room] ?? []).contains { abs($0 - volume) <= Self.tolerance }
    }
}
