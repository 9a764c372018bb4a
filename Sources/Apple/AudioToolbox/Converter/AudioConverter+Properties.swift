import CoreAudioTypes
import Foundation
import TuttiCodecs

/// Returns the size of a property's value in bytes, and whether the property can be set.
@discardableResult
public func AudioConverterGetPropertyInfo(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
    _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    let converter = inAudioConverter.converter
    switch inPropertyID {
    case kAudioConverterPropertyCalculateInputBufferSize, kAudioConverterPropertyCalculateOutputBufferSize:
        outSize?.pointee = 4
    case kAudioConverterDecompressionMagicCookie where converter.input.linear == nil:
        outSize?.pointee = UInt32(converter.input.cookie.count)
    default:
        guard let value = converter.value(of: inPropertyID) else {
            return kAudioConverterErr_PropertyNotSupported
        }
        outSize?.pointee = UInt32(value.count)
    }
    outWritable?.pointee = DarwinBoolean(Converter.writable.contains(inPropertyID))
    return noErr
}

/// Copies a property's value.
///
/// - Parameter ioPropertyDataSize: In: the caller's room in bytes. Out: the size of the value.
/// - Returns: `noErr`, ``kAudioConverterErr_PropertyNotSupported`` if this conversion lacks the property, or
///   ``kAudioConverterErr_BadPropertySizeError`` if there is not enough room.
@discardableResult
public func AudioConverterGetProperty(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    let converter = inAudioConverter.converter
    if inPropertyID == kAudioConverterPropertyCalculateInputBufferSize
        || inPropertyID == kAudioConverterPropertyCalculateOutputBufferSize
    {
        guard ioPropertyDataSize.pointee >= 4 else { return kAudioConverterErr_BadPropertySizeError }
        let size = outPropertyData.loadUnaligned(as: UInt32.self)
        let answer = converter.bufferSize(
            for: size, isOutput: inPropertyID == kAudioConverterPropertyCalculateInputBufferSize)
        outPropertyData.storeBytes(of: answer, as: UInt32.self)
        ioPropertyDataSize.pointee = 4
        return noErr
    }
    guard let value = converter.value(of: inPropertyID) else {
        return kAudioConverterErr_PropertyNotSupported
    }
    guard Int(ioPropertyDataSize.pointee) >= value.count else {
        return kAudioConverterErr_BadPropertySizeError
    }
    outPropertyData.copyMemory(from: value, byteCount: value.count)
    ioPropertyDataSize.pointee = UInt32(value.count)
    return noErr
}

/// Sets a property. A property that changes the conversion also discards the frames inside the converter.
///
/// - Returns: ``kAudioConverterErr_PropertyNotSupported`` or ``kAudioConverterErr_BadPropertySizeError``.
@discardableResult
public func AudioConverterSetProperty(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
    _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    let bytes = UnsafeRawBufferPointer(start: inPropertyData, count: Int(inPropertyDataSize))
    do throws(ConverterFailure) {
        try inAudioConverter.converter.set(inPropertyID, to: bytes)
        return noErr
    } catch {
        return error.status
    }
}

extension Converter {
    static let writable: Set<AudioConverterPropertyID> = [
        kAudioConverterSampleRateConverterComplexity, kAudioConverterSampleRateConverterQuality,
        kAudioConverterCodecQuality, kAudioConverterPrimeMethod, kAudioConverterPrimeInfo,
        kAudioConverterChannelMap, kAudioConverterPropertyChannelMixMap,
        kAudioConverterDecompressionMagicCookie, kAudioConverterEncodeBitRate,
        kAudioConverterInputChannelLayout, kAudioConverterOutputChannelLayout,
        kAudioConverterPropertyDithering,
    ]

