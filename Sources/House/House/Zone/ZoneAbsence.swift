/// Entries of a zone whose files or servers are not available, such as those of a folder on the network after a power cut.
/// A value.
///
/// They are passed over and tried again, after 5 s first, then up to 60 s. If nothing is left to play the zone waits for
/// them, at most ten minutes.
struct ZoneAbsence: Sendable {
    /// A place in the queue.
    struct Place: Equatable, Sendable {
        var entry: EntryID
        /// Seconds in the entry.
        var position: Double
    }

    /// Where the zone waits: at the first of the entries since something was heard.
    private(set) var place: Place?
    /// The entries that failed since the last attempt.
    private(set) var passedOver: Set<EntryID> = []
    /// The Unix time of the next attempt.
    private(set) var retryTime: Double
    /// The Unix time since which nothing is left to play; `nil` while something is.
    private(set) var waitingSince: Double?
    private var attempts = 0

    /// The number of entries after which the zone no longer looks for one that is there: a whole folder is away.
    private static let entryLimit = 16
    /// The longest time to wait: music that begins hours later would surprise.
    private static let waitLimit = 600.0
    private static let shortestPause = 5.0
    private static let longestPause = 60.0

    init(at time: Double) { retryTime = time + Self.shortestPause }

    /// Whether too many entries in a row failed.
    var isFull: Bool { passedOver.count >= Self.entryLimit }

    /// Whether the zone has waited as long as it should.
    func isOver(at time: Double) -> Bool { waitingSince.map { time - $0 >= Self.waitLimit } ?? false }

    /// Notes an entry that failed.
    mutating func passOver(_ place: Place) {
        passedOver.insert(place.entry)
        self.place = self.place ?? place
    }

    /// Notes that nothing is left to play.
    mutating func wait(since time: Double) { waitingSince = waitingSince ?? time }

    /// Notes that something is heard, or that a user chose another place.
    mutating func forgetPlace() { (place, waitingSince, attempts) = (nil, nil, 0) }

    /// Begins an attempt.
    ///
    /// - Returns: The entries to try again; `nil` if all were there at the last attempt, so that the absence is over.
    mutating func retry(at time: Double) -> Set<EntryID>? {
        guard !passedOver.isEmpty || waitingSince != nil else { return nil }
        defer { passedOver = [] }
        attempts = min(attempts + 1, 8)
        retryTime = time + min(Self.longestPause, Self.shortestPause * Double(1 << attempts))
        return passedOver
    }
}
