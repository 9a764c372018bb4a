import CoreAudioTypes

/// The header of an ADTS or MPEG audio frame.
///
/// ADTS: sync (12 bits of ones), version, layer 0 (2), no checksum (1), profile (2), rate (4), private, channels (3),
/// four flags, length (13), fullness (11), blocks minus 1 (2). Source: ISO/IEC 14496-3, 1.A.2.2.
/// MPEG: sync (11), version (2), layer (2), no checksum, bit rate (4), rate (2), padding, private, mode (2), and
/// more. Source: ISO/IEC 11172-3, 2.4.2.3, and 13818-3.
struct FrameHeader: Equatable {
    enum Kind: Sendable {
        case adts, mpeg
    }

    let kind: Kind
    /// The bytes of the whole frame, and of the header that raw-packet decoders do not accept.
    let byteCount: Int
    let headerByteCount: Int
    let sampleRate: Int
    let channelCount: Int
    /// ADTS: the object type and the channel code. MPEG: the layer and the version code.
    let details: (Int, Int)
    let frameCount: Int
    /// Bits per second; 0 if the header does not say.
    let bitRate: Int

    /// Returns `nil` for bytes that are no header.
    init?(_ kind: Kind, _ bytes: ArraySlice<UInt8>) {
        let head = Array(bytes)
        guard head.count >= 4, head[0] == 0xFF else { return nil }
        self.kind = kind
        switch kind {
        case .adts:
            guard head.count >= 7, head[1] & 0xF6 == 0xF0 else { return nil }
            let index = Int(head[2] >> 2 & 0xF)
            guard AACConfiguration.rates.indices.contains(index) else { return nil }
            sampleRate = AACConfiguration.rates[index]
            details = (Int(head[2] >> 6) + 1, Int(head[2] & 1) << 2 | Int(head[3] >> 6))
            channelCount = details.1 == 7 ? 8 : details.1
            byteCount = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
            headerByteCount = head[1] & 1 == 1 ? 7 : 9
            frameCount = 1024 * (Int(head[6] & 3) + 1)
            bitRate = 0
            guard byteCount > headerByteCount else { return nil }
        case .mpeg:
            let (version, layer) = (Int(head[1] >> 3 & 3), 4 - Int(head[1] >> 1 & 3))
            guard head[1] & 0xE0 == 0xE0, version != 1, (1...3).contains(layer) else { return nil }
            let (rateIndex, bitRateIndex) = (Int(head[2] >> 2 & 3), Int(head[2] >> 4))
            guard rateIndex < 3, (1...14).contains(bitRateIndex) else { return nil }
            let isFull = version == 3
            sampleRate = [44_100, 48_000, 32_000][rateIndex] >> (isFull ? 0 : version == 2 ? 1 : 2)
            bitRate = Self.bitRate(layer, isFull, bitRateIndex) * 1000
            let padding = Int(head[2] >> 1 & 1)
            switch layer {
            case 1: (frameCount, byteCount) = (384, (12 * bitRate / sampleRate + padding) * 4)
            case 2: (frameCount, byteCount) = (1152, 144 * bitRate / sampleRate + padding)
            default:
                frameCount = isFull ? 1152 : 576
                byteCount = frameCount / 8 * bitRate / sampleRate + padding
            }
            channelCount = head[3] >> 6 == 3 ? 1 : 2
            details = (layer, version)
            headerByteCount = 0
            guard byteCount > 4 else { return nil }
        }
    }

    private static func bitRate(_ layer: Int, _ isFull: Bool, _ index: Int) -> Int {
        let table: [Int] =
            switch (layer, isFull) {
            case (1, true): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
            case (2, true): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
            case (3, true): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
            case (1, false): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
            default: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
            }
        return table[index - 1]
    }

    static func == (left: FrameHeader, right: FrameHeader) -> Bool { left.isSameStream(as: right) }

    /// Returns whether two frames may belong to one stream: all that decoders must know in advance is equal.
    func isSameStream(as other: FrameHeader) -> Bool {
        kind == other.kind && sampleRate == other.sampleRate && details.0 == other.details.0
            && (kind == .mpeg ? details.1 == other.details.1 : channelCount == other.channelCount)
    }

    /// Returns whether the next frame's header is available and belongs to the same stream.
    func isFollowed(in bytes: StreamBytes, at index: Int) -> Bool {
        guard let next = FrameHeader(kind, bytes.bytes(9, at: index + byteCount)) else { return false }
        return isSameStream(as: next)
    }

    var formatID: AudioFormatID {
        switch (kind, details.0) {
        case (.adts, _): kAudioFormatMPEG4AAC
        case (.mpeg, 1): kAudioFormatMPEGLayer1
        case (.mpeg, 2): kAudioFormatMPEGLayer2
        case (.mpeg, _): kAudioFormatMPEGLayer3
        }
    }
}
