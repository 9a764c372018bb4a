// swift-tools-version: 6.2
import PackageDescription

// Small programs on Tutti's public API. A package of its own, as any program that uses Tutti would be.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let tutti = Target.Dependency.product(name: "Tutti", package: "Tutti")

let package = Package(
    name: "Examples",
    dependencies: [.package(name: "Tutti", path: "..")],
    targets: [
        .target(name: "Tones", dependencies: [tutti], swiftSettings: strict),
        .executableTarget(name: "PlayTone", dependencies: [tutti, "Tones"], swiftSettings: strict),
        .executableTarget(name: "QueueEdit", dependencies: [tutti, "Tones"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
