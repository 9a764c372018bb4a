import TuttiRTP

/// The maker or program of a receiver, if its behaviour differs.
package enum DeviceFamily: String, Hashable, Sendable, CaseIterable {
    /// shairport-sync and programs based on it.
    case shairportSync
    /// Tutti's own speaker.
    case tutti
    /// Sonos and Symfonisk speakers.
    case sonos
    /// Apple's HomePod.
    case homePod
    /// Apple's Apple TV.
    case appleTV
    /// Apple's AirPort Express.
    case airPortExpress
    /// A Mac as a receiver.
    case mac
    /// WiiM, JBL and others based on LinkPlay.
    case linkPlay
    /// Edifier speakers.
    case edifier
    /// Samsung speakers and televisions.
    case samsung
    /// LG televisions.
    case lg
    /// Sony televisions and speakers.
    case sony
    /// Roku players.
    case roku
    /// Bose speakers.
    case bose
    /// Denon and related receivers.
    case denon
    /// Any other receiver.
    case unknown

    /// Guesses the family from the advertised model, then the manufacturer, regardless of case.
    package init(model: String?, manufacturer: String? = nil) {
        let model = (model ?? "").lowercased()
        let maker = (manufacturer ?? "").lowercased()
        let found =
            Self.models.first { model.hasPrefix($0.prefix) }
            ?? Self.models.first { maker.hasPrefix($0.prefix) }
        self = found?.family ?? .unknown
    }

    private static let models: [(prefix: String, family: DeviceFamily)] = [
        ("shairport", .shairportSync), ("tutti", .tutti), ("audioaccessory", .homePod), ("appletv", .appleTV),
        ("airport", .airPortExpress), ("mac", .mac), ("imac", .mac), ("sonos", .sonos), ("symfonisk", .sonos),
        ("wiim", .linkPlay), ("linkplay", .linkPlay), ("jbl", .linkPlay), ("harman", .linkPlay),
        ("edifier", .edifier), ("samsung", .samsung), ("hw-", .samsung), ("lg", .lg), ("sony", .sony),
        ("bravia", .sony), ("roku", .roku), ("bose", .bose), ("denon", .denon), ("marantz", .denon),
        ("heos", .denon),
    ]
}

