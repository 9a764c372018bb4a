public import AirPlayMessages
public import ClockService
public import MediaTime
public import SystemIO

/// Who a speaker is to its senders: the same in every run.
public protocol SpeakerIdentifying: Sendable {
    /// Hardware-address form, `AA:BB:CC:DD:EE:FF`.
    var deviceID: String { get }
    /// `pi`, a UUID.
    var publicID: String { get }
    /// `psi`, a UUID.
    var publicSystemID: String { get }
    /// Ed25519 long-term public key, 32 bytes.
    var publicKey: [UInt8] { get }
}

/// The clocks of senders, as sessions need them.
///
/// Any thread; nothing waits. Each ``follow(_:localAddress:)`` wants one ``unfollow(_:)``.
public protocol SpeakerClock: ReceiverClock {
    /// Our own clock, as answers to session SETUPs name it.
    var identity: ClockIdentity { get }
    /// Listens to the clock at this address and measures the way to it.
    ///
    /// - Parameter localAddress: Our end of the control connection; `nil` leaves it to the routes.
    func follow(_ address: IPAddress, localAddress: IPAddress?)
    func unfollow(_ address: IPAddress)
    /// Whether clocks that a session names beside its sender's may be followed too: places are few, and the last ones
    /// are for senders.
    var hasSparePlaces: Bool { get }
    /// The line of a clock, from the messages of these addresses alone: any sender can say that its clock is another
    /// sender's.
    func mapping(of identity: ClockIdentity, toldBy addresses: Set<IPAddress>) -> ClockMapping?
}

/// The clock of a sender without PTP, asked over UDP.
public protocol TimingSource: AnyObject, Sendable {
    /// `nil` until it has been measured. The network time is the sender's NTP time since its epoch.
    func mapping() -> ClockMapping?
    func close()
}

/// What a speaker is and how it behaves.
public struct SpeakerConfiguration: Sendable {
    /// Shown to users.
    public var name: String
    public var model = "Tutti1,1"
    public var manufacturer: String?
    /// *Observed*: above 350 iOS sends no DACP identity; 366.0 is what others with these features say.
    public var sourceVersion = "366.0"
    public var features: AirPlayFeatures = SpeakerConfiguration.standardFeatures
    /// Where to listen. A family that the machine does not have is passed over.
    public var addresses: [IPAddress] = [.anyV4, .anyV6]
    /// 0 lets the kernel choose.
    public var port: UInt16 = 7000
    /// For event and sound connections, the first that is free; any port when `nil`.
    public var streamPorts: ClosedRange<UInt16>?
    /// `nil` lets everyone in.
    public var password: String?
    /// Whether a stranger must pair with a PIN; he is refused with 470 then.
    public var requiresPIN = false
    /// Where the volume stands at the start.
    public var initialVolume = Volume(decibels: -15)
    /// The TXT records that are advertised, as data; for `/info`. Asked for each answer.
    public var txtRecords: @Sendable () -> (airPlay: [UInt8], raop: [UInt8]) = { ([], []) }
    /// The flags of `/info`, where they are not the ones that follow from the fields here; the same as in the TXT
    /// records.
    public var statusFlags: (@Sendable (_ isInUse: Bool) -> AirPlayStatusFlags)?
    /// Forms that `/info` offers.
    public var bufferedFormats: AudioFormatSet = [
        AudioWireFormat.alac44100x16.mask, AudioWireFormat.alac44100x24.mask,
        AudioWireFormat.alac48000x16.mask, AudioWireFormat.alac48000x24.mask, AudioWireFormat.aac44100.mask,
        AudioWireFormat.aac48000.mask, AudioWireFormat.aac48000x51.mask, AudioWireFormat.aac48000x71.mask,
    ]
    public var realtimeFormats: AudioFormatSet = [
        AudioWireFormat.pcm44100x16.mask, AudioWireFormat.alac44100x16.mask,
    ]
    /// Times after which a silent or lost session ends; shorter in tests.
    public var limits = SessionLimits()

    public init(name: String) { self.name = name }

    /// What current senders are known to accept (*observed*): audio, three kinds of metadata, buffered streams,
    /// PTP, transient pairing.
    public static let standardFeatures = AirPlayFeatures(rawValue: 0x18340_405F_CA00)
}

/// How much time and room peers get.
public struct SessionLimits: Hashable, Sendable {
    /// Connections at once: a handful of senders with two each, and the rest for strangers.
    public var connections = 64
    /// Connections from one address.
    public var connectionsPerAddress = 16
    /// A stranger who does not begin to pair is gone after this.
    public var timeToBeginPairing = Duration.seconds(10)
    /// One who has begun may have to look for a PIN.
    public var timeToPair = Duration.seconds(120)
    /// A paired connection without a session.
    public var timeToOpenSession = Duration.seconds(60)
    /// A session without requests or sound, with nothing left to play.
    public var silentSession = Duration.seconds(60)
    /// The same with sound held, paused: as long as a link may be cut.
    public var silentPausedSession = Duration.seconds(180)
    /// A session that only controls, without a request: its place is for those that are used.
    public var silentController = Duration.seconds(300)

    public init() {}
}
