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

    /// The seconds that a user may give a fade.
    static let lengths = 0.0...600.0
    /// The least share while the volume rises: no volume at all is silence, which would end with a jump.
    static let leastShare = 0.02
    /// The least change of a volume to send, in percent: an eighth of a decibel.
    static let step = 0.4
    /// The most that a speaker's report of a volume may differ from the one that it was sent, in percent.
    private static let tolerance = 1.0
    private static let rememberedCount = 8

    var rise: Rise?
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

    /// Returns a room's share of its own volume.
    ///
    /// - Parameters:
    ///   - remaining: seconds before the sleep timer pauses; `nil` if it does not.
    ///   - seconds: the length of the timer's fade; 0 for none.
    func share(of room: RoomID, remaining: Double?, seconds: Double, at now: Double) -> Double {
        var share = 1.0
        let length = min(seconds, bases[room] ?? seconds)
        if let remaining, length > 0, remaining < length { share = max(0, remaining / length) }
        guard let rise, !settled.contains(room) else { return share }
        let risen = rise.began.map { min(1, (now - $0) / rise.seconds) } ?? 0
        return share * max(Self.leastShare, rise.from + (1 - rise.from) * risen)
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

    /// Forgets what users have changed in a fade that is over.
    mutating func endSleep() { bases = [:] }

    /// - Parameter rooms: the rooms that keep their volume.
    mutating func beginRise(_ seconds: Double, from share: Double = 0, sparing rooms: Set<RoomID> = []) {
        (rise, settled) = (seconds > 0 ? Rise(seconds: seconds, from: share) : nil, rooms)
    }

    mutating func endRise() { (rise, settled) = (nil, []) }

    /// Whether a volume that a speaker reports is one that the fade has sent.
    func isEcho(_ volume: Double, of room: RoomID) -> Bool {
        (sent[room] ?? []).contains { abs($0 - volume) <= Self.tolerance }
    }
}
