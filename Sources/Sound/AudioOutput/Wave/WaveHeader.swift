import TuttiPCM

/// The header of a RIFF WAVE file, up to the first sample.
///
/// Layout, little-endian: `RIFF` size `WAVE`; `fmt ` with tag 1 (PCM, 16 bytes) or 3 (IEEE float, 18 bytes,
/// then `fact` with the frame count); `data` size. A size beyond 32 bits stays at its maximum, which readers
/// take as "to the end of the file".
///
/// Source: Multimedia Programming Interface and Data Specifications 1.0, and its float format from 3.0.
struct WaveHeader: Equatable {
    let format: PCMFormat
    /// Bytes of samples after the header.
    var dataByteCount: Int64 = 0

    private var isFloat: Bool { format.sampleFormat == .float32 }
    var byteCount: Int { isFloat ? 58 : 44 }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(contentsOf: "RIFF".utf8)
        Self.append(Self.limited(dataByteCount + Int64(byteCount) - 8), to: &bytes)
        bytes.append(contentsOf: "WAVEfmt ".utf8)
        Self.append(UInt32(isFloat ? 18 : 16), to: &bytes)
        appendFormat(to: &bytes)
        if isFloat {
            bytes.append(contentsOf: "fact".utf8)
            Self.append(UInt32(4), to: &bytes)
            Self.append(Self.limited(dataByteCount / Int64(format.bytesPerFrame)), to: &bytes)
        }
        bytes.append(contentsOf: "data".utf8)
        Self.append(Self.limited(dataByteCount), to: &bytes)
        return bytes
    }

    private func appendFormat(to bytes: inout [UInt8]) {
        Self.append(UInt16(isFloat ? 3 : 1), to: &bytes)
        Self.append(UInt16(format.channelCount), to: &bytes)
        Self.append(UInt32(format.sampleRate.hertz), to: &bytes)
        Self.append(UInt32(format.sampleRate.hertz * format.bytesPerFrame), to: &bytes)
        Self.append(UInt16(format.bytesPerFrame), to: &bytes)
        Self.append(UInt16(8 * format.sampleFormat.bytesPerSample), to: &bytes)
        if isFloat { Self.append(UInt16(0), to: &bytes) }
    }

    private static func limited(_ count: Int64) -> UInt32 { UInt32(clamping: count) }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
