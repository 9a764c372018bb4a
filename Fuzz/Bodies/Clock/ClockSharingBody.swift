import ClockService

/// Reads the bytes as messages of programs that share a clock, each behind a byte that names its program, milliseconds
/// that pass, and a length. They are carried out as the program that serves would.
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
