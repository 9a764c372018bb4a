import TuttiClockService

/// Interprets the bytes as messages of programs that share a clock, each after a byte that names its program, elapsed
/// milliseconds, and a length. Each message is handled as the serving program would.
public func fuzzClockSharing(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    var replay = SharedClockReplay()
    for _ in 0..<96 where !input.isAtEnd {
        let choice = input.byte()
        let milliseconds = Int(input.byte())
        let broken = replay.step(
            input.block(), of: Int(choice & 0x03), after: milliseconds, ends: choice & 0x80 != 0)
        if let broken { throw BrokenInvariant(description: broken) }
    }
}
