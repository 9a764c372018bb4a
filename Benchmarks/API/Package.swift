// swift-tools-version: 6.2
import PackageDescription

// Measures the playback API itself; see Benchmarks/api.py. A separate package, as any program that uses Tutti is.

let package = Package(
    name: "APIFigures",
    dependencies: [.package(name: "Tutti", path: "../..")],
    targets: [
        .executableTarget(
            name: "APIFigures", dependencies: [.product(name: "Tutti", package: "Tutti")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
