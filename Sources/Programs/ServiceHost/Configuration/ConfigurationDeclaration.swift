/// The tables and keys of the configuration file of `tutti serve`.
package enum ConfigurationDeclaration {
    /// The tables in the order of the example and the man page.
    package static let tables = [
        ConfigurationTable(name: "service", help: "The service itself."),
        ConfigurationTable(name: "library", help: "The music of the house."),
        ConfigurationTable(name: "web", help: "The pages for browsers, and the HTTP interface."),
        ConfigurationTable(
            name: "mpd", help: "Clients of the Music Player Daemon, such as mpc and phone apps."),
        ConfigurationTable(name: "mqtt", help: "The MQTT broker of a home automation."),
        ConfigurationTable(name: "mpris", help: "The desktop's media players, for media keys."),
        ConfigurationTable(name: "rooms", help: "The speakers, and the outputs of this machine."),
        ConfigurationTable(name: "inputs", help: "Sound of other programs, instead of a zone's queue."),
        ConfigurationTable(name: "playback", help: "Playback in all zones."),
    ]

    /// The keys in the order of the example and the man page.
    package static let keys = service + library + web + mpd + mqtt + mpris + rooms + inputs + playback

    /// Returns the key of a table; `nil` if it does not exist.
    package static func key(_ table: String, _ name: String) -> ConfigurationKey? {
        keys.first { $0.table == table && $0.name == name }
    }

    private static let service = [
        ConfigurationKey(
            "service", "name", \.service.name, .text, isLive: false, defaultWords: "the host's name",
            example: .string("Home"), "The name of the house, as browsers and other programs show it."),
        ConfigurationKey(
            "service", "log", \.service.log, .choice(LogLevel.allCases.map(\.word)), isLive: true,
            "The least important messages that the log shows."),
        ConfigurationKey(
            "service", "database", \.service.database, .folder, isLive: false,
            defaultWords: "$STATE_DIRECTORY of systemd, else $XDG_STATE_HOME/tutti/house, else "
                + "~/.local/state/tutti/house",
            example: .string("/var/lib/tutti"),
            "The folder of the state: queues, library and tokens. Two services cannot share a folder."),
        ConfigurationKey(
            "service", "address", \.service.address, .address, isLive: false,
            defaultWords: "all network interfaces", example: .string("192.168.1.5"),
            "The address of the network interface that leads to the speakers."),
        ConfigurationKey(
            "service", "clock-ports", \.service.clockPorts, .portPair, isLive: false,
            defaultWords: "[319, 320], the only ones that real speakers use",
            example: .array([.integer(31_900), .integer(32_000)]),
            "The two UDP ports of the clock, for tests with speakers on this machine."),
    ]

    private static let library = [
        ConfigurationKey(
            "library", "music", \.library.music, .list(.folder), isLive: true,
            example: .array([.string("/srv/music"), .string("~/Music")]),
            "The folders with music. Tutti only reads them."),
        ConfigurationKey(
            "library", "scan-interval", \.library.scanInterval, .number(0...8760), isLive: true,
            "The hours between two scans of all folders; 0 scans at the start only."),
        ConfigurationKey(
            "library", "watch", \.library.watch, .boolean, isLive: true,
            "Whether Tutti watches the folders for changes. Network folders do not report changes by "
                + "other machines; the scans find those."),
    ]

    private static let web = [
        ConfigurationKey(
            "web", "enabled", \.web.enabled, .boolean, isLive: false,
            "Whether the pages and the HTTP interface are served."),
        ConfigurationKey(
            "web", "port", \.web.port, .integer(1...65_535), isLive: false, "The TCP port."),
        ConfigurationKey(
            "web", "addresses", \.web.addresses, .list(.listenAddress), isLive: false,
            "The addresses to listen on; \"*\" is all. Only this machine can reach the default addresses."),
        ConfigurationKey(
            "web", "names", \.web.names, .list(.hostName), isLive: true,
            example: .array([.string("music.example.org")]),
            "Further host names under which browsers may request the pages, such as the name of a "
                + "proxy. Addresses, localhost, this host's name and NAME.local are always allowed."),
        ConfigurationKey(
            "web", "trust-this-machine", \.web.trustThisMachine, .boolean, isLive: true,
            "Whether browsers and programs on this machine need no token."),
        ConfigurationKey(
            "web", "access", \.web.access, HouseSettings.Access.kind, isLive: true,
            "The access of other machines: \"token\" asks for a pairing code once, \"open\" lets "
                + "every machine that can reach it control the house."),
    ]

    private static let mpd = [
        ConfigurationKey(
            "mpd", "enabled", \.mpd.enabled, .boolean, isLive: true,
            "Whether clients of the Music Player Daemon are served. Every zone is a partition."),
        ConfigurationKey("mpd", "port", \.mpd.port, .integer(1...65_535), isLive: true, "The TCP port."),
        ConfigurationKey(
            "mpd", "addresses", \.mpd.addresses, .list(.listenAddress), isLive: true,
            "The addresses to listen on; \"*\" is all. The protocol has no encryption: listen in a "
                + "home network only."),
        ConfigurationKey(
            "mpd", "password-file", \.mpd.passwordFile, .file, isLive: true, defaultWords: "none",
            example: .string("/etc/tutti/mpd-password"),
            "The file with the password that clients must send. Only its owner may read it."),
    ]

    private static let mqtt = [
        ConfigurationKey(
            "mqtt", "enabled", \.mqtt.enabled, .boolean, isLive: true,
            "Whether the zones and rooms are topics of an MQTT broker."),
        ConfigurationKey(
            "mqtt", "broker", \.mqtt.broker, .text, isLive: true, "The broker's name or address."),
        ConfigurationKey(
            "mqtt", "port", \.mqtt.port, .integer(1...65_535), isLive: true,
            defaultWords: "1883, or 8883 with TLS", example: .integer(1883), "The broker's TCP port."),
        ConfigurationKey(
            "mqtt", "tls", \.mqtt.tls, .boolean, isLive: true, "Whether the connection is encrypted."),
        ConfigurationKey(
            "mqtt", "ca-file", \.mqtt.caFile, .file, isLive: true, defaultWords: "the system's certificates",
            example: .string("/etc/tutti/ca.pem"),
            "The certificates with which the broker's certificate is checked, with TLS."),
        ConfigurationKey(
            "mqtt", "user", \.mqtt.user, .text, isLive: true, defaultWords: "none", example: .string("tutti"),
            "The user name of this house at the broker."),
        ConfigurationKey(
            "mqtt", "password-file", \.mqtt.passwordFile, .file, isLive: true, defaultWords: "none",
            example: .string("/etc/tutti/mqtt-password"),
            "The file with the password for the broker. Only its owner may read it."),
        ConfigurationKey(
            "mqtt", "topic", \.mqtt.topic, .text, isLive: true, "The first level of all topics."),
        ConfigurationKey(
            "mqtt", "discovery", \.mqtt.discovery, .text, isLive: true,
            "The first level of the topics by which Home Assistant finds the zones and rooms."),
    ]

    private static let mpris = [
        ConfigurationKey(
            "mpris", "enabled", \.mpris.enabled, .boolean, isLive: true,
            "Whether every zone is a media player of the desktop, by MPRIS."),
        ConfigurationKey(
            "mpris", "bus", \.mpris.bus, HouseSettings.Bus.kind, isLive: true,
            "The bus of D-Bus: \"auto\" takes the session bus if there is one, \"system\" needs the "
                + "policy file that the package installs."),
    ]

    private static let rooms = [
        ConfigurationKey(
            "rooms", "hidden", \.rooms.hidden, .list(.text), isLive: true,
            example: .array([.string("Neighbour's TV")]),
            "Names or ids of speakers that this house does not use."),
        ConfigurationKey(
            "rooms", "default-volume", \.rooms.defaultVolume, .number(0...100), isLive: true,
            defaultWords: "the speaker's own volume", example: .integer(30),
            "The volume of a room at its first use, in percent."),
        ConfigurationKey(
            "rooms", "outputs", \.rooms.outputs, .list(.text), isLive: false,
            example: .array([.string("alsa:default")]),
            "Outputs of this machine that are also rooms, as 'tutti outputs' lists them."),
        ConfigurationKey(
            "rooms", "addresses", \.rooms.addresses, .list(.endpoint), isLive: false,
            example: .array([.string("10.0.0.7:7000")]),
            "Speakers that the network does not announce, such as those behind a router. Without a "
                + "port, 7000 is used."),
    ]

    private static let inputs = [
        ConfigurationKey(
            "inputs", "desktop", \.inputs.desktop, .list(.text), isLive: false,
            example: .array([.string("*")]),
            "The names of the zones that are outputs of the desktop, in PulseAudio or PipeWire; \"*\" "
                + "is every zone. The zone's rooms play the sound that programs send there."),
        ConfigurationKey(
            "inputs", "server", \.inputs.server, .text, isLive: false, defaultWords: "the user's own server",
            example: .string("unix:/run/user/1000/pulse/native"),
            "The sound server that has these outputs, as in PULSE_SERVER, or \"pipewire:\" and the "
                + "name or path of a socket. It must run as the same user as Tutti."),
        ConfigurationKey(
            "inputs", "pipes", \.inputs.pipes, .list(.text), isLive: false,
            example: .array([.string("/run/tutti/radio?zone=Kitchen&name=Radio&format=s16le/44100/2")]),
            "Named pipes from which raw samples are read, each with the name of its zone, its own name "
                + "and its format. Without a zone, the sound is heard in the first one. Tutti creates the "
                + "pipe if it does not exist."
        ),
    ]

    private static let playback = [
        ConfigurationKey(
            "playback", "prefer", \.playback.prefer, HouseSettings.Preference.kind, isLive: false,
            "\"lossless\" sends sound bit for bit; \"depth\" sends AAC, so that the speakers hold "
                + "more minutes."),
        ConfigurationKey(
            "playback", "resume", \.playback.resume, HouseSettings.Resumption.kind, isLive: true,
            "The zones after a restart of the service: \"as-it-was\" continues where music played, "
                + "\"paused\" waits for a command."),
    ]
}
