import CoreAudioTypes
import Foundation

/// A parser of a byte stream. Only one thread at a time may use a parser.
public typealias AudioFileStreamID = OpaquePointer

/// A procedure that learns of a known property. Receives the caller's own pointer, the parser, the property,
/// and flags to change.
public typealias AudioFileStream_PropertyListenerProc = (
    UnsafeMutableRawPointer, AudioFileStreamID, AudioFileStreamPropertyID,
    UnsafeMutablePointer<AudioFileStreamPropertyFlags>
) -> Void

/// A procedure that takes packets. Receives the caller's own pointer, the number of bytes, the number of
/// packets, the bytes, and the packet descriptions; without descriptions all packets have one size. The
/// memory is valid until the procedure returns.
public typealias AudioFileStream_PacketsProc = (
    UnsafeMutableRawPointer, UInt32, UInt32, UnsafeRawPointer,
    UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> Void

/// Creates a parser of ADTS, MPEG audio, M4A with its description in front, WAVE, AIFF, FLAC and CAF.
///
/// - Parameters:
///   - inClientData: Passed to both procedures; if `nil`, they receive the parser's own reference.
///   - inFileTypeHint: A hint, or 0. The bytes themselves take precedence.
@discardableResult
public func AudioFileStreamOpen(
    _ inClientData: UnsafeMutableRawPointer?,
    _ inPropertyListenerProc: @escaping AudioFileStream_PropertyListenerProc,
    _ inPacketsProc: @escaping AudioFileStream_PacketsProc, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFileStream: UnsafeMutablePointer<AudioFileStreamID?>
) -> OSStatus {
    let stream = FileStream(inClientData, inPropertyListenerProc, inPacketsProc, hint: inFileTypeHint)
    outAudioFileStream.pointee = OpaquePointer(Unmanaged.passRetained(stream).toOpaque())
    return noErr
}

/// Parses the next bytes, split anywhere, and calls the procedures on the calling thread.
///
/// - Parameter inFlags: ``AudioFileStreamParseFlags/discontinuity`` if bytes are missing before these, as
///   after a seek.
/// - Returns: `noErr`, also if more bytes are needed, or an error code. After the code of a stream that cannot
///   be parsed, every later call returns the same code.
@discardableResult
public func AudioFileStreamParseBytes(
    _ inAudioFileStream: AudioFileStreamID, _ inDataByteSize: UInt32, _ inData: UnsafeRawPointer?,
    _ inFlags: AudioFileStreamParseFlags
) -> OSStatus {
    // Keep the stream alive, because a procedure may close it.
    let stream = inAudioFileStream.fileStream
    return withExtendedLifetime(stream) {
        stream.parse(
            UnsafeRawBufferPointer(start: inData, count: inData == nil ? 0 : Int(inDataByteSize)),
            isDiscontinuous: inFlags.contains(.discontinuity))
    }
}

/// Returns the offset of a packet, from which the caller must supply bytes next.
///
/// - Parameters:
///   - outDataByteOffset: The offset from the first byte of audio, which is at
///     ``kAudioFileStreamProperty_DataOffset``.
///   - ioFlags: ``AudioFileStreamSeekFlags/offsetIsEstimated`` is set if packets vary and there is no table.
/// - Returns: ``kAudioFileStreamError_IllegalOperation`` before the stream is ready,
///   ``kAudioFileStreamError_InvalidPacketOffset``, or ``kAudioFileStreamError_ValueUnknown``.
@discardableResult
public func AudioFileStreamSeek(
    _ inAudioFileStream: AudioFileStreamID, _ inPacketOffset: Int64,
    _ outDataByteOffset: UnsafeMutablePointer<Int64>,
    _ ioFlags: UnsafeMutablePointer<AudioFileStreamSeekFlags>
) -> OSStatus {
    do throws(StreamFailure) {
        let place = try inAudioFileStream.fileStream.parser.seek(to: inPacketOffset)
        outDataByteOffset.pointee = place.offset
        if place.isEstimated {
            ioFlags.pointee.insert(.offsetIsEstimated)
        } else {
            ioFlags.pointee.remove(.offsetIsEstimated)
        }
        return noErr
    } catch {
        return error.status
    }
}

/// Returns the size of a property's value in bytes; no property can be set.
///
/// - Returns: `noErr`, ``kAudioFileStreamError_UnsupportedProperty``, or
///   ``kAudioFileStreamError_ValueUnknown`` if the file does not state the value, or not yet.
@discardableResult
public func AudioFileStreamGetPropertyInfo(
    _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    if let count = PacketTranslation.byteCount(of: inPropertyID) {
        outPropertyDataSize?.pointee = UInt32(count)
        outWritable?.pointee = false
        return noErr
    }
    guard StreamFacts.properties.contains(inPropertyID) else {
        return kAudioFileStreamError_UnsupportedProperty
    }
    guard let value = inAudioFileStream.fileStream.value(of: inPropertyID) else {
        return kAudioFileStreamError_ValueUnknown
    }
    outPropertyDataSize?.pointee = UInt32(value.count)
    outWritable?.pointee = false
    return noErr
}

/// Copies a property's value, or completes the caller's value of a translation between packets, frames and bytes.
///
/// - Parameter ioPropertyDataSize: In: the caller's room in bytes. Out: the size of the value.
/// - Returns: The codes of ``AudioFileStreamGetPropertyInfo(_:_:_:_:)``, or
///   ``kAudioFileStreamError_BadPropertySize`` if there is not enough room.
@discardableResult
public func AudioFileStreamGetProperty(
    _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    if let count = PacketTranslation.byteCount(of: inPropertyID) {
        guard Int(ioPropertyDataSize.pointee) >= count else { return kAudioFileStreamError_BadPropertySize }
        ioPropertyDataSize.pointee = UInt32(count)
        return inAudioFileStream.fileStream.translate(inPropertyID, outPropertyData)
    }
    guard StreamFacts.properties.contains(inPropertyID) else {
        return kAudioFileStreamError_UnsupportedProperty
    }
    guard let value = inAudioFileStream.fileStream.value(of: inPropertyID) else {
        return kAudioFileStreamError_ValueUnknown
    }
    guard Int(ioPropertyDataSize.pointee) >= value.count else { return kAudioFileStreamError_BadPropertySize }
    outPropertyData.copyMemory(from: value, byteCount: value.count)
    ioPropertyDataSize.pointee = UInt32(value.count)
    return noErr
}

/// Sets a property. Always fails, because no property of a stream can be set.
///
/// - Returns: ``kAudioFileStreamError_UnsupportedProperty``.
@discardableResult
public func AudioFileStreamSetProperty(
    _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
    _ inPropertyDataSize: UInt32, _ inPropertyData: UnsafeRawPointer
) -> OSStatus { kAudioFileStreamError_UnsupportedProperty }

/// Closes a parser, also from within its procedures; do not use the parser afterwards.
@discardableResult
public func AudioFileStreamClose(_ inAudioFileStream: AudioFileStreamID) -> OSStatus {
    inAudioFileStream.fileStream.isClosed = true
    Unmanaged<FileStream>.fromOpaque(UnsafeRawPointer(inAudioFileStream)).release()
    return noErr
}

/// The object behind an ``AudioFileStreamID``. Only one thread at a time may use it.
private final class FileStream {
    var parser: AudioStreamParser
    var isClosed = false
    private let clientData: UnsafeMutableRawPointer?
    private let listener: AudioFileStream_PropertyListenerProc
    private let packets: AudioFileStream_PacketsProc

    init(
        _ clientData: UnsafeMutableRawPointer?, _ listener: @escaping AudioFileStream_PropertyListenerProc,
        _ packets: @escaping AudioFileStream_PacketsProc, hint: AudioFileTypeID
    ) {
        parser = AudioStreamParser(hint: hint)
        self.clientData = clientData
        self.listener = listener
        self.packets = packets
    }

    func value(of property: AudioFileStreamPropertyID) -> [UInt8]? {
        parser.facts.value(of: property, isReady: parser.isReady)
    }

    func translate(_ property: AudioFileStreamPropertyID, _ data: UnsafeMutableRawPointer) -> OSStatus {
        do throws(StreamFailure) {
            try PacketTranslation.translate(property, data, by: parser)
            return noErr
        } catch {
            return error.status
        }
    }

    func parse(_ bytes: UnsafeRawBufferPointer, isDiscontinuous: Bool) -> OSStatus {
        do throws(StreamFailure) {
            try parser.append(bytes, isDiscontinuous: isDiscontinuous)
            while !isClosed, let event = try parser.next() { tell(event) }
            return noErr
        } catch {
            return error.status
        }
    }

    private func tell(_ event: AudioStreamParser.Event) {
        let reference = Unmanaged.passUnretained(self).toOpaque()
        switch event {
        case .property(let property):
            var flags: AudioFileStreamPropertyFlags = .propertyIsCached
            listener(clientData ?? reference, OpaquePointer(reference), property, &flags)
        case .packets(let run):
            var descriptions = run.packets
            run.bytes.withUnsafeBytes { bytes in
                descriptions.withUnsafeMutableBufferPointer { descriptions in
                    packets(
                        clientData ?? reference, UInt32(bytes.count), UInt32(run.count),
                        bytes.baseAddress ?? UnsafeRawPointer(reference),
                        descriptions.isEmpty ? nil : descriptions.baseAddress)
                }
            }
        }
    }
}

extension OpaquePointer {
    /// The stream behind a caller's reference.
    fileprivate var fileStream: FileStream {
        Unmanaged<FileStream>.fromOpaque(UnsafeRawPointer(self)).takeUnretainedValue()
    }
}
