import CoreAudioTypes
import Foundation

/// A converter of audio data. Only one thread at a time may use a converter.
public typealias AudioConverterRef = OpaquePointer

/// A procedure that supplies a converter with input.
///
/// Receives the converter; the minimum number of packets, to be replaced by the number supplied; a buffer
/// list to point at the data, which must stay valid until the next call; a place for the address of the
/// packet descriptions, or `nil` if the input needs none; and the caller's own pointer.
///
/// No packets and `noErr` signal the end of the input. A nonzero result code ends the call of
/// ``AudioConverterFillComplexBuffer(_:_:_:_:_:_:)``, which returns the code. Nothing is lost: the next call
/// continues.
public typealias AudioConverterComplexInputDataProc = (
    AudioConverterRef, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<AudioBufferList>,
    UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?, UnsafeMutableRawPointer?
) -> OSStatus

/// Creates a converter.
///
/// Reads PCM of 8 to 32 bits and floating point, interleaved or not, µ-law, A-law, AAC, ALAC, MP3, FLAC and
/// Opus; writes PCM, AAC-LC and ALAC. Fills in zero fields of the destination that follow from other fields.
///
/// - Returns: `noErr`, ``kAudioConverterErr_FormatNotSupported``,
///   ``kAudioConverterErr_InputSampleRateOutOfRange`` or ``kAudioConverterErr_OutputSampleRateOutOfRange``.
@discardableResult
public func AudioConverterNew(
    _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
    do throws(ConverterFailure) {
        let converter = try Converter(from: inSourceFormat.pointee, to: inDestinationFormat.pointee)
        outAudioConverter.pointee = OpaquePointer(Unmanaged.passRetained(converter).toOpaque())
        return noErr
    } catch {
        outAudioConverter.pointee = nil
        return error.status
    }
}

/// Creates a converter with one of the given codecs. Each encoding has one codec here, so the list is
/// ignored.
@discardableResult
public func AudioConverterNewSpecific(
    _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>, _ inNumberClassDescriptions: UInt32,
    _ inClassDescriptions: UnsafePointer<AudioClassDescription>?,
    _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
    AudioConverterNew(inSourceFormat, inDestinationFormat, outAudioConverter)
}

/// Frees a converter; do not use the converter afterwards.
@discardableResult
public func AudioConverterDispose(_ inAudioConverter: AudioConverterRef) -> OSStatus {
    Unmanaged<Converter>.fromOpaque(UnsafeRawPointer(inAudioConverter)).release()
    return noErr
}

/// Discards all input so far, for a seek or a new stream; the converter's properties stay.
@discardableResult
public func AudioConverterReset(_ inAudioConverter: AudioConverterRef) -> OSStatus {
    inAudioConverter.converter.reset()
    return noErr
}

/// Converts one buffer of PCM into another at the same sample rate.
///
/// - Returns: `noErr`, ``kAudioConverterErr_OperationNotSupported`` for other conversions,
///   ``kAudioConverterErr_InvalidInputSize`` for a partial frame, or
///   ``kAudioConverterErr_InvalidOutputSize``.
@discardableResult
public func AudioConverterConvertBuffer(
    _ inAudioConverter: AudioConverterRef, _ inInputDataSize: UInt32, _ inInputData: UnsafeRawPointer,
    _ ioOutputDataSize: UnsafeMutablePointer<UInt32>, _ outOutputData: UnsafeMutableRawPointer
) -> OSStatus {
    let converter = inAudioConverter.converter
    guard converter.isFrameForFrame, let source = converter.input.linear,
        let target = converter.output.linear, source.bufferCount == 1, target.bufferCount == 1
    else { return kAudioConverterErr_OperationNotSupported }
    guard Int(inInputDataSize) % source.bytesPerFrame == 0 else { return kAudioConverterErr_InvalidInputSize }
    let frames = Int(inInputDataSize) / source.bytesPerFrame
    guard frames * target.bytesPerFrame <= Int(ioOutputDataSize.pointee) else {
        return kAudioConverterErr_InvalidOutputSize
    }
    var input = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
            mNumberChannels: UInt32(source.work.channelCount), mDataByteSize: inInputDataSize,
            mData: UnsafeMutableRawPointer(mutating: inInputData)))
    var output = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
            mNumberChannels: UInt32(target.work.channelCount), mDataByteSize: ioOutputDataSize.pointee,
            mData: outOutputData))
    let status = AudioConverterConvertComplexBuffer(inAudioConverter, UInt32(frames), &input, &output)
    if status == noErr { ioOutputDataSize.pointee = output.mBuffers.mDataByteSize }
    return status
}

/// Converts PCM frames into as many frames at the same sample rate.
///
/// - Returns: `noErr`, ``kAudioConverterErr_OperationNotSupported`` for other conversions,
///   ``kAudioConverterErr_InvalidInputSize`` if the input has fewer frames, or
///   ``kAudioConverterErr_InvalidOutputSize`` if the output has less room.
@discardableResult
public func AudioConverterConvertComplexBuffer(
    _ inAudioConverter: AudioConverterRef, _ inNumberPCMFrames: UInt32,
    _ inInputData: UnsafePointer<AudioBufferList>, _ outOutputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    let converter = inAudioConverter.converter
    guard converter.isFrameForFrame, let source = converter.input.linear,
        let target = converter.output.linear
    else { return kAudioConverterErr_OperationNotSupported }
    let input = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: inInputData))
    let output = UnsafeMutableAudioBufferListPointer(outOutputData)
    let count = Int(inNumberPCMFrames)
    guard source.frameCount(in: input) >= count else { return kAudioConverterErr_InvalidInputSize }
    guard target.frameCount(in: output) >= count else { return kAudioConverterErr_InvalidOutputSize }
    var isGiven = false
    let result = converter.fill(count: count) { _ in
        if isGiven { return (0, noErr, nil) }
        isGiven = true
        return (count, noErr, Converter.Feed(list: input, descriptions: nil))
    } take: { room in
        converter.output.read(into: output, at: 0, count: room)
    }
    if result.status == noErr { setSizes(of: output, frames: result.count, target) }
    return result.status
}

