import CoreAudioTypes
import Foundation
import TuttiMediaTime
import TuttiPCM

/// The layout of uncompressed samples in memory.
struct LinearFormat {
    enum Kind: Equatable {
        case signed, unsigned, float
        case muLaw, aLaw
    }

    let kind: Kind
    /// The significant bits of a sample.
    let bits: Int
    /// The bytes that a sample of one channel occupies.
    let bytesPerSample: Int
    let isBigEndian: Bool
    /// Whether the significant bits are at the upper end of their bytes.
    let isAlignedHigh: Bool
    let isInterleaved: Bool
    /// The working format: rate, channels and a sample format that holds these samples exactly, except 64-bit
    /// floating point, which is rounded to 32 bits.
    let work: PCMFormat

    /// Returns `nil` for compressed sound and for an invalid sample layout.
    init?(_ stream: AudioStreamBasicDescription) {
        guard let rate = Self.rate(of: stream),
            (1...UInt32(PCMFormat.channelLimit)).contains(stream.mChannelsPerFrame)
        else { return nil }
        let channels = Int(stream.mChannelsPerFrame)
        let flags = stream.mFormatFlags
        let isPCM = stream.mFormatID == kAudioFormatLinearPCM
        isInterleaved = !isPCM || flags & kAudioFormatFlagIsNonInterleaved == 0
        let perFrame = isInterleaved ? channels : 1
        switch stream.mFormatID {
        case kAudioFormatULaw: (kind, bits, bytesPerSample) = (.muLaw, 8, 1)
        case kAudioFormatALaw: (kind, bits, bytesPerSample) = (.aLaw, 8, 1)
        case kAudioFormatLinearPCM:
            bits = Int(clamping: stream.mBitsPerChannel)
            let declared = Int(clamping: stream.mBytesPerFrame)
            bytesPerSample = declared == 0 ? (bits + 7) / 8 : declared / perFrame
            guard declared % perFrame == 0 else { return nil }
            if flags & kAudioFormatFlagIsFloat != 0 {
                guard bits == 32 && bytesPerSample == 4 || bits == 64 && bytesPerSample == 8 else {
                    return nil
                }
                kind = .float
            } else {
                guard (1...4).contains(bytesPerSample), (8...bytesPerSample * 8).contains(bits) else {
                    return nil
                }
                kind = flags & kAudioFormatFlagIsSignedInteger != 0 ? .signed : .unsigned
            }
        default: return nil
        }
        isBigEndian = isPCM && flags & kAudioFormatFlagIsBigEndian != 0
        isAlignedHigh = isPCM && flags & kAudioFormatFlagIsAlignedHigh != 0
        let format: SampleFormat =
            switch kind {
            case .float: .float32
            case .muLaw, .aLaw: .int16
            case .signed, .unsigned: bits <= 16 ? .int16 : bits <= 24 ? .int24in32 : .int32
            }
        work = PCMFormat(sampleRate: rate, channelCount: channels, sampleFormat: format)
    }

    /// Returns the sample rate, rounded to whole hertz, if the rate is supported.
    static func rate(of stream: AudioStreamBasicDescription) -> SampleRate? {
        guard stream.mSampleRate.isFinite, abs(stream.mSampleRate) < 1e9 else { return nil }
        return SampleRate(hertz: Int(stream.mSampleRate.rounded()))
    }

    var bufferCount: Int { isInterleaved ? 1 : work.channelCount }
    var bytesPerFrame: Int { isInterleaved ? bytesPerSample * work.channelCount : bytesPerSample }

    /// Whether the samples already have the layout of ``PCMBuffer``.
    private var isNative: Bool {
        guard isInterleaved, !isBigEndian, bytesPerSample == work.sampleFormat.bytesPerSample else {
            return false
        }
        switch kind {
        case .float: return true
        case .signed: return bits == bytesPerSample * 8
        case .unsigned, .muLaw, .aLaw: return false
        }
    }

    /// Returns the number of whole frames that every buffer of a list holds.
    func frameCount(in list: UnsafeMutableAudioBufferListPointer) -> Int {
        guard list.count >= bufferCount else { return 0 }
        return list.prefix(bufferCount).map { buffer in
            buffer.mData == nil ? 0 : Int(buffer.mDataByteSize) / bytesPerFrame
        }.min() ?? 0
    }

    /// Reads frames from the start of the buffers; the caller has checked their number.
    func read(_ list: UnsafeMutableAudioBufferListPointer, frameCount: Int) -> PCMBuffer {
        PCMBuffer(format: work, capacity: frameCount) { room in
            if isNative, let data = list[0].mData {
                room.copyMemory(from: UnsafeRawBufferPointer(start: data, count: room.count))
                return frameCount
            }
            for (channel, place) in places(in: list) { read(place, channel, frameCount, into: room) }
            return frameCount
        }
    }

    /// Writes frames of ``work`` after `offset` frames; the caller has checked the room.
    func write(_ frames: UnsafeRawBufferPointer, to list: UnsafeMutableAudioBufferListPointer, at offset: Int)
    {
        let count = frames.count / work.bytesPerFrame
        if isNative, let data = list[0].mData {
            UnsafeMutableRawBufferPointer(start: data + offset * bytesPerFrame, count: frames.count)
                .copyMemory(from: frames)
            return
        }
        for (channel, place) in places(in: list) {
            let start = place.start + offset * place.stride
            write(frames, channel, count, to: start, stride: place.stride)
        }
    }

    private typealias Place = (start: UnsafeMutableRawPointer, stride: Int)

