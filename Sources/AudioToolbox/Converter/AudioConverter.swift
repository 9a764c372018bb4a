import CoreAudioTypes
import Foundation

/// A converter of audio data. One thread at a time may use it.
public typealias AudioConverterRef = OpaquePointer

/// Gives a converter its input.
///
/// Given the converter; the packets that are wanted at least, to be replaced by those that are given; a list of
/// buffers to point at the data, which has to stay until the next call; a place for the address of the packets'
/// descriptions, or `nil` where the input needs none; and the caller's own pointer.
///
/// No packets and `noErr` mean the end of the input. A result code other than zero ends the call of
/// ``AudioConverterFillComplexBuffer(_:_:_:_:_:_:)``, which returns it, and nothing is lost: the next call goes on.
public typealias AudioConverterComplexInputDataProc = (
    AudioConverterRef, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<AudioBufferList>,
    UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?, UnsafeMutableRawPointer?
) -> OSStatus

/// Makes a converter.
///
/// Reads PCM of 8 to 32 bits and of floating point, interleaved or not, µ-law, A-law, AAC, ALAC, MP3, FLAC and Opus;
/// makes PCM, AAC-LC and ALAC. Fields of the destination that are zero and follow from others are filled.
///
/// - Returns: ``kAudioConverterErr_FormatNotSupported``, or the code of a rate out of range.
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

/// Makes a converter with one of some codecs; there is one codec for each encoding here, so all are the same.
@discardableResult
public func AudioConverterNewSpecific(
    _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>, _ inNumberClassDescriptions: UInt32,
    _ inClassDescriptions: UnsafePointer<AudioClassDescription>?,
    _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
    AudioConverterNew(inSourceFormat, inDestinationFormat, outAudioConverter)
}

/// Ends a converter; it must not be used afterwards.
@discardableResult
public func AudioConverterDispose(_ inAudioConverter: AudioConverterRef) -> OSStatus {
    Unmanaged<Converter>.fromOpaque(UnsafeRawPointer(inAudioConverter)).release()
    return noErr
}

/// Makes a converter forget everything it was given, for a seek or a new stream; its properties stay.
@discardableResult
public func AudioConverterReset(_ inAudioConverter: AudioConverterRef) -> OSStatus {
    inAudioConverter.converter.reset()
    return noErr
}

/// Converts one run of PCM into another of the same rate, with one buffer each.
///
/// - Returns: ``kAudioConverterErr_OperationNotSupported`` for other conversions.
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

/// Converts frames of PCM into as many of the same rate.
///
/// - Returns: ``kAudioConverterErr_OperationNotSupported`` for other conversions, and the codes of buffers that
///   have fewer frames or less room.
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

/// Converts what a procedure gives into packets, as many as are wanted or as the input makes.
///
/// In PCM a packet is one frame. For compressed output the packets lie in the first buffer, and without a place for
/// descriptions one packet is made at a time.
///
/// - Parameters:
///   - ioOutputDataPacketSize: In: the packets that are wanted. Out: those that were made; fewer at the end of the
///     input, where the procedure gave an error, or where there is no more room.
///   - outOutputData: Buffers with room; their sizes are set to the bytes that were written.
/// - Returns: `noErr`, the procedure's own result code, ``kAudioConverterErr_InvalidOutputSize`` without room for a
///   packet, ``kAudioConverterErr_InvalidInputSize``, ``kAudioConverterErr_RequiresPacketDescriptionsError`` or
///   ``kAudioCodecBadDataError``. Packets may have been made all the same, and a next call goes on; behind a
///   damaged packet with the one after it.
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
        for index in source.indices {
            source[index] = AudioBuffer(
                mNumberChannels: source.count == 1 ? channels : 1, mDataByteSize: 0, mData: nil)
        }
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

/// The caller's buffers, and how much of them is filled.
private struct OutputRoom {
    let converter: Converter
    let list: UnsafeMutableAudioBufferListPointer
    let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    /// Frames or packets, and bytes of packets.
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
    /// The converter that a caller's reference stands for.
    var converter: Converter { Unmanaged<Converter>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue() }
}
