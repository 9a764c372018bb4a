import AirPlayMessages
import AirPlaySender
import Codecs
import MediaTime
import PCM

/// Appends AAC access units byte for byte to the packet store. Confined to the codec queue.
final class AACPassthrough {
    static let framesPerUnit: Int64 = 1024

    let format: AudioWireFormat
    private let store: PacketStore
    /// The previous unit, which primes a decoder or a speaker for the next unit.
    private var last: [UInt8] = []
    /// Timeline frame of the next unit.
    private(set) var cursor: Int64
    private var isFirst = true

    init(format: AudioWireFormat, at frame: Int64, store: PacketStore) {
        self.format = format
        self.store = store
        cursor = frame
    }

    /// - Parameters:
    ///   - unit: the access unit. Empty if the unit is missing: the previous unit is sent in its place.
    ///   - unheard: units before the first audible one, counting `unit`; used for the first unit of a run
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
    func decode(_ unit: UnsafeRawBufferPointer) throws -> PCMBuffer {
        try Self.decode(unit, after: last, format: format)
    }

    static func decode(
        _ unit: UnsafeRawBufferPointer, after previous: [UInt8], format: AudioWireFormat
    ) throws -> PCMBuffer {
        let decoder = try AACPacketDecoder(sampleRate: format.sampleRate)
        if !previous.isEmpty { _ = try decoder.decode(previous) }
        return try decoder.decode(Array(unit))
    }
}