    /// Returns the bytes of a value; `nil` if this conversion lacks the property.
    func value(of id: AudioConverterPropertyID) -> [UInt8]? {
        switch id {
        case kAudioConverterCurrentInputStreamDescription: valueBytes(input.stream)
        case kAudioConverterCurrentOutputStreamDescription: valueBytes(output.stream)
        case kAudioConverterSampleRateConverterComplexity: valueBytes(complexity)
        case kAudioConverterSampleRateConverterQuality: valueBytes(quality)
        case kAudioConverterPrimeMethod: valueBytes(primeMethod)
        case kAudioConverterPropertyDithering: valueBytes(dithering)
        case kAudioConverterPrimeInfo: valueBytes(prime)
        case kAudioConverterPropertyMinimumInputBufferSize: valueBytes(UInt32(largestInputPacket))
        case kAudioConverterPropertyMaximumInputPacketSize: valueBytes(UInt32(largestInputPacket))
        case kAudioConverterPropertyMinimumOutputBufferSize, kAudioConverterPropertyMaximumOutputPacketSize:
            valueBytes(UInt32(output.largestPacket))
        case kAudioConverterDecompressionMagicCookie: input.cookie.isEmpty ? nil : input.cookie
        case kAudioConverterCompressionMagicCookie: compressionCookie
        case kAudioConverterChannelMap:
            if case .map(let map) = routing { map.flatMap(valueBytes) } else { nil }
        case kAudioConverterPropertyChannelMixMap:
            if case .mix(let factors) = routing { factors.flatMap(valueBytes) } else { nil }
        case kAudioConverterInputChannelLayout: inputLayout?.bytes
        case kAudioConverterOutputChannelLayout: outputLayout?.bytes
        case kAudioConverterPropertyFormatList:
            input.linear == nil
                ? CompressedFormat.formats(of: input.stream, cookie: input.cookie).flatMap(valueBytes) : nil
        default: encoderValue(of: id)
        }
    }

    private func encoderValue(of id: AudioConverterPropertyID) -> [UInt8]? {
        guard let encoder = output.encoder else { return nil }
        let isAAC = output.stream.mFormatID == kAudioFormatMPEG4AAC
        switch id {
        case kAudioConverterEncodeBitRate: return isAAC ? valueBytes(UInt32(output.bitRate)) : nil
        case kAudioConverterCodecQuality: return valueBytes(kAudioConverterQuality_High)
        case kAudioConverterEncodeAdjustableSampleRate: return valueBytes(output.stream.mSampleRate)
        case kAudioConverterPropertyBitDepthHint:
            return valueBytes(UInt32(encoder.inputFormat.sampleFormat.significantBits))
        case kAudioConverterApplicableEncodeBitRates, kAudioConverterAvailableEncodeBitRates:
            return isAAC
                ? EncoderRanges.bitRates(channels: output.format.channelCount).flatMap(valueBytes) : nil
        case kAudioConverterApplicableEncodeSampleRates, kAudioConverterAvailableEncodeSampleRates:
            return EncoderRanges.sampleRates(of: output.stream.mFormatID).flatMap(valueBytes)
        default: return nil
        }
    }

    /// The encoder's delay and the padding of its last packet; for a decoder, the value that was set.
    private var prime: AudioConverterPrimeInfo {
        guard let encoder = output.encoder else { return input.prime }
        return AudioConverterPrimeInfo(
            leadingFrames: UInt32(encoder.delay), trailingFrames: UInt32(output.trailingFrames))
    }

    private var compressionCookie: [UInt8]? {
        output.encoder.map { encoder in
            output.stream.mFormatID == kAudioFormatMPEG4AAC
                ? ElementaryStreamDescriptor.around(encoder.cookie, bitRate: UInt32(output.bitRate))
                : encoder.cookie
        }
    }

    private var largestInputPacket: Int {
        if let linear = input.linear { return linear.bytesPerFrame }
        let channels = Int(input.stream.mChannelsPerFrame)
        switch CompressedFormat.codec(of: input.stream.mFormatID) {
        case .aac: return 768 * channels
        // The largest frame of layer 3 has 320 kbit/s at 32 kHz. Source: ISO/IEC 11172-3, 2.4.3.1.
        case .mp3: return 1441
        case .opus: return 1275 * 6
        default: return max(4096, Int(input.stream.mFramesPerPacket)) * channels * 4 + 64
        }
    }

