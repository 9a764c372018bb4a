import TuttiMediaTime
import TuttiPCM

/// Cuts sound into the blocks that a sink reports.
enum SoundBlocks {
    /// Longest block.
    static let longest = Duration.milliseconds(20)

    /// Returns the parts of a block, each with the time at which it is heard.
    static func parts(of block: PCMBuffer, heardAt: HostTime) -> [(PCMBuffer, HostTime)] {
        let rate = block.format.sampleRate
        let limit = max(1, Int(rate.frames(in: longest.wholeNanoseconds)))
        if block.frameCount <= limit { return block.isEmpty ? [] : [(block, heardAt)] }
        return stride(from: 0, to: block.frameCount, by: limit).map { start in
            (
                block[start..<min(start + limit, block.frameCount)],
                heardAt.advanced(by: rate.duration(of: Int64(start)))
            )
        }
    }
}
