// swift-tools-version: 6.2
import PackageDescription

// Small programs on Tutti's public API. A separate package, as any program that uses Tutti is.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let tutti = Target.Dependency.product(name: "Tutti", package: "Tutti")

/// Removes `@objc`, see docs/access-notes.md; without the last four arguments, the compiler remarks on each.
func withoutObjectiveC(in target: String) -> SwiftSetting {
    .unsafeFlags([
        "-access-notes-path", Context.packageDirectory + "/Sources/\(target)/access-notes.yaml",
        "-Xfrontend", "-Raccess-note", "-Xfrontend", "none",
    ])
}

let package = Package(
    name: "Examples",
    dependencies: [.package(name: "Tutti", path: "..")],
    targets: [
        .target(name: "Tones", dependencies: [tutti], swiftSettings: strict),
        .executableTarget(name: "ChooseRooms", dependencies: [tutti], swiftSettings: strict),
        .executableTarget(name: "FirstPlayer", dependencies: [tutti], swiftSettings: strict),
        .executableTarget(name: "PlayFiles", dependencies: [tutti, "Tones"], swiftSettings: strict),
        .executableTarget(name: "PlayTone", dependencies: [tutti, "Tones"], swiftSettings: strict),
        .executableTarget(name: "PlayZones", dependencies: [tutti], swiftSettings: strict),
        .executableTarget(
            name: "PortedPlayer", dependencies: [tutti], exclude: ["access-notes.yaml"],
            swiftSettings: strict + [withoutObjectiveC(in: "PortedPlayer")]),
        .executableTarget(name: "QueueEdit", dependencies: [tutti, "Tones"], swiftSettings: strict),
        .executableTarget(name: "ShowPlayback", dependencies: [tutti], swiftSettings: strict),
        .executableTarget(name: "StreamPlayer", dependencies: [tutti], swiftSettings: strict),
        .executableTarget(
            name: "WatchTone", dependencies: [tutti, "Tones"], exclude: ["access-notes.yaml"],
            swiftSettings: strict + [withoutObjectiveC(in: "WatchTone")]),
    ],
    swiftLanguageModes: [.v6]
)
