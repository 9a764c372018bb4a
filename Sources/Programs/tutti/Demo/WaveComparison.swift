import Foundation

/// The recording of one virtual room: 16-bit stereo samples, with the host time at which each frame was
/// played.
struct RoomRecording {
    let samples: [Int16]
    let sampleRate: Double
    /// Pairs of frame and host time in nanoseconds, in order.
    let times: [(frame: Double, host: Double)]

    /// Reads a wave file and its sidecar of times.
    init(wavePath: String, timesPath: String) throws {
        let (rate, samples) = try Self.read(wavePath)
        let lines = try String(contentsOfFile: timesPath, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
        let times = lines.compactMap { line -> (frame: Double, host: Double)? in
            let words = line.split(separator: " ").compactMap { Double($0) }
            return words.count == 2 ? (words[0], words[1]) : nil
        }
        guard times.count > 1 else { throw DemoError("\(timesPath) holds no times") }
        (self.samples, sampleRate, self.times) = (samples, rate, times)
    }

    /// Creates the expected recording: wave files in sequence, played on a perfect device.
    init(pieces: [String], firstHeardAt host: Double) throws {
        var samples: [Int16] = []
        var rate = 0.0
        for piece in pieces {
            let sound = try Self.read(piece)
            rate = sound.rate
            samples += sound.samples
        }
        (self.samples, sampleRate) = (samples, rate)
        let first = (0..<samples.count / 2).first { samples[2 * $0] != 0 || samples[2 * $0 + 1] != 0 } ?? 0
        times = [(Double(first), host), (Double(first) + rate, host + 1e9)]
    }

    private static func read(_ wavePath: String) throws -> (rate: Double, samples: [Int16]) {
        let data = try Data(contentsOf: URL(fileURLWithPath: wavePath), options: .mappedIfSafe)
        var rate = 0.0
        var samples: [Int16] = []
        var place = 12
        while place + 8 <= data.count {
            let size = Int(Self.word(data, place + 4, 4))
            let body = place + 8
            if data[place..<place + 4].elementsEqual("fmt ".utf8), body + 8 <= data.count {
                rate = Double(Self.word(data, body + 4, 4))
            }
            if data[place..<place + 4].elementsEqual("data".utf8) {
                let end = min(data.count, body + size)
                samples = stride(from: body, to: end - 1, by: 2).map {
                    Int16(bitPattern: UInt16(truncatingIfNeeded: Self.word(data, $0, 2)))
                }
                break
            }
            place = body + size + size % 2
        }
        guard rate > 0, samples.count > 1 else { throw DemoError("\(wavePath) holds no sound") }
        return (rate, samples)
    }

    private static func word(_ data: Data, _ place: Int, _ byteCount: Int) -> UInt32 {
        (0..<byteCount).reduce(0) { $0 | UInt32(data[data.startIndex + place + $1]) << UInt32(8 * $1) }
    }

    var frameCount: Int { samples.count / 2 }

    func host(of frame: Double) -> Double { Self.map(frame, times.map(\.frame), times.map(\.host)) }
    func frame(at host: Double) -> Double { Self.map(host, times.map(\.host), times.map(\.frame)) }

    /// Interpolates linearly between the two nearest pairs.
    private static func map(_ value: Double, _ from: [Double], _ to: [Double]) -> Double {
        let above = from.firstIndex { $0 > value } ?? from.count - 1
        let high = max(1, above)
        let share = (value - from[high - 1]) / (from[high] - from[high - 1])
        return to[high - 1] + share * (to[high] - to[high - 1])
    }

    /// Returns the left channel from a frame on; silence outside the recording.
    func left(from start: Int, count: Int) -> [Double] {
        (start..<start + count).map { (0..<frameCount).contains($0) ? Double(samples[2 * $0]) : 0 }
    }

    /// The first frame that is not silent.
    var firstSound: Int? {
        (0..<frameCount).first { samples[2 * $0] != 0 || samples[2 * $0 + 1] != 0 }
    }
}

/// A measurement of the time offsets between rooms, from their recordings.
enum WaveComparison {
    private static let window = 2048
    private static let reach = 128

    /// Returns by how many seconds `other` plays the same sound later than `room`, measured twice a second
    /// while both sound.
    static func offsets(_ room: RoomRecording, _ other: RoomRecording) -> [Double] {
        guard let first = room.firstSound else { return [] }
        return stride(from: first, to: room.frameCount - window, by: Int(room.sampleRate / 2))
            .compactMap {
                offset(at: $0, room, other)
            }
    }

    /// Returns the offset at one frame; `nil` if there is no sound, or no matching sound.
    static func offset(at frame: Int, _ room: RoomRecording, _ other: RoomRecording) -> Double? {
        let mark = room.left(from: frame, count: window)
        let expected = other.frame(at: room.host(of: Double(frame)))
        let base = Int(expected.rounded())
        let field = other.left(from: base - reach, count: window + 2 * reach)
        let markEnergy = mark.reduce(0) { $0 + $1 * $1 }
        guard markEnergy > 1e6 else { return nil }
        var scores = [Double](repeating: 0, count: 2 * reach + 1)
        for lag in scores.indices {
            var sum: Double = 0
            for index in mark.indices { sum += mark[index] * field[lag + index] }
            scores[lag] = sum
        }
        guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), best > 0, best < 2 * reach
        else { return nil }
        let energy = (0..<window).reduce(Double(0)) { $0 + field[best + $1] * field[best + $1] }
        guard scores[best] > 0.9 * (markEnergy * energy).squareRoot() else { return nil }
        let (left, middle, right) = (
            Double(scores[best - 1]), Double(scores[best]), Double(scores[best + 1])
        )
        let curve = left - 2 * middle + right
        let part = curve == 0 ? 0 : 0.5 * (left - right) / curve
        return (Double(base - reach + best) + part - expected) / other.sampleRate
    }
}

/// A reason why the demonstration cannot continue, for the user.
struct DemoError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
