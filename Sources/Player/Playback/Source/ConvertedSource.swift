import CoreMedia
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiResampling

/// The sound of a file between two frames as sample buffers, decoded and converted to a target format.
///
/// Sound around the wanted frames also passes through the resampler, so an excerpt sounds the same as within
/// the whole. Reading may block for a disk or a network. Use from one thread at a time.
package final class ConvertedSource {
    /// The format of every buffer.
    package let format: CMFormatDescription

    private let source: DecodedSource
    private let target: LinearPCMTarget
    private let frames: Range<Int64>
    private let inputRate: Int64
    private let mapping: ChannelMapping
    private let resampler: Resampler?
    private var widening: SampleConverter
    private var narrowing: SampleConverter
    private var stretch: Stretch?
    /// Converted buffers that ``nextBuffer()`` has not returned yet.
    private var ready: [CMSampleBuffer] = []
    private var isAtEnd = false

    /// A run of sound without holes.
    private struct Stretch {
        /// The file's frame at which the run begins.
        let start: Int64
        /// Input frames so far.
        var taken: Int64 = 0
        /// Output frames so far.
        var given: Int64 = 0
    }

    /// Input frames on either side of the wanted range; more than the resampler's filter length.
    private static let margin: Int64 = 4096

    /// - Parameters:
    ///   - frames: The wanted range, in frames of the file.
    ///   - isAnew: Whether the reader has been read from before, so that it must seek.
    /// - Throws: A `MediaError`, or an error of the resampler or of CoreMedia.
    package init(
        _ reader: MediaReader, frames: Range<Int64>, to target: LinearPCMTarget, isAnew: Bool = false
    ) throws {
        let (input, output) = (Int64(reader.info.sampleRate.hertz), Int64(target.sampleRate.hertz))
        inputRate = input
        self.target = target
        self.frames = frames
        format = try CMFormatDescription(
            audioStreamBasicDescription: target.description, layout: target.layout)
        mapping = ChannelMapping(from: reader.info.stream.channelLayout)
        source = try DecodedSource(
            reader, frames: Self.widened(frames, from: input, to: output), isAnew: isAnew)
        // Any arithmetic on samples uses more than 16 bits.
        let isUntouched = input == output && source.format.channelCount == target.channelCount
        let wide =
            isUntouched || source.format.sampleFormat != .int16 ? source.format : source.format.with(.float32)
        widening = SampleConverter(to: wide.sampleFormat)
        let mixed = wide.with(channelCount: target.channelCount)
        resampler = input == output ? nil : try Resampler(from: mixed, to: target.sampleRate)
        narrowing = SampleConverter(to: target.writer.sampleFormat)
    }

    /// Widens the wanted range by a margin. The frames before it last a whole number of target frames, so
    /// that the wanted range begins on a target frame.
    private static func widened(_ frames: Range<Int64>, from input: Int64, to output: Int64) -> Range<Int64> {
        if input == output || frames.isEmpty { return frames }
        let step = input / greatestCommonDivisor(input, output)
        let steps = min(frames.lowerBound / step, (margin + step - 1) / step)
        let (end, overflow) = frames.upperBound.addingReportingOverflow(margin)
        return frames.lowerBound - steps * step..<(overflow ? .max : end)
    }

    private static func greatestCommonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
        right == 0 ? left : greatestCommonDivisor(right, left % right)
    }

    /// Returns the next buffer, about half a second; `nil` at the end.
    package func nextBuffer() throws -> CMSampleBuffer? {
        while ready.isEmpty, !isAtEnd {
            guard let sound = try source.next() else {
                isAtEnd = true
                try finishStretch()
                break
            }
            // A hole stays a hole: the sound after it has its own time.
            if let stretch, stretch.start + stretch.taken != sound.timestamp { try finishStretch() }
            try take(sound)
        }
        return ready.isEmpty ? nil : ready.removeFirst()
    }

    private func take(_ sound: DecodedAudio) throws {
        if stretch == nil { stretch = Stretch(start: sound.timestamp) }
        stretch?.taken += Int64(sound.buffer.frameCount)
        let wide = widening.convert(sound.buffer)
        let mixed =
            switch target.channelCount {
            case 1: mapping.mono(wide)
            case 2: mapping.stereo(wide)
            default: wide
            }
        give(try resampler.map { try $0.process(mixed) } ?? mixed)
    }

    private func finishStretch() throws {
        if let resampler, stretch != nil { give(try resampler.finish()) }
        stretch = nil
    }

    /// Cuts off the margins and wraps the rest into a buffer; a part for which there is no memory is a hole.
    private func give(_ buffer: PCMBuffer) {
        guard let begun = stretch else { return }
        let first = begun.given
        stretch?.given += Int64(buffer.frameCount)
        let wanted = outputFrames(from: begun.start)
        let inside = (first..<first + Int64(buffer.frameCount)).clamped(to: wanted)
        if inside.isEmpty { return }
        let part = buffer[Int(inside.lowerBound - first)..<Int(inside.upperBound - first)]
        let bytes = target.writer.bytes(of: narrowing.convert(part))
        let time = rescaled(begun.start, .toNearestOrAwayFromZero) + inside.lowerBound
        guard let block = SoundBuffers.block([bytes[...]]),
            let made = try? CMSampleBuffer(
                dataBuffer: block, formatDescription: format, numSamples: part.frameCount,
                presentationTimeStamp: CMTime(value: time, timescale: CMTimeScale(target.sampleRate.hertz)),
                packetDescriptions: [])
        else { return }
        ready.append(made)
    }

    /// Returns the wanted range in target frames, counted from the file's frame `start`.
    private func outputFrames(from start: Int64) -> Range<Int64> {
        let first = max(0, rescaled(frames.lowerBound - start, .up))
        let end =
            frames.upperBound == .max ? .max : rescaled(frames.upperBound - start, .toNearestOrAwayFromZero)
        return first..<max(first, end)
    }

    /// Converts a count of file frames to target frames, clamped far inside 64 bits.
    private func rescaled(_ count: Int64, _ rule: FloatingPointRoundingRule) -> Int64 {
        let rate = Int64(target.sampleRate.hertz)
        let (seconds, rest) = count.quotientAndRemainder(dividingBy: inputRate)
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: rate)
        if overflow || whole.magnitude > 1 << 60 { return count < 0 ? -1 << 60 : 1 << 60 }
        // Less than a second of frames: exact in Double except for the division itself.
        return whole + Int64((Double(rest * rate) / Double(inputRate)).rounded(rule))
    }
}
