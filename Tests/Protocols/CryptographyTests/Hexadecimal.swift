import TuttiTestSupport

extension [UInt8] {
    /// The bytes that hexadecimal digits stand for; spaces are skipped.
    init(hex: String) { self = Vectors.bytes(hex: hex) }
}
