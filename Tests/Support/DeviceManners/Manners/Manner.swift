/// One way in which a device deviates from the receiver that our speaker is. The raw value is its name on the command
/// line.
package enum Manner: String, Hashable, Sendable, CaseIterable {
    /// Answers 400 to anchors until it has measured the sender's clock; its seconds begin with the session's SETUP.
    case locksLate = "locks-late"
    /// Answers 400 to anchors for some seconds from the first anchor on, however ready its clock is.
    case refusesFirstAnchors = "refuses-first-anchors"
    /// Accepts a buffered stream, and answers 400 to every anchor.
    case neverStartsBuffered = "never-starts-buffered"
    /// Serves its own PTP clock and follows no other: an anchor on another clock stays silent.
    case keepsItsClock = "keeps-its-clock"
    /// Announces PTP, and neither measures nor follows a PTP clock.
    case neverProbes = "never-probes"
    /// Answers 400 to a session with NTP.
    case refusesNTP = "refuses-ntp"
    /// Answers 455 to a volume before its first sound.
    case refusesEarlyVolume = "refuses-early-volume"
    /// Takes a volume before the stream's SETUP with 200, and forgets it.
    case forgetsEarlyVolume = "forgets-early-volume"
    /// Answers 403 to pairing without `User-Agent`.
    case wantsUserAgent = "wants-user-agent"
    /// Answers 470 until the sender has paired with a PIN.
    case wantsPIN = "wants-pin"
    /// Answers 470 to ANNOUNCE until the sender has proven that it has paired with a PIN, as Apple TVs before HomeKit do.
    case wantsOldPIN = "wants-old-pin"
    /// Shows no PIN to a sender that does not name itself in `X-Apple-Client-Name`.
    case wantsClientName = "wants-client-name"
    /// Withholds the answer to RECORD until the event connection is there.
    case withholdsRecord = "withholds-record"
    /// Stays silent if RECORD comes after the stream's SETUP.
    case wantsRecordFirst = "wants-record-first"
    /// Stays silent until text about the track has come, and answers 400 to text without `RTP-Info`.
    case wantsMetadata = "wants-metadata"
    /// Reads its sound in bursts, with pauses of some seconds.
    case readsInBursts = "reads-in-bursts"
    /// Stays silent in a realtime stream whose packets come less than some seconds before they are due.
    case wantsQueue = "wants-queue"
    /// Takes ALAC at 48 kHz and 24 bit with 200, and stays silent.
    case silentAt48000x24 = "silent-at-48-24"
    /// Takes ALAC in a buffered stream with 200, and stays silent.
    case silentAtBufferedALAC = "silent-at-buffered-alac"
    /// Plays the first nine packets of a realtime stream, and after each flush, as silence.
    case mutesBeginnings = "mutes-beginnings"
    /// Makes a noise when it is flushed.
    case mustNotBeFlushed = "must-not-be-flushed"
    /// Answers 200 to everything, and stays silent.
    case staysSilent = "stays-silent"
    /// Announces port 0 for some seconds before the right one.
    case announcesPortZero = "announces-port-zero"
    /// Writes ports from 32,768 on as negative numbers of 16 bits.
    case negativePorts = "negative-ports"
    /// Answers with other CSeq numbers than those of the requests.
    case wrongCSeq = "wrong-cseq"
    /// Ends a session that has sent no `/feedback` for some seconds.
    case dropsWithoutFeedback = "drops-without-feedback"

    /// The usual value of a manner with a number: seconds.
    package var usualSeconds: Double? {
        switch self {
        case .locksLate: 2
        case .refusesFirstAnchors: 1
        case .readsInBursts: 1.5
        // Observed of an Edifier: silent at 2.25 s, sound from 2.5 s on.
        case .wantsQueue: 2.4
        case .announcesPortZero: 2
        case .dropsWithoutFeedback: 25
        default: nil
        }
    }
}

/// The manners of one stand-in, with their seconds.
package struct MannerSet: Hashable, Sendable {
    private var seconds: [Manner: Double] = [:]

    package init(_ manners: [Manner] = []) {
        for manner in manners { add(manner) }
    }

    /// Adds a manner; `seconds` replace its usual ones.
    package mutating func add(_ manner: Manner, seconds: Double? = nil) {
        self.seconds[manner] = seconds ?? manner.usualSeconds ?? 0
    }

    package func has(_ manner: Manner) -> Bool { seconds[manner] != nil }

    /// The time that belongs to a manner; `nil` if the stand-in does not have it.
    package func time(_ manner: Manner) -> Duration? { seconds[manner].map { .seconds($0) } }

    /// The names in the order of their declaration.
    package var names: [String] { Manner.allCases.filter(has).map(\.rawValue) }

    /// Parses `NAME` or `NAME=SECONDS` and adds it; returns `false` for any other text.
    package mutating func add(parsing text: String) -> Bool {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let manner = Manner(rawValue: String(parts[0])) else { return false }
        guard parts.count == 2 else {
            add(manner)
            return true
        }
        guard manner.usualSeconds != nil, let seconds = Double(parts[1]), (0...3600).contains(seconds) else {
            return false
        }
        add(manner, seconds: seconds)
        return true
    }
}