    /// Returns the bytes of input that make `size` bytes of output if `isOutput`, else the reverse.
    func bufferSize(for size: UInt32, isOutput: Bool) -> UInt32 {
        let ratio = output.stream.mSampleRate / input.stream.mSampleRate
        let inPacket = Double(max(1, input.linear == nil ? Int(input.stream.mFramesPerPacket) : 1))
        let outPacket = Double(output.encoder?.framesPerPacket ?? 1)
        if isOutput {
            let packets = (Double(size) / Double(max(1, output.largestPacket))).rounded(.up)
            let needed = (packets * outPacket / ratio / inPacket).rounded(.up) * Double(largestInputPacket)
            return UInt32(min(needed, Double(UInt32.max)))
        }
        let packets = (Double(size) / Double(max(1, largestInputPacket))).rounded(.up)
        let made = (packets * inPacket * ratio / outPacket).rounded(.up) * Double(output.largestPacket)
        return UInt32(min(made, Double(UInt32.max)))
    }

    func set(_ id: AudioConverterPropertyID, to bytes: UnsafeRawBufferPointer) throws(ConverterFailure) {
        switch id {
        case kAudioConverterDecompressionMagicCookie:
            guard input.linear == nil else { throw ConverterFailure(kAudioConverterErr_PropertyNotSupported) }
            input.cookie = Array(bytes)
        case kAudioConverterSampleRateConverterComplexity: complexity = try number(bytes)
        case kAudioConverterSampleRateConverterQuality: quality = try number(bytes)
        case kAudioConverterPrimeMethod: primeMethod = try number(bytes)
        case kAudioConverterPropertyDithering: dithering = try number(bytes)
        // The encoders have only one quality.
        case kAudioConverterCodecQuality where output.encoder != nil: _ = try number(bytes) as UInt32
        case kAudioConverterPrimeInfo:
            guard output.encoder == nil else {
                throw ConverterFailure(kAudioConverterErr_PropertyNotSupported)
            }
            input.prime = try number(bytes)
        case kAudioConverterEncodeBitRate: try output.setBitRate(Int(try number(bytes) as UInt32))
        case kAudioConverterChannelMap:
            let map: [Int32] = try numbers(bytes)
            guard map.count == output.format.channelCount else {
                throw ConverterFailure(kAudioConverterErr_BadPropertySizeError)
            }
            routing = .map(map)
        case kAudioConverterPropertyChannelMixMap:
            let factors: [Float] = try numbers(bytes)
            guard factors.count == output.format.channelCount * Int(input.stream.mChannelsPerFrame) else {
                throw ConverterFailure(kAudioConverterErr_BadPropertySizeError)
            }
            routing = .mix(factors)
        case kAudioConverterInputChannelLayout: inputLayout = try layout(bytes)
        case kAudioConverterOutputChannelLayout: outputLayout = try layout(bytes)
        default: throw ConverterFailure(kAudioConverterErr_PropertyNotSupported)
        }
    }

    private func number<Value: BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer
    ) throws(ConverterFailure) -> Value {
        guard bytes.count == MemoryLayout<Value>.size else {
            throw ConverterFailure(kAudioConverterErr_BadPropertySizeError)
        }
        return bytes.loadUnaligned(as: Value.self)
    }

    private func numbers<Value: BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer
    ) throws(ConverterFailure) -> [Value] {
        let stride = MemoryLayout<Value>.stride
        guard bytes.count % stride == 0 else {
            throw ConverterFailure(kAudioConverterErr_BadPropertySizeError)
        }
        return (0..<bytes.count / stride).map {
            bytes.loadUnaligned(fromByteOffset: $0 * stride, as: Value.self)
        }
    }

    private func layout(
        _ bytes: UnsafeRawBufferPointer
    ) throws(ConverterFailure) -> ManagedAudioChannelLayout {
        guard let layout = ManagedAudioChannelLayout(bytes: bytes) else {
            throw ConverterFailure(kAudioConverterErr_BadPropertySizeError)
        }
        return layout
    }
}

/// Returns the bytes of a C value.
func valueBytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
}
