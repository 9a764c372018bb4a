// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors in everything of ours.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// Modules whose names are not Apple's and not of AirPlay. A package that uses Tutti must not have a target of the same
/// name, so they have the prefix `Tutti` (`CTutti` for C libraries), here and in `import`; folders, ARCHITECTURE.md and
/// this file leave it off.
let prefixed: Set = [
    "Wire", "MediaTime", "Cryptography", "PTP", "RTP", "RTSP", "SystemIO", "Discovery", "Web", "Database",
    "HTTPService", "MQTT", "DBus", "MPRIS", "PCM", "Codecs", "Resampling", "AudioOutput", "SoundServers",
    "ClockService", "KeyValueObserving", "Views", "Graphics", "MusicLibrary", "House", "HouseWeb", "HouseMPD",
    "HouseMQTT", "HouseMPRIS", "SurfaceCommands", "ServiceHost", "CommandLineInterface", "PlayCommand",
    "SubmoduleNames", "TestSupport", "TestMedia", "RouteTestSupport", "WebTestSupport", "VirtualTime",
    "Seeds", "DeviceManners", "HouseSimulation", "FuzzBodies",
]

/// The folders of Sources and Tests, in the order of ARCHITECTURE.md: a target knows only targets of its own folder and of
/// earlier ones, which scripts/layers.py checks.
let folders: [(name: String, targets: Set<String>)] = [
    (
        "CLibraries",
        [
            "CALSA", "CASS", "CAvahi", "CCurl", "CEvent", "CFFmpeg", "CLinux", "CMosquitto", "COpenSSL",
            "CPipeWire", "CPulse", "CSDL", "CSQLite", "CSonic", "CSoxr", "CSystemd", "CVectors",
        ]
    ),
    ("Base", ["Wire", "MediaTime", "CVersion"]),
    ("Protocols", ["Cryptography", "PTP", "RTP", "RTSP", "HomeKitPairing", "AirPlayMessages"]),
    ("System", ["SystemIO", "Discovery", "Web", "Database", "HTTPService", "MQTT", "DBus", "MPRIS"]),
    ("Sound", ["PCM", "Codecs", "Resampling", "AudioOutput", "SoundServers"]),
    ("Media", ["CoreAudioTypes", "CoreAudio", "Graphics", "CoreVideo", "CoreMedia", "SubmoduleNames"]),
    ("AirPlay", ["ClockService", "AirPlaySender", "AirPlayReceiver"]),
    ("Player", ["Playback"]),
    (
        "Apple",
        [
            "AudioToolbox", "AudioUnit", "MediaToolbox", "KeyValueObserving", "AVFoundation", "AVFAudio",
            "Views", "AVKit", "MediaPlayer",
        ]
    ),
    ("Video", ["VideoWindow"]),
    ("House", ["MusicLibrary", "House"]),
    ("Surfaces", ["SurfaceCommands", "HouseWeb", "HouseMPD", "HouseMQTT", "HouseMPRIS"]),
    ("Programs", ["CommandLineInterface", "ServiceHost", "AccessNotes", "PlayCommand", "tutti"]),
]

/// The folder of a target that names none. A test target lies below Tests where its target lies below Sources.
func folder(of target: Target) -> String {
    let isTest = target.type == .test
    let name = isTest ? String(target.name.dropLast("Tests".count)) : target.name
    let group = folders.first { $0.targets.contains(name) }
    return [isTest ? "Tests" : "Sources", group?.name, target.name].compactMap(\.self).joined(separator: "/")
}

/// The name of a target's module.
func moduleName(_ target: String) -> String {
    if prefixed.contains(target) { return "Tutti" + target }
    let isLibraryOfC = target.hasPrefix("C") && target.dropFirst().first?.isUppercase == true
    return isLibraryOfC ? "CTutti" + target.dropFirst() : target
}

/// One Swift target, its dependencies, and its test target.
func module(
    _ name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = []
) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict + settings)
}

func tests(
    of name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = []
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
        swiftSettings: strict + settings)
}