/// The sender's adaptations to one family, as data. All *observed*, by us for shairport-sync, by others for
/// the rest.
package struct DeviceQuirks: Hashable, Sendable {
    /// The form of buffered packet headers.
    package var bufferedHeaderStyle: BufferedPacketHeader.Style = .formatCode23
    /// The SSRC for ALAC 44.1 kHz, 16 bit.
    package var alac44100x16FormatCode: UInt32 = AudioWireFormat.alac44100x16.formatCode
    /// Whether ALAC 48 kHz, 24 bit is known to be audible. A Sonos accepts it and stays silent.
    package var playsALAC48000x24 = false
    /// Bytes per second that a slow reader takes from the data connection; faster sending fills the kernel
    /// buffers and delays the next seek. `nil` for a reader that keeps up.
    package var slowReaderBytesPerSecond: Int?
    /// Whether to send rate 1 alone before the first anchor. shairport-sync of 2026 can end with a division
    /// by zero if an anchor arrives while its clock is already valid and play is not yet on.
    package var armsBeforeAnchor = false
    /// Whether the codec may change within a stream. shairport-sync reopens its output if the change needs
    /// another sample format, as it does by default, and loses a third of a second (*observed*).
    package var changesCodecCleanly = false
    /// Whether the receiver measures the clock with Delay_Req, and so shows when it is ready.
    package var asksForDelay = true
    /// Whether the receiver refuses anchors until it has measured the clock (*reported*: 1.3 to 2.3 s). In a group, the
    /// sender then starts so much later that the accepted anchor still comes before the beginning.
    package var refusesEarlyAnchors = false
    /// Whether the receiver is silent until it gets text about a track (*reported*, Sonos), so that the sender sends some even
    /// if the program has none.
    package var isSilentWithoutText = false
    /// Time before the clock is ready at which a first start is allowed if the speaker plays alone.
    /// shairport-sync's output then begins 5 to 20 ms off and corrects itself within seconds, which only a
    /// second room could reveal.
    package var headStartAlone = Duration.zero
    /// Whether feedback responses name sample rate 0 until the receiver has clock and anchor and has read a
    /// packet (*observed*). The sender then postpones a start that the receiver would miss.
    package var tellsWhenItReads = false
    /// Lead from the moment that all receivers can play to the first audio of a session: the anchor has to
    /// arrive while both sides are still busy setting up.
    package var startLead = Duration.milliseconds(100)
    /// The same for a speaker that plays alone, which may need less: it refuses a start that it would miss,
    /// and the line moves. In a group another speaker may have begun meanwhile, and the late one loses its beginning.
    package var startLeadAlone: Duration?
    /// Lead from a command to the first audio with a warm buffered stream: the anchor has to arrive and the first
    /// packets have to be decoded. 50 ms are enough for shairport-sync.
    package var seekLead = Duration.milliseconds(100)
    /// Lead at the end of a pause, and at a jump on a realtime stream: long enough for a released output to begin exactly, because no audio may
    /// be lost and rooms must stay together.
    package var resumeLead = Duration.milliseconds(400)
    /// Packet durations after a stop within which the receiver checks whether it plays, and must find that it
    /// does not. A shairport-sync restarted earlier continues as if never stopped, and loses a quarter of a
    /// second (*observed*).
    package var packetsUntilStopIsSeen = 0
    /// Whether rate 0 keeps everything that the receiver holds from the playhead on, so that a restart needs
    /// only a new anchor. shairport-sync discards its decoded audio, 0.85 s (*observed*). Otherwise the
    /// sender flushes and refills a stopped receiver, so that nothing is missing.
    package var keepsSoundWhenStopped = false
    /// Whether the receiver refuses a start whose first frame it can no longer play, and says by how much
    /// (``LateStart``).
    package var refusesLateStarts = false
    /// The least distance from the playhead at which the receiver skips sound that it holds. shairport-sync decodes
    /// 0.85 s ahead and ignores a flush of decoded packets (*observed*: 1.0 s worked, 0.4 s did not).
    package var takeBackMargin = Duration.milliseconds(1200)
    /// The time before withdrawn sound would be heard at which the receiver skips it, and so has room for other sound.
    /// shairport-sync reads 0.85 s ahead.
    package var skipLead = Duration.milliseconds(850)
    /// Whether a second connection can continue the session and the stream of a broken one.
    package var continuesSessions = false
    /// The time by which live sound must be in a buffered stream before it is heard.
    package var liveLatency = Duration.milliseconds(500)
    /// The same for a realtime stream; `nil` for its ``realtimeQueue`` and a quarter of a second.
    package var realtimeLiveLatency: Duration?
    /// The time before it is heard at which a packet of a realtime stream is sent. LinkPlay speakers run dry below
    /// 1 to 1.75 s, an Edifier is silent below 2.5 s, and Apple's receivers, which are never flushed, play what they
    /// have to its end (*reported*).
    package var realtimeQueue = Duration.milliseconds(1750)
    /// The least time from a decision to the first sound of a realtime stream.
    package var realtimeStartLead = Duration.milliseconds(250)
    /// The same for a start or a resume by AirPlay 1, at which the beginning is exact. shairport-sync's output needs
    /// 0.4 s, and its clock some answers, one each 0.3 s: with 0.3 s it began 7.6 ms off (median of 20 starts, worst
    /// 17.1), with 0.6 s 45 µs (worst 410; *observed*).
    package var airPlay1StartLead = Duration.milliseconds(600)
    /// The packets at the beginning of each run of a realtime stream that hold silence, because the receiver plays
    /// nothing else then.
    package var realtimeSilentPackets = 0
    /// The time after the answer to a flush of a realtime stream within which the receiver may not have dropped the old
    /// sound yet. shairport-sync answers at once; its player looks for a flush every 32 ms, and whenever a packet comes.
    /// It takes a packet that comes before that look for the continuation of the old sound, not for a beginning: it plays
    /// it at once, and moves to its place only later (*observed* in its source, version 5.1).
    package var realtimeFlushTime = Duration.zero
    /// The frames that the receiver adds to the line of a realtime stream with PTP. *Observed*: 11,035 in
    /// shairport-sync, as in Apple's receivers (*reported*).
    package var realtimeAddedFrames: Int64 = 11_035
    /// Whether a realtime stream must not be flushed and not pause: the receiver makes a burst of noise then
    /// (*reported*, Apple TV), so it gets silence while nothing plays.
    package var mustNotBeFlushed = false
    /// Whether the receiver announces PTP and never uses it, so that it gets NTP (*reported*, Sony Bravia).
    package var needsNTP = false
    /// Whether a realtime stream may play by NTP. *Observed* for shairport-sync, which refuses it; the others were
    /// silent or did not answer (*reported*).
    package var takesNTP = true
    /// The major system version from which on a device that plays alone keeps to its own clock, see
    /// ``ReceiverDescription/insistsOnItsClock``; `nil` for a family that follows a sender's.
    package var insistsOnItsClockSinceOS: Int?
    /// Whether a buffered stream has been heard, or there is no report against it. Apple TV accepts one and never
    /// starts; no HomePod has been heard with one from an open sender.
    package var playsBufferedAudio = true
    /// Whether ALAC is heard in a buffered stream, or there is no report against it.
    package var playsBufferedALAC = true

    /// Creates the quirks of an unknown device.
    package init() {}

    /// Creates the quirks of a family.
    package init(family: DeviceFamily) {
        switch family {
        case .shairportSync: adaptToShairportSync()
        case .tutti: adaptToTutti()
        case .sonos:
            (bufferedHeaderStyle, refusesEarlyAnchors, isSilentWithoutText) = (.classicRTP16, true, true)
            takesNTP = false
        case .linkPlay: (bufferedHeaderStyle, refusesEarlyAnchors) = (.classicRTP16, true)
        case .edifier:
            bufferedHeaderStyle = .classicRTP16
            (realtimeQueue, realtimeStartLead) = (.milliseconds(2600), .milliseconds(2600))
        case .appleTV, .homePod:
            playsBufferedAudio = false
            mustNotBeFlushed = true
            realtimeQueue = .milliseconds(600)
            if family == .homePod { (insistsOnItsClockSinceOS, takesNTP) = (27, false) }
        case .sony: (playsBufferedAudio, needsNTP) = (false, true)
        case .samsung: takesNTP = false
        case .airPortExpress, .mac, .lg, .roku, .bose, .denon, .unknown: break
        }
    }

    private mutating func adaptToShairportSync() {
        alac44100x16FormatCode = AudioWireFormat.shairportSyncALACCode
        playsALAC48000x24 = true
        slowReaderBytesPerSecond = 370_000
        armsBeforeAnchor = true
        asksForDelay = false
        headStartAlone = .milliseconds(410)
        tellsWhenItReads = true
        packetsUntilStopIsSeen = 2
        // Two of its looks.
        realtimeFlushTime = .milliseconds(64)
        takesNTP = false
    }

    private mutating func adaptToTutti() {
        (playsALAC48000x24, changesCodecCleanly, continuesSessions) = (true, true, true)
        (keepsSoundWhenStopped, refusesLateStarts) = (true, true)
        // A Tutti speaker's output never stops, and begins on the exact frame.
        (seekLead, resumeLead) = (.milliseconds(40), .milliseconds(100))
        startLeadAlone = seekLead
        airPlay1StartLead = realtimeStartLead
        // Its playout mixes some hundredths of a second ahead; the message and new sound have to come before.
        takeBackMargin = .milliseconds(300)
        // Drops it at once.
        skipLead = .seconds(100_000)
        liveLatency = .milliseconds(100)
    }

    /// Returns the SSRC for a format, in `BufferedPacketHeader.Style.formatCode23`.
    package func formatCode(of format: AudioWireFormat) -> UInt32 {
        format == .alac44100x16 ? alac44100x16FormatCode : format.formatCode
    }
}
