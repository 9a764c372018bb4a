// swift-tools-version: 6.0
import PackageDescription

// A stand-in for packages with a module Combine, as far as KeyValueObserving's publishers and their tests use one.
let package = Package(
    name: "Combine",
    products: [.library(name: "Combine", targets: ["Combine"])],
    targets: [.target(name: "Combine")],
    swiftLanguageModes: [.v6]
)
