import TuttiTestSupport

@testable import TuttiWeb

extension WebLimits {
    /// Limits for tests that are not about time: a busy machine is not a slow server.
    static var patient: WebLimits {
        var limits = WebLimits()
        (limits.firstBackOff, limits.longestBackOff) = (.zero, .zero)
        (limits.answerLimit, limits.stallLimit) = (.seconds(600), .seconds(600))
        (limits.idleLimit, limits.timeLimit) = (.seconds(600), .seconds(600))
        return limits
    }
}

extension WebSource {
    /// Reads everything from here to the end, or the given number of bytes.
    func bytes(_ limit: Int = .max) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 7001)
        while bytes.count < limit {
            let count = try room.withUnsafeMutableBytes { room in
                try read(
                    into: UnsafeMutableRawBufferPointer(
                        rebasing: room[..<min(room.count, limit - bytes.count)]))
            }
            if count == 0 { break }
            bytes += room[..<count]
        }
        return bytes
    }
}

/// Bytes without any repetition.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
}
