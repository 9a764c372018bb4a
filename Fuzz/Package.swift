// swift-tools-version: 6.2
import PackageDescription

// Programs for libFuzzer, one for each case of `FuzzTarget`. They link only with
// `--sanitize=fuzzer`; `run.sh` passes it.
let targets = [
    "TLV8", "Pairing", "RTSPMessages", "RTSPClient", "RTSPServer", "PropertyList", "MessageBodies",
    "Metadata",
    "ServiceText", "PTP", "ClockServer", "ClockFollower", "ClockSharing", "NTPTiming", "SecureChannel",
    "BufferedStream", "RealtimePackets", "ReceiverSession", "RAOPSession",
    "AudioFileStream",
]

let package = Package(
    name: "TuttiFuzz",
    dependencies: [.package(name: "Tutti", path: "..")],
    targets: targets.map { name in
        .executableTarget(
            name: "Fuzz" + name, dependencies: [.product(name: "FuzzBodies", package: "Tutti")],
            path: "Targets/Fuzz" + name,
            swiftSettings: [.treatAllWarnings(as: .error), .unsafeFlags(["-parse-as-library"])])
    },
    swiftLanguageModes: [.v6]
)