/// TUTTI_OPTIMISE=1: the modules on which tests simulate hours of virtual time or compute much sound are optimised in
/// debug builds too.
let simulated: [SwiftSetting] =
    Context.environment["TUTTI_OPTIMISE"] == nil ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Takes `@objc` off programs by access notes, see docs/access-notes.md; without the last four, the compiler remarks on each.
func withoutObjectiveC(by notes: String) -> SwiftSetting {
    .unsafeFlags([
        "-access-notes-path", Context.packageDirectory + "/" + notes,
        "-Xfrontend", "-Raccess-note", "-Xfrontend", "none",
    ])
}

/// What the sample programs see, and what runs them.
let sampleApps: [Target.Dependency] = [
    "AVFoundation", "AVKit", "MediaPlayer", "Playback", "Codecs", "PCM", "TestMedia", "RouteTestSupport",
    "TestSupport", "WebTestSupport",
]

/// The modules of the product Tutti.
let programInterface = [
    "AVFoundation", "AVFAudio", "AVKit", "MediaPlayer", "Views", "CoreMedia", "CoreVideo", "Graphics",
    "AudioToolbox", "AudioUnit", "MediaToolbox", "CoreAudio", "CoreAudioTypes", "Playback", "AirPlaySender",
    "SystemIO",
]

