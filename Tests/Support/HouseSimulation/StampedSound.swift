import Foundation
import TuttiMediaTime

/// Sound that says of each frame which it is, also after its rate was corrected by some parts in a million.
///
/// The left channel rises through each block of frames, the right one has a level that names the block.
enum StampedSound {
    static let rate = 44_100
    private static let blockFrames = 16_384
    private static let step = 3
    private static let firstLevel = 4_096
    private static let levelStep = 48
    /// Frames at a block's ends whose level a filter may have changed.
    private static let edge = 64

    /// Most frames that have levels of their own.
    static let mostFrames = (32_000 - firstLevel) / levelStep * blockFrames

    /// Writes a wave file, 16 bit stereo, whose frames count from `first` on.
    static func write(_ frameCount: Int, from first: Int = 0, to path: String) throws {
        precondition(first + frameCount <= mostFrames)
        var samples = [Int16](repeating: 0, count: 2 * frameCount)
        for index in 0..<frameCount {
            let frame = first + index
            samples[2 * index] = Int16((frame % blockFrames - blockFrames / 2) * step)
            samples[2 * index + 1] = Int16(firstLevel + frame / blockFrames * levelStep)
        }
        var file = Data()
        func word<Word: FixedWidthInteger>(_ value: Word) {
            withUnsafeBytes(of: value.littleEndian) { file.append(contentsOf: $0) }
        }
        let bytes = UInt32(samples.count * 2)
        file.append(contentsOf: "RIFF".utf8)
        word(36 + bytes)
        file.append(contentsOf: "WAVEfmt ".utf8)
        word(UInt32(16))
        word(UInt16(1))
        word(UInt16(2))
        word(UInt32(rate))
        word(UInt32(4 * rate))
        word(UInt16(4))
        word(UInt16(16))
        file.append(contentsOf: "data".utf8)
        word(bytes)
        samples.withUnsafeBytes { file.append(contentsOf: $0) }
        try file.write(to: URL(fileURLWithPath: path))
    }

    /// The frame that the first two of interleaved samples say they are, with fractions; `nil` for silence, and where a block
    /// begins or ends, which the frame after it tells.
    static func frame(_ samples: ArraySlice<Float>) -> Double? {
        let start = samples.startIndex
        guard samples.count >= 4, let frame = Self.frame(left: samples[start], right: samples[start + 1]),
            let next = Self.frame(left: samples[start + 2], right: samples[start + 3]),
            abs(next - frame - 1) < 0.5
        else { return nil }
        return frame
    }

    /// The frame that unaltered samples of both channels say they are; `nil` for other samples.
    static func exactFrame(left: Float, right: Float) -> Int? {
        guard let height = Int(exactly: left * 32_768), let level = Int(exactly: right * 32_768),
            level >= firstLevel, (level - firstLevel).isMultiple(of: levelStep), height.isMultiple(of: step)
        else { return nil }
        let offset = height / step + blockFrames / 2
        guard (0..<blockFrames).contains(offset) else { return nil }
        return (level - firstLevel) / levelStep * blockFrames + offset
    }

    private static func frame(left: Float, right: Float) -> Double? {
        let level = (Double(right) * 32_768 - Double(firstLevel)) / Double(levelStep)
        let block = level.rounded()
        guard block >= 0, abs(level - block) < 0.2 else { return nil }
        let place = Double(left) * 32_768 / Double(step) + Double(blockFrames / 2)
        guard place >= Double(edge), place < Double(blockFrames - edge) else { return nil }
        return block * Double(blockFrames) + place
    }
}
