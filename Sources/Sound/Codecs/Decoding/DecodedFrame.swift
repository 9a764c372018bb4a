import CTuttiFFmpeg
import TuttiPCM

/// An FFmpeg frame of any sample type, interleaved or planar, borrowed from its decoder.
struct DecodedFrame {
    let frame: UnsafeMutablePointer<AVFrame>

    /// The packet's timestamp; `nil` unless this frame is the first of its packet.
    var timestamp: Int64? { frame.pointee.pts == shim_AV_NOPTS_VALUE ? nil : frame.pointee.pts }

    var frameCount: Int { Int(max(0, frame.pointee.nb_samples)) }

    /// Returns the samples as interleaved PCM; `nil` if the rate or the channel count differs from the
    /// format, or the sample type is unknown.
    func pcm(as format: PCMFormat) -> PCMBuffer? {
        guard Int(frame.pointee.ch_layout.nb_channels) == format.channelCount,
            frame.pointee.sample_rate == Int32(format.sampleRate.hertz)
        else { return nil }
        let type = AVSampleFormat(rawValue: frame.pointee.format)
        switch (av_get_packed_sample_fmt(type), format.sampleFormat) {
        case (AV_SAMPLE_FMT_U8, .int16): return copy(format) { (s: UInt8) in (Int16(s) - 128) << 8 }
        case (AV_SAMPLE_FMT_U8, .int24in32), (AV_SAMPLE_FMT_U8, .int32):
            return copy(format) { (s: UInt8) in (Int32(s) - 128) << 24 }
        case (AV_SAMPLE_FMT_U8, .float32): return copy(format) { (s: UInt8) in (Float(s) - 128) / 128 }
        case (AV_SAMPLE_FMT_S16, .int16): return copy(format) { (s: Int16) in s }
        case (AV_SAMPLE_FMT_S16, .int24in32), (AV_SAMPLE_FMT_S16, .int32):
            return copy(format) { (s: Int16) in Int32(s) << 16 }
        case (AV_SAMPLE_FMT_S16, .float32): return copy(format) { (s: Int16) in Float(s) / 0x1p15 }
        case (AV_SAMPLE_FMT_S32, .int16): return copy(format, SampleMath.roundedTo16Bits)
        case (AV_SAMPLE_FMT_S32, .int24in32): return copy(format, SampleMath.roundedTo24Bits)
        case (AV_SAMPLE_FMT_S32, .int32): return copy(format) { (s: Int32) in s }
        case (AV_SAMPLE_FMT_S32, .float32): return copy(format) { (s: Int32) in Float(s) / 0x1p31 }
        case (AV_SAMPLE_FMT_FLT, .int16):
            return copy(format) { (s: Float) in SampleMath.int16(scaled: Double(s) * 0x1p15) }
        case (AV_SAMPLE_FMT_FLT, .int24in32): return copy(format, SampleMath.int24in32)
        case (AV_SAMPLE_FMT_FLT, .int32): return copy(format, SampleMath.int32)
        case (AV_SAMPLE_FMT_FLT, .float32): return copy(format) { (s: Float) in s }
        case (AV_SAMPLE_FMT_DBL, .int16):
            return copy(format) { (s: Double) in SampleMath.int16(scaled: s * 0x1p15) }
        case (AV_SAMPLE_FMT_DBL, .int24in32):
            return copy(format) { (s: Double) in SampleMath.int24in32(Float(s)) }
        case (AV_SAMPLE_FMT_DBL, .int32): return copy(format) { (s: Double) in SampleMath.int32(Float(s)) }
        case (AV_SAMPLE_FMT_DBL, .float32): return copy(format) { (s: Double) in Float(s) }
        default: return nil
        }
    }

    private func copy<Source: BitwiseCopyable, Target: BitwiseCopyable>(
        _ format: PCMFormat, _ transform: (Source) -> Target
    ) -> PCMBuffer? {
        guard let planes = frame.pointee.extended_data else { return nil }
        let isPlanar = av_sample_fmt_is_planar(AVSampleFormat(rawValue: frame.pointee.format)) != 0
        let (frames, channels) = (frameCount, format.channelCount)
        return PCMBuffer(format: format, capacity: frames) { room in
            let output = room.bindMemory(to: Target.self)
            if !isPlanar {
                guard let plane = planes[0] else { return 0 }
                let input = UnsafeRawPointer(plane).assumingMemoryBound(to: Source.self)
                for index in 0..<frames * channels { output[index] = transform(input[index]) }
                return frames
            }
            for channel in 0..<channels {
                guard let plane = planes[channel] else { return 0 }
                let input = UnsafeRawPointer(plane).assumingMemoryBound(to: Source.self)
                for index in 0..<frames { output[index * channels + channel] = transform(input[index]) }
            }
            return frames
        }
    }
}
