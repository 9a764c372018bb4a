import CoreMedia
import TuttiPCM

extension VolumeCurve {
    /// Scales interleaved float samples by the curve, each frame by the volume at its own time, and each of two channels
    /// by the balance.
    ///
    /// - Parameter start: The time of the first frame, on the curve's timeline.
    func scale(_ frames: inout PCMBuffer, from start: CMTime) {
        guard frames.format.sampleFormat == .float32 else { return }
        let (rate, channels) = (frames.format.sampleRate.hertz, frames.format.channelCount)
        let count = frames.frameCount
        let pieces = pieces
        frames.withUnsafeMutableBytes { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            for (index, piece) in pieces.enumerated() {
                let first = Self.frame(piece.start, after: start, rate)
                let next =
                    index + 1 < pieces.count ? Self.frame(pieces[index + 1].start, after: start, rate) : count
                let range = max(0, first)..<max(0, first, min(next, count))
                if !range.isEmpty {
                    piece.scale(samples, range.clamped(to: 0..<count), channels, start, rate)
                }
            }
            if channels == 2, pan != 0 { balance(samples) }
        }
    }

    /// Scales the channel away from which the balance leads.
    private func balance(_ samples: UnsafeMutableBufferPointer<Float>) {
        let volume = 1 - abs(pan)
        for index in stride(from: pan > 0 ? 0 : 1, to: samples.count, by: 2) { samples[index] *= volume }
    }

    /// Returns the first frame at or after a time, clamped far inside 64 bits.
    private static func frame(_ time: CMTime, after start: CMTime, _ rate: Int) -> Int {
        let distance = time - start
        guard distance.isNumeric else { return distance > .zero ? 1 << 40 : -1 << 40 }
        let frame = distance.convertScale(CMTimeScale(rate), method: .roundTowardPositiveInfinity)
        return max(-1 << 40, min(frame.isNumeric ? Int(frame.value) : 1 << 40, 1 << 40))
    }
}

extension VolumeCurve.Piece {
    /// Scales frames `range`, counted from `origin`.
    fileprivate func scale(
        _ samples: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>, _ channels: Int, _ origin: CMTime,
        _ rate: Int
    ) {
        let begin = (start - origin).seconds * Double(rate)
        let length = (end - start).seconds * Double(rate)
        let limit = 0x1p40
        let rampEnd =
            length > 0 ? Int(max(-limit, min(begin + length, limit)).rounded(.up)) : range.lowerBound
        let step = length > 0 ? Double(to - from) / length : 0
        for frame in range {
            if frame >= rampEnd, to == 1 { break }
            let volume = frame < rampEnd ? Float(Double(from) + step * (Double(frame) - begin)) : to
            for index in frame * channels..<(frame + 1) * channels where index < samples.count {
                samples[index] *= volume
            }
        }
    }
}
