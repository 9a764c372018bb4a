import CoreMedia
import TuttiCodecs

/// A converter of stored packets to the form of their format description.
package struct StoredPackets {
    private let hasStartCodes: Bool

    /// - Parameter video: The stream of the packets, which ``VideoDescription/stored(_:)`` describes.
    package init(_ video: VideoStreamParameters) {
        // Other codecs begin their headers with the same bytes.
        let hasUnits = ["h264", "hevc"].contains(video.codecName)
        hasStartCodes =
            hasUnits && StartCodes.begin(video.configuration) && DecoderAtom.atom(of: video) != nil
    }

    /// Returns the bytes of a packet: each NAL unit after its length in four bytes, instead of a start code, if the
    /// description is of that form.
    ///
    /// - Throws: An error of CoreMedia without memory.
    package func block(of packet: VideoPacket) throws -> CMBlockBuffer {
        try packet.withBytes { bytes in
            guard hasStartCodes else { return try Self.block(bytes) }
            return try StartCodes.lengthPrefixed(bytes).withUnsafeBytes(Self.block)
        }
    }

    private static func block(_ bytes: UnsafeRawBufferPointer) throws -> CMBlockBuffer {
        let block = try CMBlockBuffer(length: bytes.count, flags: .assureMemoryNow)
        try block.withUnsafeMutableBytes { $0.copyMemory(from: bytes) }
        return block
    }
}

/// The start codes before NAL units in MPEG-TS and raw streams.
///
/// Source: ITU-T H.264, annex B; H.265 has the same.
enum StartCodes {
    /// Whether bytes begin with a start code.
    static func begin(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0, 0, 1]) || bytes.starts(with: [0, 0, 0, 1])
    }

    /// Returns the NAL units of a stream with start codes, without empty ones.
    static func units(of bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
        var units: [UnsafeRawBufferPointer] = []
        var start: Int?
        var index = 0
        func close(at end: Int) {
            guard let start else { return }
            var end = end
            // Zeros after a unit belong to the next start code.
            while end > start, bytes[end - 1] == 0 { end -= 1 }
            if end > start { units.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) }
        }
        while index + 2 < bytes.count {
            if bytes[index + 2] > 1 {
                index += 3
            } else if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
                close(at: index)
                index += 3
                start = index
            } else {
                index += 1
            }
        }
        close(at: bytes.count)
        return units
    }

    /// Returns the NAL units, each after its length in four bytes.
    static func lengthPrefixed(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        for unit in units(of: bytes) {
            withUnsafeBytes(of: UInt32(clamping: unit.count).bigEndian) { result.append(contentsOf: $0) }
            result.append(contentsOf: unit)
        }
        return result
    }
}
