import CoreMedia
import TuttiCodecs
import TuttiMediaTime

/// A watchdog for a playhead that starves because its source delivers too little sound and does not end.
struct PlayheadWatch: Sendable {
    /// The limit for a file. A sleeping disk wakes up in that time.
    static let fileLimit = Duration.seconds(30)
    /// The limit for an address, whose server or network may be away for a while. If no byte comes at all,
    /// the reader's own limit applies first.
    static let webLimit = Duration.seconds(90)
    /// The lowest fill rate, as a fraction of real time. A server at 0.9 stalls only now and then.
    static let leastRate = 0.05

    private var since: (host: HostTime, loaded: CMTime)?
    /// Host time at which the limit passes; `nil` while the playhead does not wait.
    private(set) var deadline: HostTime?

    /// A span in which the player waited for a source.
    struct Standstill: Equatable {
        /// Seconds of sound received.
        var sound: Double
        /// Seconds waited.
        var time: Double

        /// The error of a source with these facts that caused the standstill.
        func error(_ facts: ItemFacts?) -> MediaError {
            let name = MediaError.name(of: facts?.info?.path ?? "")
            let (sound, time) = (Int(sound.rounded()), Int(time.rounded()))
            return facts?.isRemote == true
                ? .tooSlow(name: name, reason: "\(sound) s of sound arrived in \(time) s")
                : .noSound(name: name, reason: "it neither delivered sound nor ended for \(time) s")
        }
    }

    /// - Parameters:
    ///   - isWaiting: Whether the playhead stands for want of sound that continues earlier sound.
    ///   - loaded: Item time up to which the source has delivered sound.
    /// - Returns: The starved span if the limit has passed, else `nil`.
    mutating func look(
        at now: HostTime, isWaiting: Bool, loaded: CMTime, isRemote: Bool
    ) -> Standstill? {
        let limit = isRemote ? Self.webLimit : Self.fileLimit
        guard isWaiting, let since, loaded >= since.loaded else {
            begin(isWaiting ? (now, loaded) : nil, limit)
            return nil
        }
        let waited = now.since(since.host)
        guard waited >= limit else { return nil }
        let sound = (loaded - since.loaded).seconds
        begin((now, loaded), limit)
        guard sound < waited.inSeconds * Self.leastRate else { return nil }
        return Standstill(sound: sound, time: waited.inSeconds)
    }

    private mutating func begin(_ since: (host: HostTime, loaded: CMTime)?, _ limit: Duration) {
        (self.since, deadline) = (since, since?.host.advanced(by: limit))
    }

    mutating func forget() { (since, deadline) = (nil, nil) }
}
