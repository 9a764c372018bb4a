import CoreMedia
import MediaTime

/// Sees that a playhead stands still because its source brings nothing, or next to nothing, and does not end either.
struct PlayheadWatch {
    /// So long a file may bring nothing. A disk that sleeps wakes up in that time.
    static let fileLimit = Duration.seconds(30)
    /// The same of an address, whose server or network may be away for a while; where nothing at all comes, the reading ends
    /// before.
    static let webLimit = Duration.seconds(90)
    /// Of real time: what comes more slowly is not waited for. A server at 0.9 of it stalls now and then.
    static let leastRate = 0.05

    private var since: (host: HostTime, loaded: CMTime)?

    /// A span in which the player waited for a source.
    struct Standstill: Equatable {
        /// Seconds of sound that came.
        var sound: Double
        /// Seconds that were waited.
        var time: Double
    }

    /// - Parameters:
    ///   - isWaiting: the playhead stands, for want of sound that comes behind other sound.
    ///   - loaded: up to where the source has brought it.
    /// - Returns: what has come, when that is too little.
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
