import CoreMedia
import MediaTime

/// A watchdog for a playhead that starves because its source delivers too little sound and does not end.
struct PlayheadWatch {
    /// The limit for a file. A sleeping disk wakes up in that time.
    static let fileLimit = Duration.seconds(30)
    /// The limit for an address, whose server or network may be away for a while. If no byte comes at all,
    /// the reader's own limit applies first.
    static let webLimit = Duration.seconds(90)
    /// The lowest fill rate, as a fraction of real time. A server at 0.9 stalls only now and then.
    static let leastRate = 0.05

    private var since: (host: HostTime, loaded: CMTime)?

    /// A span in which the player waited for a source.
    struct Standstill: Equatable {
        /// Seconds of sound received.
        var sound: Double
        /// Seconds waited.
        var time: Double
    }

    /// - Parameters:
    ///   - isWaiting: whether the playhead stands for want of sound that continues earlier sound.
    ///   - loaded: item time up to which the source has delivered sound.
    /// - Returns: the starved span if the limit has passed, else `nil`.
    mutating func look(
        at now: HostTime, isWaiting: Bool, loaded: CMTime, isRemote: Bool
    ) -> Standstill? {
        guard isWaiting, let since, loaded >= since.loaded else {
            since = isWaiting ? (now, loaded) : nil
            return nil
        }
        let waited = now.since(since.host)
        guard waited >= (isRemote ? Self.webLimit : Self.fileLimit) else { return nil }
        let sound = (loaded - since.loaded).seconds
        self.since = (now, loaded)
        guard sound < waited.inSeconds * Self.leastRate else { return nil }
        return Standstill(sound: sound, time: waited.inSeconds)
    }

    mutating func forget() { since = nil }
}
