import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import TuttiServiceHost

@Suite("Settings of the house")
struct HouseSettingsTests {
    static let home = ["HOME": "/home/ann"]

    static func read(
        _ text: String, path: String? = "/etc/tutti/tutti.toml", _ environment: [String: String] = home
    ) throws -> ConfigurationReading {
        try HouseSettings.read(Array(text.utf8), path: path, environment: environment, hostName: "attic")
    }

    static func problems(_ text: String, _ environment: [String: String] = home) -> [String] {
        do {
            _ = try read(text, environment)
            return []
        } catch let error as ConfigurationError {
            return error.problems.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    static func read(_ text: String, _ environment: [String: String]) throws -> ConfigurationReading {
        try read(text, path: "/etc/tutti/tutti.toml", environment)
    }

    @Test("an empty file gives the defaults")
    func defaults() throws {
        let reading = try Self.read("")
        #expect(
            reading.settings == HouseSettings(name: "attic", database: "/home/ann/.local/state/tutti/house"))
        #expect(reading.warnings == [])
        #expect(reading.origins == [:])
    }

    @Test("each key sets its setting")
    func allKeys() throws {
        let settings = try Self.read(
            """
            [service]
            name = "Home"
            log = "debug"
            database = "/srv/state"
            address = "192.168.1.5"
            clock-ports = [31900, 32000]
            [library]
            music = ["/srv/music", "~/Music", "more"]
            scan-interval = 1.5
            watch = false
            [web]
            enabled = false
            port = 8400
            addresses = ["*", "10.0.0.1"]
            names = ["music.example.org"]
            trust-this-machine = false
            access = "open"
            [rooms]
            hidden = ["Neighbour's TV"]
            default-volume = 30
            outputs = ["alsa:default"]
            addresses = ["10.0.0.7:7001", "10.0.0.8", "[fd00::7]:7002"]
            [inputs]
            desktop = ["*"]
            server = "unix:/run/pulse/native"
            pipes = ["/run/tutti/radio?zone=Kitchen"]
            [playback]
            prefer = "depth"
            resume = "paused"
            """
        ).settings
        var expected = HouseSettings(name: "Home", database: "/srv/state")
        expected.service.log = .debug
        expected.service.address = IPAddress(192, 168, 1, 5)
        expected.service.clockPorts = HouseSettings.ClockPortPair(event: 31_900, general: 32_000)
        expected.library.music = ["/srv/music", "/home/ann/Music", "/etc/tutti/more"]
        (expected.library.scanInterval, expected.library.watch) = (1.5, false)
        (expected.web.enabled, expected.web.port) = (false, 8400)
        expected.web.addresses = [.all, .address(IPAddress(10, 0, 0, 1))]
        (expected.web.names, expected.web.trustThisMachine) = (["music.example.org"], false)
        expected.web.access = .open
        (expected.rooms.hidden, expected.rooms.defaultVolume) = (["Neighbour's TV"], 30)
        expected.rooms.outputs = ["alsa:default"]
        expected.rooms.addresses = [
            HouseSettings.SpeakerAddress(IPAddress(10, 0, 0, 7), port: 7001),
            HouseSettings.SpeakerAddress(IPAddress(10, 0, 0, 8)),
            HouseSettings.SpeakerAddress(try #require(IPAddress("fd00::7")), port: 7002),
        ]
        (expected.inputs.desktop, expected.inputs.server) = (["*"], "unix:/run/pulse/native")
        expected.inputs.pipes = ["/run/tutti/radio?zone=Kitchen"]
        (expected.playback.prefer, expected.playback.resume) = (.depth, .paused)
        #expect(settings == expected)
    }

    static let mistakes: [(String, [String])] = [
        ("[web]\nprot = 1", ["line 2, column 1: unknown key 'prot' in [web]; did you mean 'port'?"]),
        ("[web]\nmusic = []", ["line 2, column 1: unknown key 'music' in [web]; it belongs to [library]"]),
        (
            "[playback]\nxyzzy = 1",
            ["line 2, column 1: unknown key 'xyzzy' in [playback]; known are 'prefer', 'resume'"]
        ),
        ("[wbe]\nport = 1", ["line 1, column 1: unknown table [wbe]; did you mean [web]?"]),
        (
            "[rooms]\naddresses = [\"kitchen.local:7000\"]",
            [
                "line 2, column 13: [rooms] addresses has a wrong value at place 1: it must be an IP address and "
                    + "a port, such as \"10.0.0.7:7000\", not \"kitchen.local:7000\""
            ]
        ),
        ("port = 1", ["line 1, column 1: 'port' belongs to a table; write [web] above it"]),
        (
            "[web]\nport = 0",
            ["line 2, column 8: [web] port must be a whole number from 1 to 65535, not 0"]
        ),
        (
            "[web]\nport = \"8321\"",
            ["line 2, column 8: [web] port must be a whole number from 1 to 65535, not \"8321\""]
        ),
        ("[web]\nenabled = 1", ["line 2, column 11: [web] enabled must be true or false, not 1"]),
        (
            "[web]\naccess = \"all\"",
            ["line 2, column 10: [web] access must be one of \"token\", \"open\", not \"all\""]
        ),
        (
            "[web]\nnames = [\"a.b\", \"a b\"]",
            [
                "line 2, column 9: [web] names has a wrong value at place 2: it must be a host name, such as "
                    + "\"music.example.org\", not \"a b\""
            ]
        ),
        (
            "[web]\naddresses = []",
            ["[web] addresses is empty; write \"*\" for all, or [web] enabled = false"]
        ),
        (
            "[service]\nclock-ports = [319, 319]",
            ["line 2, column 15: [service] clock-ports must be two different ports, such as [31900, 32000]"]
        ),
        (
            "[library]\nmusic = \"/srv/music\"",
            [
                "line 2, column 9: [library] music must be a list in brackets, of which each value is a folder, "
                    + "such as \"/srv/music\" or \"~/Music\", not \"/srv/music\""
            ]
        ),
        (
            "[rooms]\ndefault-volume = 101",
            ["line 2, column 18: [rooms] default-volume must be a number from 0 to 100, not 101"]
        ),
        (
            "[service]\nname = \"two\\nlines\"",
            [
                "line 2, column 8: [service] name must be a text of 1 to 255 characters in one line, not "
                    + "\"two\\nlines\""
            ]
        ),
    ]

    @Test("a wrong key or value is told with a remedy", arguments: mistakes)
    func mistake(text: String, problems: [String]) {
        #expect(Self.problems(text) == problems)
    }

    @Test("all mistakes of file and environment are told, by line")
    func allMistakes() {
        let environment = Self.home.merging(["TUTTI_WEB_PORT": "many", "TUTTI_LIBRARY_MUSIC": "music"]) { $1 }
        let problems = Self.problems("[web]\nport = 0\nenabled = maybe\n[wbe]\n", environment)
        #expect(
            problems.map { String($0.prefix { $0 != ":" }) } == [
                "line 2, column 8", "line 3, column 11", "line 4, column 1",
                "TUTTI_LIBRARY_MUSIC must be an absolute path, or begin with ~/",
                "TUTTI_WEB_PORT must be a whole number from 1 to 65535, not \"many\"",
            ])
    }

    @Test("more mistakes than fit on a screen are counted")
    func manyMistakes() {
        let text = "[web]\n" + (0..<30).map { "unknown-\($0) = 1\n" }.joined()
        let problems = Self.problems(text)
        #expect(problems.count == 21)
        #expect(problems.last == "10 more; correct these first")
    }

    @Test("a long name is cut in the message of its mistake")
    func longName() {
        let name = String(repeating: "n", count: 60_000)
        for text in ["[web]\n\(name) = 1", "[\(name)]", name, "[web]\naccess = \"\(name)\"", "\(name).a = 1"]
        {
            let problems = Self.problems(text)
            #expect(problems.count == 1)
            #expect(problems.allSatisfy { $0.count < 600 })
        }
    }

    @Test("environment variables replace the file's values")
    func overrides() throws {
        let environment = Self.home.merging([
            "TUTTI_WEB_PORT": "8500", "TUTTI_WEB_ADDRESSES": "127.0.0.1, ::1",
            "TUTTI_LIBRARY_MUSIC": "/a:~/b",
            "TUTTI_LIBRARY_WATCH": "false", "TUTTI_SERVICE_CLOCK_PORTS": "1000,1001",
            "TUTTI_LIBRARY_SCAN_INTERVAL": "0.5", "TUTTI_SERVICE_NAME": "", "TUTTI_WEB_NAMES": "",
            "TUTTI_WEB_PROT": "1", "TUTTI_RUNTIME_DIR": "/run",
        ]) { $1 }
        let reading = try Self.read("[web]\nport = 8400\nnames = ['a']\n[service]\nname = 'b'", environment)
        #expect(reading.settings.web.port == 8500)
        #expect(reading.settings.web.addresses == [.address(.loopbackV4), .address(.loopbackV6)])
        #expect(reading.settings.web.names == [])
        #expect(reading.settings.library.music == ["/a", "/home/ann/b"])
        #expect(reading.settings.library.watch == false)
        #expect(reading.settings.library.scanInterval == 0.5)
        #expect(reading.settings.service.clockPorts?.general == 1001)
        #expect(reading.settings.service.name == "b")
        #expect(reading.origins["web.port"] == .variable("TUTTI_WEB_PORT"))
        #expect(reading.origins["service.name"] == .line(5))
        #expect(
            reading.warnings == [
                "TUTTI_SERVICE_NAME is empty and therefore ignored.",
                "TUTTI_WEB_PROT is no setting; did you mean TUTTI_WEB_PORT?",
            ])
    }

