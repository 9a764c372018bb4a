import AirPlayMessages
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// A speaker's persistent identity, the same in every run.
package protocol SpeakerIdentifying: Sendable {
    /// Hardware address, `AA:BB:CC:DD:EE:FF`.
    var deviceID: String { get }
    /// `pi`, a UUID.
    var publicID: String { get }
    /// `psi`, a UUID.
    var publicSystemID: String { get }
    /// Ed25519 long-term public key, 32 bytes.
    var publicKey: [UInt8] { get }
}

/// The clocks of senders, as sessions use them.
///
/// Safe from any thread; nothing blocks. Balance each ``follow(_:localAddress:)`` with one ``unfollow(_:)``.
package protocol SpeakerClock: ReceiverClock {
    /// Our own clock, as responses to session SETUPs name it.
    var identity: ClockIdentity { get }
    /// Follows the clock at this address and measures the path delay.
    ///
    /// - Parameter localAddress: Our end of the control connection; `nil` leaves the choice to routing.
    func follow(_ address: IPAddress, localAddress: IPAddress?)
    /// Ends one ``follow(_:localAddress:)``.
    func unfollow(_ address: IPAddress)
    /// Whether other clocks that a session names may be followed besides its sender's: places are few, and
    /// the last ones are reserved for senders.
    var hasSparePlaces: Bool { get }
    /// Returns the mapping of a clock from the messages of these addresses alone: any sender can claim
    /// another sender's clock identity.
    func mapping(of identity: ClockIdentity, toldBy addresses: Set<IPAddress>) -> ClockMapping?
}

/// The clock of a sender without PTP, measured over UDP.
package protocol TimingSource: AnyObject, Sendable {
    /// Returns the mapping; `nil` until the clock has been measured. The network time is the sender's NTP
    /// time since its epoch.
    func mapping() -> ClockMapping?
    /// The local UDP port from which the sender is asked: an AirPlay 1 sender answers no other.
    var localPort: UInt16 { get }
    /// Begins to measure, once the sender can answer; called after its SETUP is answered. Idempotent.
    func start()
    /// Stops measuring.
    func close()
}

/// The properties and settings of a speaker.
package struct SpeakerConfiguration: Sendable {
    /// The name shown to users.
    package var name: String
    /// The model identifier.
    package var model = "Tutti1,1"
    /// The manufacturer; left out of `/info` if `nil`.
    package var manufacturer: String?
    /// The AirPlay version. *Observed*: above 350 iOS sends no DACP identity; other receivers with these
    /// features say 366.0.
    package var sourceVersion = "366.0"
    /// The advertised features.
    package var features: AirPlayFeatures = SpeakerConfiguration.standardFeatures
    /// Addresses to listen at. Skips address families that the machine does not have.
    package var addresses: [IPAddress] = [.anyV4, .anyV6]
    /// The control port; 0 lets the kernel choose.
    package var port: UInt16 = 7000
    /// Ports for event and audio connections, of which the first free one is used; any port if `nil`.
    package var streamPorts: ClosedRange<UInt16>?
    /// The password; `nil` requires none.
    package var password: String?
    /// Whether strangers must pair with a PIN; the speaker refuses them with 470 until then.
    package var requiresPIN = false
    /// The volume at the start.
    package var initialVolume = Volume(decibels: -15)
    /// Returns the advertised TXT records as data, for `/info`. Called for each response.
    package var txtRecords: @Sendable () -> (airPlay: [UInt8], raop: [UInt8]) = { ([], []) }
    /// Returns the status flags of `/info`, which must match the TXT records; `nil` derives them from the
    /// fields here.
    package var statusFlags: (@Sendable (_ isInUse: Bool) -> AirPlayStatusFlags)?
    /// Buffered formats that `/info` offers.
    package var bufferedFormats: AudioFormatSet = [
        AudioWireFormat.alac44100x16.mask, AudioWireFormat.alac44100x24.mask,
        AudioWireFormat.alac48000x16.mask, AudioWireFormat.alac48000x24.mask, AudioWireFormat.aac44100.mask,
        AudioWireFormat.aac48000.mask, AudioWireFormat.aac48000x51.mask, AudioWireFormat.aac48000x71.mask,
    ]
    /// Realtime formats that `/info` offers.
    package var realtimeFormats: AudioFormatSet = [
        AudioWireFormat.pcm44100x16.mask, AudioWireFormat.alac44100x16.mask,
    ]
    /// Timeouts and connection limits; shorter in tests.
    package var limits = SessionLimits()
    /// Creates the manners of each control connection, for stand-ins of other devices in tests; `nil` for none.
    package var makeManners: (@Sendable () -> any ConnectionManners)?

    /// Creates a configuration with the defaults.
    package init(name: String) { self.name = name }

    /// The features that current senders accept (*observed*): audio, three kinds of metadata, buffered
    /// streams, PTP, transient pairing.
    package static let standardFeatures = AirPlayFeatures(rawValue: 0x18340_405F_CA00)
}

/// The limits on peers' time and connections.
package struct SessionLimits: Hashable, Sendable {
    /// Most connections: a handful of senders with two each, and the rest for strangers.
    package var connections = 64
    /// Most connections from one address.
    package var connectionsPerAddress = 16
    /// Time for a stranger to begin pairing.
    package var timeToBeginPairing = Duration.seconds(10)
    /// Time to complete pairing: the user may have to look for a PIN.
    package var timeToPair = Duration.seconds(120)
    /// Time for a paired connection to open a session.
    package var timeToOpenSession = Duration.seconds(60)
    /// Timeout of a session without requests or packets and with nothing left to play.
    package var silentSession = Duration.seconds(60)
    /// Timeout of a paused session with audio held: as long as a link may be cut.
    package var silentPausedSession = Duration.seconds(180)
    /// Timeout of a remote-control session without a request, to free its place.
    package var silentController = Duration.seconds(300)

    /// Creates the default limits.
    package init() {}
}
