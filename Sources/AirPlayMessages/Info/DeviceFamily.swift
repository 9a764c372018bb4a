/// The maker or program behind a receiver, as far as its behaviour differs.
public enum DeviceFamily: String, Hashable, Sendable, CaseIterable {
    case shairportSync
    case tutti
    case sonos
    case homePod
    case appleTV
    case airPortExpress
    case mac
    /// WiiM, JBL and others with LinkPlay inside.
    case linkPlay
    case edifier
    case samsung
    case lg
    case sony
    case roku
    case bose
    case denon
    case unknown

    /// Guesses from what the device advertises; case does not matter.
    public init(model: String?, manufacturer: String? = nil) {
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

/// How the header of a buffered packet is written.
public enum BufferedHeaderStyle: Hashable, Sendable {
    /// Marker, 23-bit sequence number, and the format code as SSRC.
    case formatCode23
    /// Payload type 103 with a 16-bit sequence number and no SSRC.
    case classicRTP16
}

/// What a sender does differently for one family, as data. All *observed*, by us for shairport-sync,
/// by others for the rest.
public struct DeviceQuirks: Hashable, Sendable {
    /// How the headers of buffered packets are written.
    public var bufferedHeaderStyle: BufferedHeaderStyle = .formatCode23
    /// SSRC for ALAC 44.1 kHz, 16 bit.
    public var alac44100x16FormatCode: UInt32 = AudioWireFormat.alac44100x16.formatCode
    /// Whether ALAC 48 kHz, 24 bit is known to be heard. A Sonos accepts it and is silent.
    public var playsALAC48000x24 = false
    /// Bytes per second that a slow reader takes from the data connection; more piles up in the
    /// kernels and delays the next seek. `nil` for a reader that keeps up.
    public var slowReaderBytesPerSecond: Int?
    /// Whether rate 1 is sent by itself before the first anchor. shairport-sync of 2026 can end with a
    /// division by zero when an anchor comes while its clock is already valid and play is not yet on.
    public var armsBeforeAnchor = false
    /// Whether the codec may change within a stream. shairport-sync opens its output anew when the change
    /// needs another sample format, as by default it does, and loses a third of a second (*observed*).
    public var changesCodecCleanly = false
    /// Whether the receiver measures the clock with Delay_Req, and so shows when it is ready.
    public var asksForDelay = true
    /// How much sooner than exactly a first start may be when the speaker plays alone. shairport-sync's output
    /// then begins 5 to 20 ms off and pulls itself straight within seconds, which only a second room could show.
    public var headStartAlone = Duration.zero
    /// Whether its answer to feedback names sample rate 0 until it has found clock and anchor and read a packet (*observed*):
    /// a start that it would miss is put off.
    public var tellsWhenItReads = false
    /// From the moment that all can play to the first sound of a session: the anchor has to arrive while
    /// both sides are still busy with its beginning.
    public var startLead = Duration.milliseconds(100)
    /// From the command to the first sound when all is warm: the anchor has to arrive, and the first packets
    /// have to be decoded. 50 ms are enough for shairport-sync.
    public var seekLead = Duration.milliseconds(100)
    /// The same when a pause ends: long enough for an output that was let go to begin exactly, because
    /// nothing is to be lost and rooms are to stay together.
    public var resumeLead = Duration.milliseconds(400)
    /// So many packets' time after a stop the receiver looks whether it plays, and must find that it does not: shairport-sync
    /// that is started again before goes on as if nothing had been, and loses a quarter of a second (*observed*).
    public var packetsUntilStopIsSeen = 0
    /// Whether rate 0 leaves all that the receiver holds in place, from what was being heard on: a start there needs a new
    /// anchor only. shairport-sync throws away what it has decoded, 0.85 s (*observed*). Where this is not known, a stopped
    /// receiver is flushed and filled anew, so that nothing is missing.
    public var keepsSoundWhenStopped = false
    /// Whether it refuses a start whose first frame it can no longer play, and says by how much (``LateStart``).
    public var refusesLateStarts = false
    /// Whether a second connection can go on with the session and the sound of one that broke.
    public var continuesSessions = false
    /// Whether a buffered stream has been heard, or nothing speaks against it. Apple TV accepts one
    /// and never starts; no HomePod has been heard with one from an open sender.
    public var playsBufferedAudio = true

    public init() {}

    public init(family: DeviceFamily) {
        switch family {
        case .shairportSync:
            alac44100x16FormatCode = AudioWireFormat.shairportSyncALACCode
            playsALAC48000x24 = true
            slowReaderBytesPerSecond = 370_000
            armsBeforeAnchor = true
            asksForDelay = false
            headStartAlone = .milliseconds(410)
            tellsWhenItReads = true
            packetsUntilStopIsSeen = 2
        case .tutti:
            (playsALAC48000x24, changesCodecCleanly, continuesSessions) = (true, true, true)
            (keepsSoundWhenStopped, refusesLateStarts) = (true, true)
            // Its output never stops, and begins on the exact frame.
            (seekLead, resumeLead) = (.milliseconds(40), .milliseconds(100))
        case .sonos, .linkPlay, .edifier: bufferedHeaderStyle = .classicRTP16
        case .appleTV, .homePod: playsBufferedAudio = false
        case .airPortExpress, .mac, .samsung, .lg, .sony, .roku, .bose, .denon, .unknown: break
        }
    }

    /// What the SSRC field says for a form, in ``BufferedHeaderStyle/formatCode23``.
    public func formatCode(of format: AudioWireFormat) -> UInt32 {
        format == .alac44100x16 ? alac44100x16FormatCode : format.formatCode
    }
}