    @Test("the folder of the state is the service manager's, else the user's")
    func database() throws {
        let system = ["STATE_DIRECTORY": "/var/lib/tutti:/var/lib/other", "HOME": "/home/ann"]
        #expect(try Self.read("", system).settings.service.database == "/var/lib/tutti")
        let user = ["XDG_STATE_HOME": "/state", "HOME": "/home/ann"]
        #expect(try Self.read("", user).settings.service.database == "/state/tutti/house")
        #expect(
            Self.problems("", [:]) == ["there is no folder for the state; set [service] database, or HOME"])
    }

    @Test("a house without pages needs no address for them")
    func noPages() {
        #expect(Self.problems("[web]\naddresses = []\nenabled = false") == [])
    }

    @Test("a folder below a home that is unknown is a mistake")
    func noHome() {
        let problems = Self.problems("[library]\nmusic = ['~/Music']", ["STATE_DIRECTORY": "/var/lib/tutti"])
        #expect(
            problems == [
                "line 2, column 9: [library] music begins with ~, but HOME is not set; write an absolute path"
            ])
    }

    @Test("open access is warned of, by what can reach it")
    func warnings() throws {
        let open = try Self.read("[web]\naccess = 'open'\naddresses = ['*']").warnings
        #expect(open.map { $0.contains("lets every machine that reaches port 8321") } == [true])
        let useless = try Self.read("[web]\naccess = 'open'").warnings
        #expect(useless.map { $0.contains("has no effect") } == [true])
    }

    @Test("a file that is named must exist, be a file and be short; the usual files need not exist")
    func files() throws {
        let folder = try MusicFolder()
        let environment = ["HOME": folder.path, "XDG_CONFIG_HOME": "\(folder.path)/config"]
        #expect(throws: ConfigurationError.self) {
            try HouseSettings.read(path: "\(folder.path)/none.toml", environment: environment)
        }
        #expect(throws: ConfigurationError.self) {
            try HouseSettings.read(path: folder.path, environment: environment)
        }
        let long = try folder.add("long.toml", [UInt8](repeating: 0x0A, count: 65_537))
        #expect(throws: ConfigurationError.self) {
            try HouseSettings.read(path: long, environment: environment)
        }
        let own = try folder.add("config/tutti/tutti.toml", Array("[web]\nport = 9".utf8))
        let reading = try HouseSettings.read(path: nil, environment: environment, hostName: "attic")
        #expect(reading.path == own)
        #expect(reading.settings.web.port == 9)
    }

    @Test("the lines of an error name the file and the line")
    func errorLines() {
        let error = ConfigurationError(
            path: "/etc/t.toml",
            problems: [
                ConfigurationProblem(
                    .position(line: 7, column: 8), "dates are not supported; write a string"),
                ConfigurationProblem(.variable("TUTTI_WEB_PORT"), "must be\u{1B} a number"),
            ])
        #expect(
            error.description == """
                /etc/t.toml, line 7, column 8: dates are not supported; write a string
                TUTTI_WEB_PORT must be? a number
                """)
    }

    @Test("a reload applies what can change, and names the rest")
    func changes() {
        let old = HouseSettings(name: "a", database: "/b")
        var new = old
        #expect(HouseSettings.changes(from: old, to: new).isEmpty)
        new.service.log = .debug
        new.service.address = .loopbackV4
        new.web.port = 8400
        new.rooms.defaultVolume = 30
        let changes = HouseSettings.changes(from: old, to: new)
        #expect(
            changes.live.map(\.sentence) == [
                "[service] log changes from \"notice\" to \"debug\".",
                "[rooms] default-volume changes from its default to 30.",
            ])
        #expect(changes.restart.map(\.key) == ["service.address", "web.port"])
        #expect(
            changes.restart.last?.sentence
                == "[web] port changes from 8321 to 8400; restart the service to apply it.")
        let running = old.applyingLiveChanges(of: new)
        #expect(HouseSettings.changes(from: old, to: running).restart == [])
        #expect(HouseSettings.changes(from: running, to: new).live == [])
    }
}
