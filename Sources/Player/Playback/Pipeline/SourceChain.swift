import CoreMedia
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiResampling

/// The reason that a buffer cannot be rendered.
package struct RenderError: Error, Sendable, CustomStringConvertible {
    /// The message for the user.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// A chain from the packets or samples of one source to PCM of one wire format: decode, trim, map to stereo,
/// resample, convert. Confined to the codec queue.
final class SourceChain {
    /// A run of decoded frames, before conversion to the wire format.
    struct Stretch {
        /// Source frames since ``SourceChain/origin``.
        var timestamp: Int64
        var frames: PCMBuffer
    }

    /// Presentation time of timestamp 0.
    let origin: CMTime
    let sampleRate: SampleRate

    private let decoder: AudioDecoder?
    private let samples: PCMSampleReader?
    private let mapping: ChannelMapping
    private var widening = SampleConverter(to: .float32)
    private let stretching: Stretching
    /// Made for the first volume above 1.
    private var limiter: PeakLimiter?

    /// The rate change that is applied to the sound.
    private enum Stretching {
        case none
        case pitchKept(TimeStretcher)
        case pitchVaried(VarispeedConverter)

        func process(_ frames: PCMBuffer) -> PCMBuffer {
            switch self {
            case .none: frames
            case .pitchKept(let stretcher): stretcher.process(frames)
            case .pitchVaried(let converter): converter.process(frames)
            }
        }

        func finish() -> PCMBuffer? {
            switch self {
            case .none: nil
            case .pitchKept(let stretcher): stretcher.finish()
            case .pitchVaried(let converter): converter.finish()
            }
        }
    }

    /// Timestamp that continues the converted sound without a gap; `nil` before the first conversion.
    private(set) var nextTimestamp: Int64?
    private let resampler: Resampler?
    private var narrowing: SampleConverter
    /// The format of the converted sound.
    let output: PCMFormat
    /// Timestamp of a packet that follows the previous one without a gap.
    private var nextPacket: Int64?

    /// - Parameters:
    ///   - origin: Presentation time of the first audible frame.
    ///   - speed: Presentation seconds per second of output.
    init(
        _ format: CMFormatDescription, origin: CMTime, to output: PCMFormat, speed: Double = 1,
        pitch: PitchTreatment = .kept
    ) throws {
        guard let description = format.audioStreamBasicDescription,
            let rate = SampleRate(description.mSampleRate)
        else { throw RenderError("the buffer's format has no sample rate") }
        self.origin = origin
        self.output = output
        sampleRate = rate
        let channels = Int(description.mChannelsPerFrame)
        guard (1...PCMFormat.channelLimit).contains(channels) else {
            throw RenderError("a format of \(channels) channels cannot be rendered")
        }
        if description.mFormatID == kAudioFormatLinearPCM {
            (decoder, samples) = (nil, try PCMSampleReader(description, sampleRate: rate))
        } else {
            (decoder, samples) = (try AudioDecoder(SourceFormat.parameters(of: format)), nil)
        }
        mapping = ChannelMapping(from: ChannelLayout(mask: 0, channelCount: channels))
        let wide = PCMFormat(sampleRate: rate, channelCount: 2, sampleFormat: .float32)
        stretching =
            switch (speed, pitch) {
            case (1, _): .none
            case (_, .kept): .pitchKept(try TimeStretcher(format: wide, speed: speed))
            case (_, .varied): .pitchVaried(VarispeedConverter(format: wide, speed: speed))
            }
        resampler = rate == output.sampleRate ? nil : try Resampler(from: wide, to: output.sampleRate)
        narrowing = SampleConverter(to: output.sampleFormat, dither: .triangular(seed: 1))
    }

    /// Decodes the audible part of a buffer, at the source's own rate and channels.
    func decode(_ buffer: CMSampleBuffer) throws -> [Stretch] {
        guard let data = buffer.dataBuffer else { throw RenderError("the buffer has no data") }
        let trims = Trims(of: buffer, sampleRate: sampleRate)
        let first = frames(buffer.outputPresentationTimeStamp - origin) - trims.start
        if let samples {
            let frames = try samples.read(data, frameCount: buffer.numSamples)
            let end = max(trims.start, Int64(frames.frameCount) - trims.end)
            let heard = frames[Int(min(trims.start, Int64(frames.frameCount)))..<Int(end)]
            return heard.isEmpty ? [] : [Stretch(timestamp: first + trims.start, frames: heard)]
        }
        guard let decoder else { return [] }
        return try data.withContiguousStorage { bytes in
            decodePackets(of: buffer, bytes: bytes, first: first, trims: trims, with: decoder)
        }
    }

    private func decodePackets(
        of buffer: CMSampleBuffer, bytes: UnsafeRawBufferPointer, first: Int64, trims: Trims,
        with decoder: AudioDecoder
    ) -> [Stretch] {
        var stretches: [Stretch] = []
        var timestamp = first
        let end = first + frames(buffer.duration) - trims.end
        for packet in buffer.packets {
            let length = max(0, min(frames(packet.duration), AudioDecoder.fillLimit))
            defer { timestamp += length }
            guard packet.offset >= 0, packet.size > 0, packet.offset <= bytes.count - packet.size else {
                continue
            }
            let encoded = EncodedPacket(
                payload: Array(bytes[packet.offset..<packet.offset + packet.size]), timestamp: timestamp,
                duration: Int(length), skipAtStart: Int(min(length, max(0, first + trims.start - timestamp))),
                skipAtEnd: Int(min(length, max(0, timestamp + length - end))))
            guard let audio = decode(encoded, with: decoder) else { continue }
            if let last = stretches.last, last.timestamp + Int64(last.frames.frameCount) == audio.timestamp {
                stretches[stretches.count - 1].frames.append(audio.buffer)
            } else {
                stretches.append(Stretch(timestamp: audio.timestamp, frames: audio.buffer))
            }
        }
        return stretches
    }

    /// Converts to the wire's rate and sample format; frames within the resampler's look-ahead come with a
    /// later call.
    ///
    /// - Parameter volume: The volume of the samples over presentation time; applied before a change of rate.
    func convert(_ stretch: Stretch, gain: Float, volume: VolumeCurve? = nil) throws -> PCMBuffer {
        nextTimestamp = stretch.timestamp + Int64(stretch.frames.frameCount)
        var frames = mapping.stereo(stretch.frames)
        if let volume {
            frames = widening.convert(frames)
            volume.scale(&frames, from: time(of: stretch.timestamp))
            // A volume above 1 must not clip.
            if limiter == nil, volume.largest > 1 { limiter = PeakLimiter(sampleRate: sampleRate) }
            frames.withUnsafeMutableBytes { limiter?.process($0.bindMemory(to: Float.self)) }
        }
        if gain != 1 { frames = Self.scaled(widening.convert(frames), by: gain) }
        if case .none = stretching {} else { frames = stretching.process(widening.convert(frames)) }
        if let resampler { frames = try resampler.process(widening.convert(frames)) }
        let converted = narrowing.convert(frames)
        guard volume != nil, resampler == nil, case .none = stretching else { return converted }
        return restored(converted, from: mapping.stereo(stretch.frames), scaled: frames)
    }

    /// Undoes the dither of samples that no volume has changed.
    private func restored(_ converted: PCMBuffer, from own: PCMBuffer, scaled: PCMBuffer) -> PCMBuffer {
        guard own.format == converted.format, own.format.sampleFormat == .int16,
            own.frameCount == scaled.frameCount
        else { return converted }
        var exact = converted
        exact.withUnsafeMutableBytes { bytes in
            let output = bytes.bindMemory(to: Int16.self)
            own.withUnsafeBytes { own in
                scaled.withUnsafeBytes { scaled in
                    let (own, scaled) = (own.bindMemory(to: Int16.self), scaled.bindMemory(to: Float.self))
                    for index in output.indices where scaled[index] == Float(own[index]) / 0x1p15 {
                        output[index] = own[index]
                    }
                }
            }
        }
        return exact
    }

    private static func scaled(_ buffer: PCMBuffer, by gain: Float) -> PCMBuffer {
        PCMBuffer(format: buffer.format, capacity: buffer.frameCount) { room in
            let output = room.bindMemory(to: Float.self)
            buffer.withUnsafeBytes { bytes in
                let input = bytes.bindMemory(to: Float.self)
                for index in 0..<min(input.count, output.count) { output[index] = input[index] * gain }
            }
            return buffer.frameCount
        }
    }

    /// Drains the resampler; the next frame begins a new stretch.
    func finish() throws -> PCMBuffer {
        let rest = stretching.finish()
        guard let resampler else { return rest.map { narrowing.convert($0) } ?? PCMBuffer(format: output) }
        guard let rest else { return narrowing.convert(try resampler.finish()) }
        var frames = try resampler.process(rest)
        frames.append(try resampler.finish())
        return narrowing.convert(frames)
    }

    /// Decodes one access unit of a bridge; timestamps as in ``Stretch``.
    func decode(_ packet: EncodedPacket) -> Stretch? {
        guard let decoder else { return nil }
        return decode(packet, with: decoder).map { Stretch(timestamp: $0.timestamp, frames: $0.buffer) }
    }

    /// Decodes the access unit before the first one, whose sound overlaps it, and drops the sound.
    func prime(with unit: [UInt8]) {
        let length = Int(AACPassthrough.framesPerUnit)
        let packet = EncodedPacket(
            payload: unit, timestamp: -Int64(length), duration: length, skipAtStart: length, skipAtEnd: 0)
        _ = decode(packet)
    }

    /// Upper bound, in frames, of the rounding error between consecutive packets.
    private static let jumpTolerance: Int64 = 256

    /// Decodes a packet, and resets the decoder at a discontinuity: a track's priming overlaps the end of the
    /// previous track, and the decoder would take it for duplicate sound.
    private func decode(_ packet: EncodedPacket, with decoder: AudioDecoder) -> DecodedAudio? {
        if let nextPacket, abs(nextPacket - packet.timestamp) > Self.jumpTolerance { decoder.reset() }
        nextPacket = packet.endTimestamp
        return decoder.decode(packet)
    }

    /// Converts a presentation time to a timestamp.
    func timestamp(of time: CMTime) -> Int64 { frames(time - origin) }

    /// Converts a timestamp to a presentation time.
    func time(of timestamp: Int64) -> CMTime {
        origin + CMTime(value: timestamp, timescale: CMTimeScale(sampleRate.hertz))
    }

    /// Presentation time after the last converted sound.
    var takenEnd: CMTime? { nextTimestamp.map(time(of:)) }

    private func frames(_ time: CMTime) -> Int64 {
        time.convertScale(CMTimeScale(sampleRate.hertz), method: .roundHalfAwayFromZero).value
    }
}

/// Decoded but inaudible frames at both ends of a buffer, in frames of the source.
struct Trims {
    var start: Int64
    var end: Int64

    /// Upper bound, greater than the length of any buffer.
    private static let limit: Int64 = 1 << 40

    init(of buffer: CMSampleBuffer, sampleRate: SampleRate) {
        let scale = CMTimeScale(sampleRate.hertz)
        let (start, end) = buffer.trims
        self.start = Self.frames(start.convertScale(scale, method: .roundHalfAwayFromZero))
        self.end = Self.frames(end.convertScale(scale, method: .roundHalfAwayFromZero))
    }

    private static func frames(_ time: CMTime) -> Int64 {
        guard time.isNumeric else { return time > .zero ? limit : 0 }
        return max(0, min(time.value, limit))
    }
}
