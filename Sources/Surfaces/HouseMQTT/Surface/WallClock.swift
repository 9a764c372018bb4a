import Foundation

/// The Unix time in seconds.
func wallSeconds() -> Double { Date().timeIntervalSince1970 }
