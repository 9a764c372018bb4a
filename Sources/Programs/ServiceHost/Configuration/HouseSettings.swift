import TuttiSystemIO

/// The settings of `tutti serve`, complete and checked.
public struct HouseSettings: Equatable, Sendable {
    /// The table `[service]`.
    public struct Service: Equatable, Sendable {
        /// The name of the house; the host's name unless set.
        public var name: String
        /// The least important messages that the log shows.
        public var log = LogLevel.notice
        /// The folder of the state: queues, library, tokens. An absolute path.
        public var database: String
        /// The address of the network interface to the speakers; `nil` for all interfaces.
        public var address: IPAddress?
        /// The ports of the clock instead of 319 and 320, for tests.
        public var clockPorts: ClockPortPair?
    }

    /// The table `[library]`.
    public struct Library: Equatable, Sendable {
        /// The folders with music; absolute paths.
        public var music: [String] = []
        /// The hours between two scans of all folders; 0 for a scan at the start only.
        public var scanInterval = 24.0
        /// Whether changes in the folders are noticed at once.
        public var watch = true
    }

    /// The table `[web]`.
    public struct Web: Equatable, Sendable {
        /// Whether the pages and the HTTP interface are served.
        public var enabled = true
        /// The port of TCP.
        public var port: UInt16 = 8321
        /// The addresses to listen on; not empty.
        public var addresses = [ListenAddress.address(.loopbackV4), .address(.loopbackV6)]
        /// Host names under which browsers may ask, besides this host's own.
        public var names: [String] = []
        /// Whether programs on this machine need no token.
        public var trustThisMachine = true
        /// Whether other machines need a token.
        public var access = Access.token
    }

    /// The table `[mpd]`.
    public struct MPD: Equatable, Sendable {
        /// Whether clients of the Music Player Daemon are served.
        public var enabled = false
        /// The port of TCP.
        public var port: UInt16 = 6600
        /// The addresses to listen on; not empty.
        public var addresses = [ListenAddress.address(.loopbackV4), .address(.loopbackV6)]
        /// The file with the password that clients must send; `nil` for none.
        public var passwordFile: String?
    }

    /// The table `[mqtt]`.
    public struct MQTT: Equatable, Sendable {
        /// Whether the house is on an MQTT broker.
        public var enabled = false
        /// The broker's name or address.
        public var broker = "localhost"
        /// The broker's port of TCP; `nil` for 1883, or 8883 with TLS.
        public var port: UInt16?
        /// Whether the connection is encrypted.
        public var tls = false
        /// The file with the certificates that the broker's is checked against; `nil` for the system's.
        public var caFile: String?
        /// The user's name; `nil` for none.
        public var user: String?
        /// The file with the user's password; `nil` for none.
        public var passwordFile: String?
        /// The first level of all topics.
        public var topic = "tutti"
        /// The first level of Home Assistant's discovery topics; `nil` announces nothing.
        public var discovery: String? = "homeassistant"
    }

    /// The table `[mpris]`.
    public struct MPRIS: Equatable, Sendable {
        /// Whether the zones are media players of the desktop.
        public var enabled = true
        /// The bus of D-Bus.
        public var bus = Bus.auto
    }

    /// The table `[rooms]`.
    public struct Rooms: Equatable, Sendable {
        /// Names or ids of speakers that are no rooms of the house.
        public var hidden: [String] = []
        /// The volume in percent of a room that is used for the first time; `nil` for the speaker's own.
        public var defaultVolume: Double?
        /// This machine's outputs that are rooms, in the spelling of `tutti outputs`.
        public var outputs: [String] = []
        /// Speakers that the network does not announce.
        public var addresses: [SpeakerAddress] = []
    }

    /// The table `[inputs]`.
    public struct Inputs: Equatable, Sendable {
        /// The names of the zones that are outputs of the desktop; `*` for all.
        public var desktop: [String] = []
        /// The sound server that the outputs are in; `nil` for the user's own.
        public var server: String?
        /// Named pipes with raw samples, with their zones.
        public var pipes: [String] = []
    }

    /// The table `[playback]`.
    public struct Playback: Equatable, Sendable {
        /// The choice between exact bits and a longer buffer.
        public var prefer = Preference.lossless
        /// The state of the zones after a restart of the service.
        public var resume = Resumption.asItWas
    }

    /// The service as such.
    public var service: Service
    /// The music.
    public var library = Library()
    /// The pages and the HTTP interface.
    public var web = Web()
    /// The clients of the Music Player Daemon.
    public var mpd = MPD()
    /// The MQTT broker.
    public var mqtt = MQTT()
    /// The desktop's media players.
    public var mpris = MPRIS()
    /// The speakers and outputs.
    public var rooms = Rooms()
    /// Sound of other programs.
    public var inputs = Inputs()
    /// Playback.
    public var playback = Playback()

    /// Creates the settings of an empty file.
    ///
    /// - Parameters:
    ///   - name: the name of the house.
    ///   - database: the folder of the state.
    public init(name: String, database: String) {
        service = Service(name: name, database: database)
    }
}

extension HouseSettings {
    /// An address to listen on.
    public enum ListenAddress: Hashable, Sendable {
        /// All addresses of this machine, of IPv4 and IPv6.
        case all
        /// One address of this machine.
        case address(IPAddress)
    }

    /// The access of other machines to the house.
    public enum Access: String, CaseIterable, Sendable {
        /// With a token, which a pairing code gives.
        case token
        /// Without a token.
        case open
    }

    /// The bus of D-Bus that the zones are on.
    public enum Bus: String, CaseIterable, Sendable {
        /// The session bus if there is one, else none.
        case auto
        /// The session bus.
        case session
        /// The system bus.
        case system
    }

    /// The choice between exact bits and a longer buffer.
    public enum Preference: String, CaseIterable, Sendable {
        /// Exact bits.
        case lossless
        /// More minutes in the speakers, as AAC.
        case depth
    }

    /// The state of the zones after a restart of the service.
    public enum Resumption: String, CaseIterable, Sendable {
        /// A zone that played continues playing.
        case asItWas = "as-it-was"
        /// All zones are paused.
        case paused
    }

    /// A speaker that the network does not announce.
    public struct SpeakerAddress: Hashable, Sendable {
        /// The address and the port of TCP.
        public var address: SocketAddress

        /// Creates an address.
        public init(_ address: IPAddress, port: UInt16 = usualPort) {
            self.address = SocketAddress(address, port: port)
        }

        /// The port of most AirPlay speakers.
        public static let usualPort: UInt16 = 7000
    }

    /// The two ports of UDP of the clock.
    public struct ClockPortPair: Hashable, Sendable {
        /// The port of event messages, usually 319.
        public var event: UInt16
        /// The port of general messages, usually 320.
        public var general: UInt16

        /// Creates a pair.
        public init(event: UInt16, general: UInt16) { (self.event, self.general) = (event, general) }
    }
}