let package = Package(
    name: "Tutti",
    products: [
        .executable(name: "tutti", targets: ["tutti"]),
        .executable(name: "access-notes", targets: ["AccessNotes"]),
        // Apple's playback API with AirPlay speakers as outputs. `Playback` has what Apple's names lack: where speakers
        // are found and chosen; `AirPlaySender` their states and errors.
        .library(
            name: "Tutti",
            targets: programInterface.map(moduleName)),
        // A window for pictures. SDL2 is loaded when the first window opens.
        .library(name: "VideoWindow", targets: ["VideoWindow"]),
    ],
    targets: [
        // Base: words
        module("Wire", [], simulated),
        module("MediaTime", [], simulated),

        // The program's version: TUTTI_VERSION from scripts/version.sh, which knows the tag; a name for other builds.
        .target(
            name: "CVersion",
            cSettings: [
                .define(
                    "TUTTI_VERSION", to: "\"\(Context.environment["TUTTI_VERSION"] ?? "0.2.0-dev")\"")
            ]),

        // Protocols as values; no socket, clock, task or file
        .systemLibrary(name: "COpenSSL", providers: [.apt(["libssl-dev"])]),
        module("Cryptography", ["COpenSSL"], simulated),
        module("PTP", ["Wire", "MediaTime"], simulated),
        module("RTP", ["Wire", "MediaTime", "Cryptography"], simulated),
        module("RTSP", ["Wire", "MediaTime"]),
        module("HomeKitPairing", ["Wire", "Cryptography"]),
        module("AirPlayMessages", ["Wire", "MediaTime", "RTP"]),

        // System: the machine
        .systemLibrary(name: "CLinux"),
        .systemLibrary(
            name: "CAvahi", providers: [.apt(["libavahi-client-dev", "libavahi-core-dev"])]),
        module("SystemIO", ["CLinux", "Wire", "MediaTime"], simulated),
        module("Discovery", ["CAvahi", "AirPlayMessages", "MediaTime", "SystemIO"]),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        module("Web", ["CCurl", "MediaTime", "Cryptography", "SystemIO"]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        module("Database", ["CSQLite"]),
        .systemLibrary(name: "CEvent", providers: [.apt(["libevent-dev"])]),
        module("HTTPService", ["CEvent", "SystemIO"]),
        .systemLibrary(name: "CMosquitto", providers: [.apt(["libmosquitto-dev"])]),
        module("MQTT", ["CMosquitto", "Cryptography", "SystemIO"]),
        .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
        module("DBus", ["CSystemd", "SystemIO"]),
        module("MPRIS", ["DBus", "SystemIO"]),

        // Sound
        .systemLibrary(
            name: "CFFmpeg",
            providers: [
                .apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswscale-dev"])
            ]),
        .systemLibrary(name: "CSoxr", providers: [.apt(["libsoxr-dev"])]),
        module("PCM", ["Wire", "MediaTime"], simulated),
        module("Codecs", ["CFFmpeg", "PCM", "MediaTime", "Web"], simulated),
        .systemLibrary(name: "CVectors"),
        .systemLibrary(name: "CSonic", providers: [.apt(["libsonic-dev"])]),
        module("Resampling", ["CSoxr", "CSonic", "CVectors", "PCM", "MediaTime"], simulated),
        .systemLibrary(name: "CALSA", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CPulse", providers: [.apt(["libpulse-dev"])]),
        module("AudioOutput", ["CALSA", "CPulse", "PCM", "MediaTime", "SystemIO"]),
        .systemLibrary(
            name: "CPipeWire", pkgConfig: "libpipewire-0.3",
            providers: [.apt(["libpipewire-0.3-dev"])]),
        module("SoundServers", ["CPipeWire", "AudioOutput", "PCM", "MediaTime", "SystemIO", "Wire"]),

        // Media: Apple's words for times, formats and pictures
        .systemLibrary(name: "SubmoduleNames"),  // `import AVFoundation.AVPlayerItem`: no C, only names
        module("CoreAudioTypes"),
        module("CoreAudio", ["CoreAudioTypes"]),
        module("Graphics"),
        module("CoreVideo", ["CoreAudioTypes", "Graphics"]),
        module(
            "CoreMedia", ["CoreAudioTypes", "CoreVideo", "Wire", "MediaTime", "SubmoduleNames"], simulated),

        // AirPlay: sessions
        module("ClockService", ["PTP", "RTP", "Wire", "MediaTime", "SystemIO"], simulated),
        module(
            "AirPlaySender",
            [
                "Wire", "MediaTime", "Cryptography", "RTP", "RTSP", "HomeKitPairing", "AirPlayMessages",
                "SystemIO", "ClockService", "PCM", "Codecs", "Resampling",
            ], simulated),

        module(
            "AirPlayReceiver",
            [
                "Wire", "MediaTime", "Cryptography", "RTP", "RTSP", "HomeKitPairing", "AirPlayMessages",
                "SystemIO", "Discovery", "PCM", "Codecs", "Resampling", "AudioOutput", "ClockService",
            ], simulated),

        // Player: playback
        module(
            "Playback",
            [
                "MediaTime", "PCM", "Codecs", "Resampling", "SystemIO", "Discovery", "ClockService",
                "AirPlaySender", "AirPlayReceiver", "AudioOutput", "AirPlayMessages", "RTP", "CoreMedia",
                "Web",
            ], simulated),

        // Apple's shapes
        module(
            "AudioToolbox",
            ["CoreAudio", "CoreAudioTypes", "Codecs", "Resampling", "PCM", "Wire", "MediaTime"]),
        module("AudioUnit", ["AudioToolbox"]),
        module("MediaToolbox", ["CoreMedia"]),
        module("KeyValueObserving"),
        module(
            "AVFoundation",
            [
                "AudioToolbox", "CoreMedia", "Playback", "KeyValueObserving", "MediaTime", "Codecs", "PCM",
                "SystemIO", "Web", "AirPlaySender", "AirPlayMessages",
            ]),
        module("AVFAudio", ["AVFoundation", "CoreMedia"]),
        module("Views", ["Playback", "KeyValueObserving"]),
        module("AVKit", ["AVFoundation", "Views", "Playback"]),
        module(
            "MediaPlayer",
            [
                "AVFoundation", "Views", "Playback", "KeyValueObserving", "MediaTime", "SystemIO", "DBus",
                "MPRIS",
            ]),

        // Video: a window for pictures; SDL2 and libass by their headers alone, loaded when they are wanted.
        .target(name: "CSDL"),
        .target(name: "CASS"),
        module(
            "VideoWindow",
            ["CSDL", "CASS", "AVFoundation", "Playback", "CoreMedia", "CoreVideo", "MediaTime", "SystemIO"],
            simulated),

        // House: as programs outside this package, on public names only
        .target(
            name: "MusicLibrary", dependencies: ["Database", "AVFoundation", "SystemIO"],
            packageAccess: false, swiftSettings: strict),
        .target(
            name: "House",
            dependencies: [
                "MusicLibrary", "Database", "AVFoundation", "MediaPlayer", "Playback", "AirPlaySender",
                "SystemIO",
            ],
            packageAccess: false, swiftSettings: strict),

        // Surfaces: ways to command a house
        .target(
            name: "HouseWeb",
            dependencies: ["House", "MusicLibrary", "HTTPService", "SystemIO", "Cryptography"],
            resources: [.embedInCode("Pages")], swiftSettings: strict),
        module("HouseMPD", ["House", "MusicLibrary", "SystemIO"]),
        module("HouseMQTT", ["House", "MusicLibrary", "MQTT", "SystemIO"]),
        module("HouseMPRIS", ["House", "MusicLibrary", "MPRIS", "DBus"]),
        // The table of the commands on all surfaces, for docs and tests.
        module("SurfaceCommands", ["House"]),

        // Programs
        module("ServiceHost", ["CommandLineInterface", "SystemIO", "MediaTime"]),
        module("CommandLineInterface", ["SystemIO"]),
        .executableTarget(
            name: "AccessNotes", dependencies: ["CommandLineInterface", "CVersion"], swiftSettings: strict),
        // As a program outside this package: products of the library Tutti, and of those the public names only.
        .target(
            name: "PlayCommand",
            dependencies: [
                "CommandLineInterface", "AVFoundation", "MediaPlayer", "Playback", "AirPlaySender",
                "SystemIO", "VideoWindow",
            ],
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "tutti",
            dependencies: [
                "PlayCommand", "CommandLineInterface", "PCM", "Discovery", "Playback", "AirPlaySender",
                "AirPlayReceiver", "AudioOutput", "AirPlayMessages", "RTSP", "SystemIO", "MediaTime",
                "ClockService", "ServiceHost", "House", "HouseWeb", "MusicLibrary",
                "CVersion", "HouseMPD", "MQTT", "HouseMQTT", "HouseMPRIS", "SoundServers", "SurfaceCommands",
            ],
            swiftSettings: strict),

        // Tests
        .target(
            name: "TestSupport", dependencies: ["MediaTime", "Seeds", "Wire"],
            path: "Tests/Support/TestSupport",
            exclude: ["Vectors"], swiftSettings: strict),
        // Sound files of every kind, made by the tests that read them.
        .target(
            name: "TestMedia",
            dependencies: ["CFFmpeg", "Codecs", "CoreMedia", "PCM", "MediaTime", "TestSupport"],
            path: "Tests/Support/TestMedia", swiftSettings: strict + simulated),
        .target(
            name: "RouteTestSupport", dependencies: ["Playback", "TestSupport"],
            path: "Tests/Support/RouteTestSupport", swiftSettings: strict),
        // A web server that does what a test says.
        .target(
            name: "WebTestSupport", dependencies: ["MediaTime", "SystemIO", "TestSupport"],
            path: "Tests/Support/WebTestSupport", swiftSettings: strict),
        // Reproducible chance.
        .target(name: "Seeds", path: "Tests/Support/Seeds", swiftSettings: strict + simulated),
        // Machines and a network in virtual time, and the runtime's jobs, which run there.
        .target(name: "CJobs", path: "Tests/Support/CJobs"),
        .target(
            name: "VirtualTime", dependencies: ["CJobs", "MediaTime", "Seeds", "SystemIO"],
            path: "Tests/Support/VirtualTime", swiftSettings: strict + simulated),
        .testTarget(
            name: "VirtualTimeTests", dependencies: ["VirtualTime", "MediaTime", "SystemIO", "TestSupport"],
            path: "Tests/Support/VirtualTimeTests", swiftSettings: strict),
        // The manners of other makers' devices, for speakers of ours that stand in for them.
        .target(
            name: "DeviceManners",
            dependencies: [
                "AirPlayMessages", "AirPlayReceiver", "AirPlaySender", "ClockService", "Discovery",
                "HomeKitPairing", "MediaTime", "RTSP", "SystemIO",
            ],
            path: "Tests/Support/DeviceManners", swiftSettings: strict + simulated),
        .testTarget(
            name: "DeviceMannersTests",
            dependencies: [
                "DeviceManners", "TestSupport", "AirPlayReceiver", "AirPlayMessages", "RTSP", "ClockService",
                "MediaTime", "SystemIO",
            ],
            path: "Tests/Support/DeviceMannersTests", swiftSettings: strict),
        // Houses of our sender and our speakers in virtual time.
        .target(
            name: "HouseSimulation",
            dependencies: [
                "VirtualTime", "AirPlayMessages", "AirPlayReceiver", "AirPlaySender", "AudioOutput",
                "ClockService", "CoreMedia", "DeviceManners", "MediaTime", "PCM", "Playback", "Seeds",
                "SystemIO", "Web",
            ],
            path: "Tests/Support/HouseSimulation", swiftSettings: strict + simulated),
        .testTarget(
            name: "VirtualHouseTests",
            dependencies: ["DeviceManners", "HouseSimulation", "AirPlaySender", "Playback", "TestSupport"],
            path: "Tests/Houses/VirtualHouseTests", swiftSettings: strict),
        // Houses by the thousand.
        .executableTarget(
            name: "HouseRunner", dependencies: ["HouseSimulation"], path: "Tests/Houses/HouseRunner",
            swiftSettings: strict),
        // What the programs of Fuzz/ run, here so that the corpus is replayed with the tests.
        .target(
            name: "FuzzBodies",
            dependencies: [
                "Wire", "MediaTime", "Cryptography", "PTP", "RTP", "RTSP", "HomeKitPairing",
                "AirPlayMessages", "SystemIO", "ClockService", "AirPlayReceiver", "AudioToolbox",
            ],
            path: "Fuzz/Bodies", swiftSettings: strict + simulated),
        .testTarget(
            name: "CorpusTests", dependencies: ["FuzzBodies", "TestSupport"], swiftSettings: strict),
        tests(of: "Wire"),
        tests(of: "MediaTime"),
        tests(of: "Cryptography"),
        tests(of: "PTP", ["Wire", "MediaTime"]),
        tests(of: "RTP", ["Wire", "MediaTime", "Cryptography"]),
        tests(of: "RTSP", ["Wire", "MediaTime"]),
        tests(of: "HomeKitPairing", ["Wire", "Cryptography"]),
        tests(of: "AirPlayMessages", ["Wire", "MediaTime"]),
        tests(of: "SystemIO", ["MediaTime"]),
        tests(of: "Discovery", ["AirPlayMessages", "SystemIO"]),
        tests(of: "Web", ["MediaTime", "SystemIO", "WebTestSupport"]),
        tests(of: "Database"),
        tests(of: "HTTPService", ["SystemIO", "MediaTime"]),
        tests(of: "MusicLibrary", ["Database", "AVFoundation", "SystemIO", "TestMedia"]),
        tests(of: "House", ["MusicLibrary", "Database", "Playback", "AirPlaySender", "SystemIO"]),
        tests(of: "ServiceHost", ["CommandLineInterface", "SystemIO", "MediaTime"]),
        tests(of: "HouseWeb", ["House", "MusicLibrary", "HTTPService", "SurfaceCommands"]),
        tests(of: "HouseMPD", ["House", "MusicLibrary", "Playback", "SystemIO", "SurfaceCommands"]),
        tests(of: "MQTT", ["SystemIO"]),
        tests(of: "HouseMQTT", ["House", "MusicLibrary", "MQTT", "SystemIO", "SurfaceCommands"]),
        tests(of: "DBus", ["SystemIO"]),
        tests(of: "MPRIS", ["DBus"]),
        tests(of: "HouseMPRIS", ["House", "MusicLibrary", "MPRIS", "SystemIO", "SurfaceCommands"]),
        tests(of: "PCM", ["MediaTime"]),
        // AVAudioFile reads files of every kind here too.
        tests(
            of: "Codecs",
            [
                "PCM", "MediaTime", "CFFmpeg", "AVFoundation", "TestMedia", "Web", "WebTestSupport",
                "SystemIO",
            ]),
        tests(of: "Resampling", ["CVectors", "PCM", "MediaTime"]),
        tests(of: "AudioOutput", ["PCM", "MediaTime", "SystemIO"]),
        tests(of: "SoundServers", ["PCM", "MediaTime", "Wire", "SystemIO"]),
        tests(
            of: "AirPlayReceiver",
            [
                "Wire", "MediaTime", "Cryptography", "RTP", "RTSP", "HomeKitPairing", "AirPlayMessages",
                "SystemIO", "PCM", "Codecs", "AudioOutput", "ClockService",
                // Real sessions of our own sender, and what programs publish on them.
                "AirPlaySender", "Playback", "MediaPlayer", "CoreMedia",
            ]),
        tests(of: "ClockService", ["PTP", "RTP", "Wire", "MediaTime", "SystemIO"]),
        tests(
            of: "AirPlaySender",
            [
                "Wire", "MediaTime", "Cryptography", "RTP", "RTSP", "HomeKitPairing", "AirPlayMessages",
                "SystemIO", "ClockService", "PCM", "Codecs",
            ]),
        tests(
            of: "Playback",
            [
                "CoreMedia", "MediaTime", "PCM", "Codecs", "AirPlaySender", "RTP", "AirPlayMessages",
                "SystemIO", "Discovery", "TestMedia", "RouteTestSupport", "WebTestSupport",
            ], simulated),
        tests(of: "CoreAudioTypes"),
        tests(of: "Graphics"),
        tests(of: "CoreVideo"),
        tests(of: "CoreMedia", ["MediaTime", "Wire"]),
        // With AVFoundation too, as programs import both.
        tests(
            of: "AudioToolbox",
            [
                "AVFoundation", "AudioUnit", "MediaToolbox", "CoreAudio", "CoreAudioTypes", "CoreMedia",
                "Codecs", "PCM", "MediaTime", "TestMedia",
            ]),
        tests(of: "KeyValueObserving"),
        tests(
            of: "AVFoundation",
            [
                "CoreMedia", "Playback", "MediaTime", "Codecs", "PCM", "SystemIO", "TestMedia",
                "RouteTestSupport", "AudioOutput", "AirPlaySender", "AVFAudio", "Web",
            ]),
        tests(of: "VideoWindow", ["CASS", "CoreMedia", "CoreVideo"]),
        tests(of: "Views", ["Playback", "RouteTestSupport"]),
        tests(of: "AVKit", ["Playback", "Views", "RouteTestSupport"]),
        tests(
            of: "MediaPlayer",
            [
                "AVFoundation", "Playback", "Views", "MediaTime", "SystemIO", "RouteTestSupport",
                "TestMedia", "MPRIS",
            ]),
        // Programs of others, unchanged; only deprecations may be told of.
        .testTarget(
            name: "SampleAppsSwift5Tests", dependencies: sampleApps, path: "Tests/SampleApps/Swift5",
            exclude: ["access-notes.yaml"],
            swiftSettings: [
                .swiftLanguageMode(.v5), withoutObjectiveC(by: "Tests/SampleApps/Swift5/access-notes.yaml"),
            ]),
        .testTarget(
            name: "SampleAppsSwift6Tests", dependencies: sampleApps, path: "Tests/SampleApps/Swift6",
            exclude: ["access-notes.yaml"],
            swiftSettings: [
                .swiftLanguageMode(.v6), withoutObjectiveC(by: "Tests/SampleApps/Swift6/access-notes.yaml"),
            ]),
        // The same programs, by commands, on real outputs; Interop/ runs it.
        .executableTarget(
            name: "SampleAppsRunner",
            dependencies: [
                "AVFoundation", "MediaPlayer", "Playback", "AirPlaySender", "MediaTime", "SystemIO",
                "ClockService",
            ],
            path: "Tests/SampleApps/Runner", swiftSettings: [.swiftLanguageMode(.v6)]),
        // An output in a sound server, whose events Interop/ measures.
        .executableTarget(
            name: "SinkProbe", dependencies: ["SoundServers", "PCM", "MediaTime", "SystemIO"],
            path: "Interop/sinks", swiftSettings: strict),
        // Speakers with the manners of other makers' devices; Interop/ runs them.
        .executableTarget(
            name: "StandIn",
            dependencies: [
                "DeviceManners", "CommandLineInterface", "AirPlayReceiver", "ClockService", "Discovery",
                "AudioOutput", "SystemIO", "MediaTime",
            ],
            path: "Interop/standins", swiftSettings: strict),
        tests(of: "CommandLineInterface"),
        tests(of: "AccessNotes", ["CommandLineInterface"]),
        tests(
            of: "PlayCommand",
            [
                "CommandLineInterface", "AVFoundation", "MediaPlayer", "Playback", "AirPlaySender",
                "SystemIO",
            ]),
        .testTarget(
            name: "tuttiTests",
            dependencies: [
                "tutti", "CommandLineInterface", "TestSupport", "AirPlayMessages", "Discovery", "RTSP",
                "SystemIO", "AudioOutput", "SurfaceCommands", "House", "ClockService",
            ], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// TUTTI_DEVELOPMENT=1: also what the package in Fuzz/ needs.
if Context.environment["TUTTI_DEVELOPMENT"] != nil {
    package.products.append(.library(name: "FuzzBodies", targets: [moduleName("FuzzBodies")]))
}

// TUTTI_EXAMPLES=1: the programs of Examples/ and Benchmarks/API too, built with everything else and with its flags. A user
// has them as packages of their own (scripts/examples.sh).
if Context.environment["TUTTI_EXAMPLES"] != nil {
    let product = programInterface.map { Target.Dependency.byName(name: $0) }
    func example(_ name: String, in folder: String = "Examples", notes: Bool = false) -> Target {
        .executableTarget(
            name: name, dependencies: product + [.byName(name: "Tones")], path: "\(folder)/Sources/\(name)",
            exclude: notes ? ["access-notes.yaml"] : [], packageAccess: false,
            swiftSettings: strict
                + (notes ? [withoutObjectiveC(by: "\(folder)/Sources/\(name)/access-notes.yaml")] : []))
    }
    package.targets += [
        .target(
            name: "Tones", dependencies: product, path: "Examples/Sources/Tones", packageAccess: false,
            swiftSettings: strict),
        example("ChooseRooms"), example("FirstPlayer"), example("PlayFiles"), example("PlayTone"),
        example("PlayZones"), example("PortedPlayer", notes: true), example("QueueEdit"),
        example("ShowPlayback"), example("StreamPlayer"), example("WatchTone", notes: true),
        example("APIFigures", in: "Benchmarks/API"),
    ]
}

// TUTTI_TESTS=PlaybackTests: only these test targets and what they need, for builds that take long, as with a sanitizer.
if let names = Context.environment["TUTTI_TESTS"]?.split(separator: ",").map(String.init), !names.isEmpty {
    var needed = Set(names)
    var waiting = names
    while let name = waiting.popLast() {
        for case .byNameItem(let other, _) in package.targets.first(where: { $0.name == name })?.dependencies
            ?? []
        where needed.insert(other).inserted {
            waiting.append(other)
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}

// TUTTI_COMBINE=FOLDER: with publishers of observed properties, by the module Combine of the package in this folder
// (docs/how-to/use-as-a-dependency.md).
if let combine = Context.environment["TUTTI_COMBINE"], let folder = combine.split(separator: "/").last {
    package.dependencies.append(.package(path: combine))
    for target in package.targets where target.name.hasPrefix("KeyValueObserving") {
        target.dependencies.append(.product(name: "Combine", package: String(folder)))
        target.swiftSettings?.append(.define("TUTTI_COMBINE"))
    }
}

for target in package.targets {
    target.path = target.path ?? folder(of: target)
    target.name = moduleName(target.name)
    target.dependencies = target.dependencies.map { dependency in
        guard case .byNameItem(let name, let condition) = dependency else { return dependency }
        return .byNameItem(name: moduleName(name), condition: condition)
    }
}
