import CoreAudioTypes
import Foundation
import TuttiCodecs
import TuttiPCM
import TuttiWire

/// A source of frames for a converter: reads samples from memory, or decodes packets.
///
/// Only one thread at a time may use an instance.
final class ConverterInput {
    let stream: AudioStreamBasicDescription
    let linear: LinearFormat?
    /// The decoder's configuration; a new value takes effect with the next packet.
    var cookie: [UInt8] = [] {
        didSet { decoder = nil }
    }
    /// The decoded frames to trim at both ends.
    var prime = AudioConverterPrimeInfo() {
        didSet { framesToDrop = Int(prime.leadingFrames) }
    }

    private var decoder: PacketDecoder?
    private var framesToDrop = 0
    /// Packets received and not yet decoded.
    private var packets = IndexedQueue<[UInt8]>()
    /// The frames that the last packet lacks; lossless packets end with the sound.
    private var missingFrames = 0
    /// The last decoded frames, held back while they may have to be trimmed.
    private var held: [PCMBuffer] = []

    /// Returns `nil` for a format that cannot be read.
    init?(_ stream: AudioStreamBasicDescription) {
        linear = LinearFormat(stream)
        self.stream = stream
        if linear == nil, CompressedFormat.parameters(of: stream, cookie: []) == nil { return nil }
    }

    /// Whether packets are pending, so that the caller's procedure need not be called.
    var hasPackets: Bool { !packets.isEmpty }

    /// Returns the number of packets to request for this many source frames.
    func packetCount(forFrames frames: Int) -> Int {
        let perPacket = max(1, Int(stream.mFramesPerPacket))
        return max(1, min((frames + perPacket - 1) / perPacket, 1 << 20))
    }

    /// Copies packets from a list of buffers; the caller's memory is not used afterwards.
    ///
    /// - Returns: The frames of uncompressed sound; `nil` for packets.
    func take(
        _ list: UnsafeMutableAudioBufferListPointer, packetCount: Int,
        _ descriptions: UnsafePointer<AudioStreamPacketDescription>?
    ) throws(ConverterFailure) -> PCMBuffer? {
        if let linear {
            let frames = min(packetCount, linear.frameCount(in: list))
            guard frames > 0 else { throw ConverterFailure(kAudioConverterErr_InvalidInputSize) }
            return linear.read(list, frameCount: frames)
        }
        guard list.count >= 1, let data = list[0].mData else {
            throw ConverterFailure(kAudioConverterErr_InvalidInputSize)
        }
        let bytes = UnsafeRawBufferPointer(start: data, count: Int(list[0].mDataByteSize))
        for index in 0..<packetCount {
            let range = try range(of: index, descriptions)
            guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
                throw ConverterFailure(kAudioConverterErr_InvalidInputSize)
            }
            packets.append(Array(bytes[range]))
        }
        return nil
    }

    private func range(
        of index: Int, _ descriptions: UnsafePointer<AudioStreamPacketDescription>?
    ) throws(ConverterFailure) -> Range<Int> {
        guard let descriptions else {
            let size = Int(stream.mBytesPerPacket)
            guard size > 0 else { throw ConverterFailure(kAudioConverterErr_RequiresPacketDescriptionsError) }
            return index * size..<(index + 1) * size
        }
        let (start, size) = (descriptions[index].mStartOffset, Int(descriptions[index].mDataByteSize))
        guard start >= 0, start <= Int64(UInt32.max) else {
            throw ConverterFailure(kAudioConverterErr_InvalidInputSize)
        }
        return Int(start)..<Int(start) + size
    }

    /// Decodes the next pending packet.
    func decodeNext() throws(ConverterFailure) -> [PCMBuffer] {
        guard let packet = packets.popFirst() else { return [] }
        if decoder == nil { decoder = try makeDecoder() }
        guard let decoder, !packet.isEmpty else { return [] }
        let frames: [PCMBuffer]
        do throws(CodecError) {
            frames = try packet.withUnsafeBufferPointer {
                (bytes: UnsafeBufferPointer<UInt8>) throws(CodecError) -> [PCMBuffer] in
                try decoder.decode(UnsafeRawBufferPointer(bytes))
            }
        } catch {
            throw ConverterFailure(kAudioCodecBadDataError)
        }
        let decoded = frames.reduce(0) { $0 + $1.frameCount }
        missingFrames = decoded > 0 ? max(0, Int(stream.mFramesPerPacket) - decoded) : 0
        return trimmed(frames)
    }

    private func makeDecoder() throws(ConverterFailure) -> PacketDecoder {
        guard let parameters = CompressedFormat.parameters(of: stream, cookie: cookie),
            let decoder = try? PacketDecoder(parameters)
        else { throw ConverterFailure(kAudioConverterErr_FormatNotSupported) }
        return decoder
    }

    /// Returns the frames that the decoder still holds, without the trailing ones; a new stream may follow.
    func finish() -> [PCMBuffer] {
        var rest = held + dropLeading(decoder?.drain() ?? [])
        held = []
        let isLossless = CompressedFormat.bitDepth(of: stream) != nil
        var trailing = max(0, Int(prime.trailingFrames) - (isLossless ? missingFrames : 0))
        missingFrames = 0
        while trailing > 0, var last = rest.popLast() {
            let count = min(trailing, last.frameCount)
            last.removeLast(frameCount: count)
            trailing -= count
            if !last.isEmpty { rest.append(last) }
        }
        framesToDrop = Int(prime.leadingFrames)
        return rest
    }

    /// Discards all input so far.
    func reset() {
        decoder?.reset()
        packets.removeAll()
        held = []
        framesToDrop = Int(prime.leadingFrames)
    }

    private func trimmed(_ frames: [PCMBuffer]) -> [PCMBuffer] {
        let heard = dropLeading(frames)
        guard prime.trailingFrames > 0 else { return heard }
        held += heard
        var ready: [PCMBuffer] = []
        while let first = held.first,
            held.dropFirst().reduce(0, { $0 + $1.frameCount }) >= Int(prime.trailingFrames)
        {
            ready.append(first)
            held.removeFirst()
        }
        return ready
    }

    private func dropLeading(_ frames: [PCMBuffer]) -> [PCMBuffer] {
        guard framesToDrop > 0 else { return frames }
        return frames.compactMap { buffer in
            var buffer = buffer
            let count = min(framesToDrop, buffer.frameCount)
            buffer.removeFirst(frameCount: count)
            framesToDrop -= count
            return buffer.isEmpty ? nil : buffer
        }
    }
}

/// A nonzero result code of a converter.
struct ConverterFailure: Error {
    let status: OSStatus

    init(_ status: OSStatus) { self.status = status }
}

/// A packet cannot be decoded.
public let kAudioCodecBadDataError = OSStatus(bitPattern: FourCharCode(fourCharacters: "bada"))
