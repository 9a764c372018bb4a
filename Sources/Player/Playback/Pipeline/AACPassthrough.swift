import AirPlayMessages
import AirPlaySender
import CoreMedia
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

/// Appends AAC access units byte for byte to the packet store. Confined to the codec queue.
final class AACPassthrough {
    static let framesPerUnit: Int64 = 1024

    let format: AudioWireFormat
    private let store: PacketStore
    /// The previous unit, which primes a decoder or a speaker for the next unit.
    private(set) var last: [UInt8] = []
    /// Timeline frame of the next unit.
    private(set) var cursor: Int64
    private var isFirst = true
    /// The source's last unit, if only a part of it is audible. The next sound decides how it is sent.
    private(set) var tail: (unit: [UInt8], frameCount: Int)?

    init(format: AudioWireFormat, at frame: Int64, store: PacketStore) {
        self.format = format
        self.store = store
        cursor = frame
    }

    /// - Parameters:
    ///   - unit: The access unit. Empty if the unit is missing: the previous unit is sent in its place.
    ///   - unheard: Units before the first audible one, counting `unit`; used for the first unit of a run
    ///     only.
    func append(_ unit: UnsafeRawBufferPointer, unheard: Int = 0) {
        if unit.isEmpty { return repeatLast() }
        if isFirst {
            isFirst = false
            // An AAC run begins with two inaudible packets. If the source has fewer, its first packet is
            // repeated.
            for distance in stride(from: 2 - unheard, to: 0, by: -1) {
                store.append(
                    frame: cursor - Int64(distance) * Self.framesPerUnit, frameCount: Int(Self.framesPerUnit),
                    format: format, payload: unit)
            }
        }
        store.append(frame: cursor, frameCount: Int(Self.framesPerUnit), format: format, payload: unit)
        cursor += Self.framesPerUnit
        last = Array(unit)
    }

    /// Appends a unit of a buffer of which only a range is audible. The unit with the end of the range becomes
    /// the ``tail``; the units after it are dropped.
    func append(_ unit: UnsafeRawBufferPointer, heard: HeardUnits) {
        if heard.trims.end > 0, tail != nil || cursor >= heard.end { return }
        if heard.trims.end > 0, cursor + Self.framesPerUnit > heard.end {
            tail = (Array(unit), Int(heard.end - cursor))
        } else {
            append(unit, unheard: Int(max(0, heard.start - cursor) / Self.framesPerUnit))
        }
    }

    /// Sends the tail whole, because nothing follows: its padding is heard as silence.
    func finish() {
        tail?.unit.withUnsafeBytes { append($0) }
        tail = nil
    }

    func dropTail() { tail = nil }

    /// Decodes the audible part of the tail.
    func decodeTail() throws -> PCMBuffer? {
        guard let tail else { return nil }
        return try tail.unit.withUnsafeBytes {
            try Self.decode($0, after: last, format: format)[0..<tail.frameCount]
        }
    }

    private func repeatLast() {
        if !last.isEmpty {
            last.withUnsafeBytes {
                store.append(
                    frame: cursor, frameCount: Int(Self.framesPerUnit), format: format, payload: $0)
            }
        }
        cursor += Self.framesPerUnit
    }

    /// Primes the speaker before units that follow sound in another format: stores the unit before the next
    /// one, one packet early. The speaker decodes and drops it.
    func prime(with unit: [UInt8]) {
        unit.withUnsafeBytes { bytes in
            store.append(
                frame: cursor - Self.framesPerUnit, frameCount: Int(Self.framesPerUnit), format: format,
                payload: bytes)
        }
        isFirst = false
        last = unit
    }

    /// Decodes `unit` with the previous unit as priming.
    ///
    /// - Returns: 1024 frames.
    static func decode(
        _ unit: UnsafeRawBufferPointer, after previous: [UInt8], format: AudioWireFormat
    ) throws -> PCMBuffer {
        let decoder = try AACPacketDecoder(sampleRate: format.sampleRate)
        if !previous.isEmpty { _ = try decoder.decode(previous) }
        return try decoder.decode(Array(unit))
    }
}

/// The audible range of a buffer of access units, in wire frames.
struct HeardUnits {
    var start: Int64
    var end: Int64
    var trims: Trims

    init(_ buffer: CMSampleBuffer, rate: SampleRate) {
        let scale = CMTimeScale(rate.hertz)
        trims = Trims(of: buffer, sampleRate: rate)
        let time = buffer.outputPresentationTimeStamp
        start = time.convertScale(scale, method: .roundHalfAwayFromZero).value
        end = (time + buffer.outputDuration).convertScale(scale, method: .roundHalfAwayFromZero).value
    }

    /// The first frame of the first unit.
    var firstUnit: Int64 { start - trims.start }

    /// Returns the inaudible frames at both ends of the unit at `frame`.
    func unheard(at frame: Int64) -> (start: Int, end: Int) {
        let length = AACPassthrough.framesPerUnit
        let atEnd = trims.end > 0 ? min(length, max(0, frame + length - end)) : 0
        return (Int(min(length, max(0, start - frame))), Int(atEnd))
    }
}
