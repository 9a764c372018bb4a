import TuttiSystemIO

/// The settings of `tutti serve`, complete and checked.
package struct HouseSettings: Equatable, Sendable {
    /// The table `[service]`.
    package struct Service: Equatable, Sendable {
        /// The name of the house; the host's name unless set.
        package var name: String
        /// The least important messages that the log shows.
        package var log = LogLevel.notice
        /// The folder of the state: queues, library, tokens. An absolute path.
        package var database: String
        /// The address of the network interface to the speakers; `nil` for all interfaces.
        package var address: IPAddress?
        /// The ports of the clock instead of 319 and 320, for tests.
        package var clockPorts: ClockPortPair?
    }

    /// The table `[library]`.
    package struct Library: Equatable, Sendable {
        /// The folders with music; absolute paths.
        package var music: [String] = []
        /// The hours between two scans of all folders; 0 for a scan at the start only.
        package var scanInterval = 24.0
        /// Whether changes in the folders are noticed at once.
        package var watch = true
    }

    /// The table `[web]`.
    package struct Web: Equatable, Sendable {
        /// Whether the pages and the HTTP interface are served.
        package var enabled = true
        /// The TCP port.
        package var port: UInt16 = 8321
        /// The addresses to listen on; not empty.
        package var addresses = [ListenAddress.address(.loopbackV4), .address(.loopbackV6)]
        /// Host names under which browsers may ask, besides this host's own.
        package var names: [String] = []
        /// Whether programs on this machine need no token.
        package var trustThisMachine = true
        /// Whether other machines need a token.
        package var access = Access.token
    }

    /// The table `[mpd]`.
    package struct MPD: Equatable, Sendable {
        /// Whether clients of the Music Player Daemon are served.
        package var enabled = false
        /// The TCP port.
        package var port: UInt16 = 6600
        /// The addresses to listen on; not empty.
        package var addresses = [ListenAddress.address(.loopbackV4), .address(.loopbackV6)]
        /// The file with the password that clients must send; `nil` for none.
        package var passwordFile: String?
    }

    /// The table `[mqtt]`.
    package struct MQTT: Equatable, Sendable {
        /// Whether the house is on an MQTT broker.
        package var enabled = false
        /// The broker's name or address.
        package var broker = "localhost"
        /// The broker's TCP port; `nil` for 1883, or 8883 with TLS.
        package var port: UInt16?
        /// Whether the connection is encrypted.
        package var tls = false
        /// The file with the certificates with which the broker's certificate is checked; `nil` for the system's.
        package var caFile: String?
        /// The user's name; `nil` for none.
        package var user: String?
        /// The file with the user's password; `nil` for none.
        package var passwordFile: String?
        /// The first level of all topics.
        package var topic = "tutti"
        /// The first level of Home Assistant's discovery topics; `nil` announces nothing.
        package var discovery: String? = "homeassistant"
    }

    /// The table `[mpris]`.
    package struct MPRIS: Equatable, Sendable {
        /// Whether the zones are media players of the desktop.
        package var enabled = true
        /// The bus of D-Bus.
        package var bus = Bus.auto
    }

    /// The table `[rooms]`.
    package struct Rooms: Equatable, Sendable {
        /// Names or ids of speakers that are no rooms of the house.
        package var hidden: [String] = []
        /// The volume of a room at its first use, in percent; `nil` for the speaker's own.
        package var defaultVolume: Double?
        /// This machine's outputs that are rooms, in the spelling of `tutti outputs`.
        package var outputs: [String] = []
        /// Speakers that the network does not announce.
        package var addresses: [SpeakerAddress] = []
    }

    /// The table `[inputs]`.
    package struct Inputs: Equatable, Sendable {
        /// The names of the zones that are outputs of the desktop; `*` for all.
        package var desktop: [String] = []
        /// The sound server that the outputs are in; `nil` for the user's own.
        package var server: String?
        /// Named pipes with raw samples, with their zones.
        package var pipes: [String] = []
    }

    /// The table `[playback]`.
    package struct Playback: Equatable, Sendable {
        /// The choice between exact bits and a longer buffer.
        package var prefer = Preference.lossless
        /// The state of the zones after a restart of the service.
        package var resume = Resumption.asItWas
    }

    /// The service itself.
    package var service: Service
    /// The music.
    package var library = Library()
    /// The pages and the HTTP interface.
    package var web = Web()
    /// The clients of the Music Player Daemon.
    package var mpd = MPD()
    /// The MQTT broker.
    package var mqtt = MQTT()
    /// The desktop's media players.
    package var mpris = MPRIS()
    /// The speakers and outputs.
    package var rooms = Rooms()
    /// Sound of other programs.
    package var inputs = Inputs()
    /// Playback.
    package var playback = Playback()

    /// Creates the settings of an empty file.
    ///
    /// - Parameters:
    ///   - name: The name of the house.
    ///   - database: The folder of the state.
    package init(name: String, database: String) {
        service = Service(name: name, database: database)
    }
}

extension HouseSettings {
    /// An address to listen on.
    package enum ListenAddress: Hashable, Sendable {
        /// All addresses of this machine, of IPv4 and IPv6.
        case all
        /// One address of this machine.
        case address(IPAddress)
    }

    /// The access of other machines to the house.
    package enum Access: String, CaseIterable, Sendable {
        /// With a token, which a pairing code gives.
        case token
        /// Without a token.
        case open
    }

    /// The bus of D-Bus that the zones are on.
    package enum Bus: String, CaseIterable, Sendable {
        /// The session bus if there is one, else none.
        case auto
        /// The session bus.
        case session
        /// The system bus.
        case system
    }

    /// The choice between exact bits and a longer buffer.
    package enum Preference: String, CaseIterable, Sendable {
        /// Exact bits.
        case lossless
        /// More minutes in the speakers, as AAC.
        case depth
    }

    /// The state of the zones after a restart of the service.
    package enum Resumption: String, CaseIterable, Sendable {
        /// A zone that played continues playing.
        case asItWas = "as-it-was"
        /// All zones are paused.
        case paused
    }

    /// A speaker that the network does not announce.
    package struct SpeakerAddress: Hashable, Sendable {
        /// The address and the port of TCP.
        package var address: SocketAddress

        /// Creates an address.
        package init(_ address: IPAddress, port: UInt16 = usualPort) {
            self.address = SocketAddress(address, port: port)
        }

        /// The port of most AirPlay speakers.
        package static let usualPort: UInt16 = 7000
    }

    /// The two ports of UDP of the clock.
    package struct ClockPortPair: Hashable, Sendable {
        /// The port of event messages, usually 319.
        package var event: UInt16
        /// The port of general messages, usually 320.
        package var general: UInt16

        /// Creates a pair.
        package init(event: UInt16, general: UInt16) { (self.event, self.general) = (event, general) }
    }
}