/// Converts a procedure's input into the requested number of packets, or fewer if the input ends.
///
/// In PCM a packet is one frame. Compressed packets go into the first buffer; without a place for
/// descriptions the call makes only one packet.
///
/// - Parameters:
///   - ioOutputDataPacketSize: In: the packets requested. Out: the packets made; fewer at the end of the
///     input, after an error of the procedure, or if the room runs out.
///   - outOutputData: Buffers with room; their sizes are set to the bytes written.
/// - Returns: `noErr`, the procedure's own result code, ``kAudioConverterErr_InvalidOutputSize`` without room
///   for a packet, ``kAudioConverterErr_InvalidInputSize``,
///   ``kAudioConverterErr_RequiresPacketDescriptionsError`` or ``kAudioCodecBadDataError``. Even after an
///   error some packets may be ready, and the next call continues; after a damaged packet, with the packet
///   that follows.
@discardableResult
public func AudioConverterFillComplexBuffer(
    _ inAudioConverter: AudioConverterRef, _ inInputDataProc: AudioConverterComplexInputDataProc,
    _ inInputDataProcUserData: UnsafeMutableRawPointer?,
    _ ioOutputDataPacketSize: UnsafeMutablePointer<UInt32>,
    _ outOutputData: UnsafeMutablePointer<AudioBufferList>,
    _ outPacketDescription: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
    let converter = inAudioConverter.converter
    var room = OutputRoom(
        converter: converter, list: UnsafeMutableAudioBufferListPointer(outOutputData),
        descriptions: outPacketDescription)
    var wanted = Int(ioOutputDataPacketSize.pointee)
    ioOutputDataPacketSize.pointee = 0
    guard wanted == 0 || room.hasRoom else { return kAudioConverterErr_InvalidOutputSize }
    wanted = room.limit(wanted)

    let source = AudioBufferList.allocate(maximumBuffers: converter.input.linear?.bufferCount ?? 1)
    defer { free(source.unsafeMutablePointer) }
    let channels = converter.input.stream.mChannelsPerFrame
    let needsDescriptions = converter.input.linear == nil
    let result = converter.fill(count: wanted) { packets in
        source.empty(channels: channels)
        var count = UInt32(clamping: packets)
        var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
        let status =
            needsDescriptions
            ? inInputDataProc(
                inAudioConverter, &count, source.unsafeMutablePointer, &descriptions, inInputDataProcUserData)
            : inInputDataProc(
                inAudioConverter, &count, source.unsafeMutablePointer, nil, inInputDataProcUserData)
        return (
            Int(count), status, Converter.Feed(list: source, descriptions: descriptions.map { .init($0) })
        )
    } take: { count in
        room.take(count)
    }
    ioOutputDataPacketSize.pointee = UInt32(result.count)
    room.finish()
    return result.status
}

extension UnsafeMutableAudioBufferListPointer {
    /// Makes all buffers empty: interleaved if there is one, else of one channel each.
    fileprivate func empty(channels: UInt32) {
        for index in indices {
            self[index] = AudioBuffer(
                mNumberChannels: count == 1 ? channels : 1, mDataByteSize: 0, mData: nil)
        }
    }
}

/// The caller's buffers and their fill level.
private struct OutputRoom {
    let converter: Converter
    let list: UnsafeMutableAudioBufferListPointer
    let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    /// The frames or packets so far, and the bytes of the packets.
    private var count = 0
    private var byteCount = 0

    init(
        converter: Converter, list: UnsafeMutableAudioBufferListPointer,
        descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) {
        self.converter = converter
        self.list = list
        self.descriptions = descriptions
    }

    var hasRoom: Bool {
        if let linear = converter.output.linear { return linear.frameCount(in: list) > 0 }
        return list.count > 0 && list[0].mData != nil && list[0].mDataByteSize > 0
    }

    func limit(_ wanted: Int) -> Int {
        if let linear = converter.output.linear { return min(wanted, linear.frameCount(in: list)) }
        return descriptions == nil ? min(wanted, 1) : wanted
    }

    mutating func take(_ wanted: Int) -> Int {
        if converter.output.linear != nil {
            let moved = converter.output.read(into: list, at: count, count: wanted)
            count += moved
            return moved
        }
        guard let data = list[0].mData else { return 0 }
        let rest = UnsafeMutableRawBufferPointer(
            start: data + byteCount, count: Int(list[0].mDataByteSize) - byteCount)
        guard let size = converter.output.readPacket(into: rest) else { return 0 }
        descriptions?[count] = AudioStreamPacketDescription(
            mStartOffset: Int64(byteCount), mVariableFramesInPacket: 0, mDataByteSize: UInt32(size))
        byteCount += size
        count += 1
        return 1
    }

    func finish() {
        if let linear = converter.output.linear {
            setSizes(of: list, frames: count, linear)
        } else if list.count > 0 {
            list[0].mDataByteSize = UInt32(byteCount)
        }
    }
}

private func setSizes(of list: UnsafeMutableAudioBufferListPointer, frames: Int, _ format: LinearFormat) {
    for index in 0..<min(list.count, format.bufferCount) {
        list[index].mDataByteSize = UInt32(frames * format.bytesPerFrame)
    }
}

extension OpaquePointer {
    /// The converter behind a caller's reference.
    var converter: Converter { Unmanaged<Converter>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue() }
}
