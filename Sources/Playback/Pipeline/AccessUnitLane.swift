import AirPlayMessages
import AirPlaySender
import Codecs
import MediaTime
import PCM

/// AAC access units on their way to the store, byte for byte. Belongs to the codec queue.
final class AccessUnitLane {
    static let framesPerUnit: Int64 = 1024

    let format: AudioWireFormat
    private let store: PacketStore
    /// The last unit, to prepare a decoder or a speaker for the one after it.
    private var last: [UInt8] = []
    /// Timeline frame of the next unit.
    private(set) var cursor: Int64
    private var isFirst = true

    init(format: AudioWireFormat, at frame: Int64, store: PacketStore) {
        self.format = format
        self.store = store
        cursor = frame
    }

    /// - Parameter unheard: units, this one included, before the first that is heard; counts for the first only.
    ///   An empty unit is one that is missing: the last one is sent in its place.
    func append(_ unit: UnsafeRawBufferPointer, unheard: Int = 0) {
        if unit.isEmpty { return repeatLast() }
        if isFirst {
            isFirst = false
            // A run of AAC begins with two packets that are not heard; where the source has fewer, its first
            // one is sent again.
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

    /// Prepares for units that follow sound in another form: the unit before the next one, one packet early,
    /// which the speaker decodes and drops.
    func prime(with unit: [UInt8]) {
        unit.withUnsafeBytes { bytes in
            store.append(
                frame: cursor - Self.framesPerUnit, frameCount: Int(Self.framesPerUnit), format: format,
                payload: bytes)
        }
        isFirst = false
        last = unit
    }

    /// What a decoder makes of `unit` after the last one: 1024 frames.
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
