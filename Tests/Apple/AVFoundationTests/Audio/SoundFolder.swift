import Foundation

/// A temporary folder that is deleted with this object.
final class SoundFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }  // leftovers are in the temporary folder

    func write(_ bytes: [UInt8], to name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return file
    }
}

/// A wave file with known samples: each frame and channel has another value.
struct WaveSound: Sendable, CustomStringConvertible {
    enum Samples: Sendable {
        case integer(bits: Int)
        case float
    }

    var samples: Samples
    var channelCount = 2
    var frameCount = 1000
    var sampleRate = 44_100

    static let kinds: [WaveSound] =
        [8, 16, 24, 32].map { WaveSound(samples: .integer(bits: $0)) } + [WaveSound(samples: .float)]

    var description: String { "\(samples), \(channelCount) channels" }

    var bits: Int {
        if case .integer(let bits) = samples { bits } else { 32 }
    }

    /// Returns the sample as stored in the file; the steps are large, so that every bit changes.
    func integer(_ frame: Int, _ channel: Int) -> Int32 {
        let mixed = UInt32(truncatingIfNeeded: frame &* 0x9E37_79B1 &+ channel &* 0x85EB_CA6B)
        return Int32(bitPattern: mixed) >> Int32(32 - bits)
    }

    /// Includes values beyond full scale.
    func float(_ frame: Int, _ channel: Int) -> Float {
        Float(integer(frame, channel)) / 0x1p31 * 1.5
    }

    var bytes: [UInt8] {
        var data: [UInt8] = []
        for frame in 0..<frameCount {
            for channel in 0..<channelCount { data += sample(frame, channel) }
        }
        let width = bits / 8 * channelCount
        let isFloat = if case .float = samples { true } else { false }
        let format =
            Self.word(isFloat ? 3 : 1, 2) + Self.word(channelCount, 2) + Self.word(sampleRate, 4)
            + Self.word(sampleRate * width, 4) + Self.word(width, 2) + Self.word(bits, 2)
        let content =
            Array("WAVEfmt ".utf8) + Self.word(16, 4) + format + Array("data".utf8) + Self.word(data.count, 4)
            + data
        return Array("RIFF".utf8) + Self.word(content.count, 4) + content
    }

    private func sample(_ frame: Int, _ channel: Int) -> [UInt8] {
        switch samples {
        case .integer(8): [UInt8(truncatingIfNeeded: integer(frame, channel) + 128)]
        case .integer: Self.word(Int(integer(frame, channel)), bits / 8)
        case .float: Self.word(Int(float(frame, channel).bitPattern), 4)
        }
    }

    private static func word(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    // MARK: Expected samples

    /// Returns a sample at full scale 2³¹, as an integer where the file has integers.
    func word(_ frame: Int, _ channel: Int) -> Int32 { integer(frame, channel) << Int32(32 - bits) }
}