    /// Returns the first sample of each channel and the stride in bytes.
    private func places(in list: UnsafeMutableAudioBufferListPointer) -> [(Int, Place)] {
        (0..<work.channelCount).compactMap { channel in
            let data = list[isInterleaved ? 0 : channel].mData
            return data.map {
                (channel, ($0 + (isInterleaved ? channel * bytesPerSample : 0), bytesPerFrame))
            }
        }
    }

    private func read(
        _ place: Place, _ channel: Int, _ count: Int, into room: UnsafeMutableRawBufferPointer
    ) {
        let step = work.bytesPerFrame
        var offset = channel * work.sampleFormat.bytesPerSample
        for frame in 0..<count {
            let source = UnsafeRawPointer(place.start + frame * place.stride)
            switch work.sampleFormat {
            case .float32: room.storeBytes(of: float(source), toByteOffset: offset, as: Float.self)
            case .int16:
                room.storeBytes(
                    of: Int16(truncatingIfNeeded: word(source) >> 16), toByteOffset: offset, as: Int16.self)
            case .int24in32, .int32:
                room.storeBytes(of: word(source), toByteOffset: offset, as: Int32.self)
            }
            offset += step
        }
    }

    private func float(_ source: UnsafeRawPointer) -> Float {
        if bytesPerSample == 8 {
            let raw = source.loadUnaligned(as: UInt64.self)
            return Float(Double(bitPattern: isBigEndian ? raw.byteSwapped : raw))
        }
        let raw = source.loadUnaligned(as: UInt32.self)
        return Float(bitPattern: isBigEndian ? raw.byteSwapped : raw)
    }

    /// Returns a signed sample, left-aligned in 32 bits.
    private func word(_ source: UnsafeRawPointer) -> Int32 {
        var raw: UInt32 = 0
        for index in 0..<bytesPerSample {
            let byte = source.load(
                fromByteOffset: isBigEndian ? index : bytesPerSample - 1 - index, as: UInt8.self)
            raw = raw << 8 | UInt32(byte)
        }
        switch kind {
        case .muLaw: return Int32(Companding.muLaw(UInt8(truncatingIfNeeded: raw))) << 16
        case .aLaw: return Int32(Companding.aLaw(UInt8(truncatingIfNeeded: raw))) << 16
        case .signed, .unsigned, .float:
            let unused = 32 - (isAlignedHigh ? bytesPerSample * 8 : bits)
            let signed = Int32(bitPattern: raw << UInt32(unused) ^ (kind == .unsigned ? 0x8000_0000 : 0))
            // Clear the bits below the significant ones, which a left-aligned sample may carry.
            return bits == 32 ? signed : signed & Int32(truncatingIfNeeded: -1 << (32 - bits))
        }
    }

    private func write(
        _ frames: UnsafeRawBufferPointer, _ channel: Int, _ count: Int, to start: UnsafeMutableRawPointer,
        stride: Int
    ) {
        var offset = channel * work.sampleFormat.bytesPerSample
        for frame in 0..<count {
            let target = start + frame * stride
            switch work.sampleFormat {
            case .float32: store(frames.load(fromByteOffset: offset, as: Float.self), to: target)
            case .int16:
                store(Int32(frames.load(fromByteOffset: offset, as: Int16.self)) << 16, to: target)
            case .int24in32, .int32: store(frames.load(fromByteOffset: offset, as: Int32.self), to: target)
            }
            offset += work.bytesPerFrame
        }
    }

    private func store(_ sample: Float, to target: UnsafeMutableRawPointer) {
        if bytesPerSample == 8 {
            let raw = Double(sample).bitPattern
            target.storeBytes(of: isBigEndian ? raw.byteSwapped : raw, as: UInt64.self)
        } else {
            let raw = sample.bitPattern
            target.storeBytes(of: isBigEndian ? raw.byteSwapped : raw, as: UInt32.self)
        }
    }

    /// Stores a sample that is left-aligned in 32 bits, rounded to the significant bits.
    private func store(_ sample: Int32, to target: UnsafeMutableRawPointer) {
        var value = sample
        if bits < 32 {
            let half = Int32(1) << (31 - bits)
            let (rounded, overflow) = sample.addingReportingOverflow(half)
            value = (overflow ? Int32.max : rounded) & Int32(truncatingIfNeeded: -1 << (32 - bits))
        }
        var raw = UInt32(bitPattern: value) ^ (kind == .unsigned ? 0x8000_0000 : 0)
        if !isAlignedHigh {
            // Right-aligned: sign-extend into the bits above.
            raw =
                kind == .unsigned
                ? raw >> UInt32(32 - bits)
                : UInt32(bitPattern: Int32(bitPattern: raw) >> Int32(32 - bits))
        } else {
            raw >>= UInt32(32 - bytesPerSample * 8)
        }
        for index in 0..<bytesPerSample {
            let shift = UInt32(8 * (isBigEndian ? bytesPerSample - 1 - index : index))
            target.storeBytes(
                of: UInt8(truncatingIfNeeded: raw >> shift), toByteOffset: index, as: UInt8.self)
        }
    }
}

/// The two companding laws of telephony. Source: ITU-T G.711.
enum Companding {
    static func muLaw(_ code: UInt8) -> Int16 {
        let bits = ~code
        let magnitude = ((Int(bits & 0x0F) << 3) + 0x84) << Int(bits >> 4 & 7) - 0x84
        return Int16(clamping: bits & 0x80 != 0 ? -magnitude : magnitude)
    }

    static func aLaw(_ code: UInt8) -> Int16 {
        let bits = code ^ 0x55
        let exponent = Int(bits >> 4 & 7)
        let mantissa = Int(bits & 0x0F) << 4 + 8
        let magnitude = exponent == 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
        return Int16(clamping: bits & 0x80 != 0 ? magnitude : -magnitude)
    }
}
