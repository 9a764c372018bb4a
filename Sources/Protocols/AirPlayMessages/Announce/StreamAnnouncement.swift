import TuttiMediaTime

/// The stream that an AirPlay 1 sender announces: the session description in the body of ANNOUNCE.
///
/// Lines of `letter=value`. Reads the audio stream's coding, the sender's name, the latencies and whether the
/// stream is encrypted; skips all else.
///
/// Source: RFC 4566, as AirPlay 1 uses it (*observed*: PipeWire, PulseAudio, pyatv).
package struct StreamAnnouncement: Hashable, Sendable {
    /// The coding of the packets.
    package enum Coding: Hashable, Sendable {
        /// `L16`: uncompressed 16-bit samples, big-endian, interleaved.
        case pcm(sampleRate: UInt32, channelCount: UInt32)
        /// `AppleLossless`, with its parameters.
        case alac(ALACParameters)
        /// Another name in `rtpmap`.
        case other(String)
    }

    /// The eleven numbers of `fmtp` for ALAC; the names are those of ALACSpecificConfig.
    package struct ALACParameters: Hashable, Sendable {
        /// `frameLength`
        package var framesPerPacket: UInt32
        /// `compatibleVersion`
        package var version: UInt32 = 0
        /// `bitDepth`
        package var bitDepth: UInt32 = 16
        /// `pb`, `mb` and `kb`: the coding's tuning.
        package var tuning: [UInt32] = [40, 10, 14]
        /// `numChannels`
        package var channelCount: UInt32 = 2
        /// `maxRun`
        package var longestRun: UInt32 = 255
        /// `sampleRate`
        package var sampleRate: UInt32 = 44_100

        /// Creates the parameters of CD sound.
        package init(framesPerPacket: UInt32 = 352) { self.framesPerPacket = framesPerPacket }

        /// Returns `nil` unless there are eleven numbers.
        init?(numbers: [UInt32]) {
            guard numbers.count == 11 else { return nil }
            (framesPerPacket, version, bitDepth) = (numbers[0], numbers[1], numbers[2])
            (tuning, channelCount, longestRun) = (Array(numbers[3...5]), numbers[6], numbers[7])
            // Before the rate: the largest packet and the bit rate, 0 in live streams.
            sampleRate = numbers[10]
        }

        fileprivate var numbers: [UInt32] {
            [framesPerPacket, version, bitDepth] + tuning + [channelCount, longestRun, 0, 0, sampleRate]
        }
    }

    /// The key of packets that are encrypted by AES-128-CBC.
    package struct RSAKey: Hashable, Sendable {
        /// `rsaaeskey`: the key of 16 bytes, encrypted with the speakers' public key.
        package var encryptedKey: [UInt8]
        /// `aesiv`: the initial vector of each packet, 16 bytes.
        package var iv: [UInt8]

        /// Creates a key from its parts.
        package init(encryptedKey: [UInt8], iv: [UInt8]) { (self.encryptedKey, self.iv) = (encryptedKey, iv) }
    }

    /// The coding of the packets.
    package var coding: Coding
    /// The key of the packets; `nil` if they are in the clear, or have a key of another kind.
    package private(set) var key: RSAKey?
    /// Whether the packets are encrypted: the description has a key.
    package private(set) var isEncrypted: Bool
    /// The sender's name, for display: `i=`.
    package var name: String?
    /// `min-latency` and `max-latency`, frames; informational.
    package var latencies: (least: UInt32?, most: UInt32?) { (minLatency, maxLatency) }
    private var minLatency: UInt32?
    private var maxLatency: UInt32?

    /// The media type.
    package static let contentType = "application/sdp"
    /// Most bytes of a description; known ones have about 300, and 800 with a key.
    package static let byteLimit = 4096
    /// Most lines of a description; known ones have 8 to 12.
    package static let lineLimit = 64
    /// Most bytes of a name: no display shows more.
    package static let nameByteLimit = 256

    /// Creates the announcement of a stream.
    ///
    /// - Parameter key: `nil` for a stream in the clear.
    package init(_ coding: Coding, name: String? = nil, key: RSAKey? = nil) {
        self.coding = coding
        self.name = name
        self.key = key
        isEncrypted = key != nil
    }

    /// Reads a body.
    ///
    /// - Throws: ``MessageError`` if the description is too long, has no audio stream, or its numbers are
    ///   malformed.
    package init(body: [UInt8]) throws(MessageError) {
        guard body.count <= Self.byteLimit else { throw .outOfRange(key: "sdp", value: Int64(body.count)) }
        let lines = body.split { $0 == 0x0A || $0 == 0x0D }
        guard lines.count <= Self.lineLimit else { throw .outOfRange(key: "sdp", value: Int64(lines.count)) }
        var fields = Fields()
        for line in lines { try fields.read(String(decoding: line, as: UTF8.self)) }
        coding = try fields.coding()
        (isEncrypted, key) = (fields.isEncrypted, fields.key)
        name = fields.name
        (minLatency, maxLatency) = (fields.minLatency, fields.maxLatency)
    }

    /// Body of ANNOUNCE.
    ///
    /// - Parameters:
    ///   - session: The session's number.
    ///   - sender: The sender's address as text, without a zone; `receiver` is the speaker's.
    package func body(session: UInt32, from sender: String, to receiver: String) -> [UInt8] {
        let family = sender.contains(":") ? "IP6" : "IP4"
        var lines = ["v=0", "o=iTunes \(session) 0 IN \(family) \(sender)", "s=iTunes"]
        if let name { lines.append("i=" + name.filter { !$0.isNewline }) }
        lines += ["c=IN \(family) \(receiver)", "t=0 0", "m=audio 0 RTP/AVP 96"]
        switch coding {
        case .pcm(let rate, let channels): lines.append("a=rtpmap:96 L16/\(rate)/\(channels)")
        case .alac(let parameters):
            lines.append("a=rtpmap:96 AppleLossless")
            lines.append("a=fmtp:96 " + parameters.numbers.map { "\($0)" }.joined(separator: " "))
        case .other(let name): lines.append("a=rtpmap:96 " + name.filter { !$0.isNewline })
        }
        if let key {
            lines.append("a=rsaaeskey:" + base64Text(key.encryptedKey))
            lines.append("a=aesiv:" + base64Text(key.iv))
        }
        if let minLatency { lines.append("a=min-latency:\(minLatency)") }
        if let maxLatency { lines.append("a=max-latency:\(maxLatency)") }
        return Array(lines.map { $0 + "\r\n" }.joined().utf8)
    }

    /// The format of the packets; `nil` if it is not one of AirPlay 1: 16-bit stereo at 44.1 kHz, as PCM or
    /// as ALAC with the usual tuning and at most 4096 frames per packet.
    package var format: AudioWireFormat? {
        switch coding {
        case .pcm(44_100, 2): return .pcm44100x16
        case .alac(let alac):
            var usual = ALACParameters(framesPerPacket: alac.framesPerPacket)
            usual.longestRun = alac.longestRun
            guard alac == usual else { return nil }
            return .alac44100x16(framesPerPacket: Int(alac.framesPerPacket))
        case .pcm, .other: return nil
        }
    }

    /// The lines read so far.
    private struct Fields {
        var hasAudio = false
        var payloadType: Substring = "96"
        var map: String?
        var format: [UInt32]?
        var isEncrypted = false
        var encryptedKey: [UInt8]?
        var iv: [UInt8]?
        var name: String?
        var minLatency: UInt32?
        var maxLatency: UInt32?

        mutating func read(_ line: String) throws(MessageError) {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return }
            switch parts[0] {
            case "i" where !parts[1].isEmpty:
                name = ReceivedText.cut(String(parts[1]), toBytes: StreamAnnouncement.nameByteLimit)
            case "m": readMedia(parts[1])
            case "a": try readAttribute(parts[1])
            default: break
            }
        }

        /// Reads `audio 0 RTP/AVP 96`.
        private mutating func readMedia(_ text: Substring) {
            let words = text.split(separator: " ")
            guard !hasAudio, words.count >= 4, words[0] == "audio" else { return }
            hasAudio = true
            payloadType = words[3]
        }

        private mutating func readAttribute(_ text: Substring) throws(MessageError) {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? parts[1] : ""
            switch parts[0] {
            case "rtpmap": map = payload(value).map { ReceivedText.cut(String($0), toBytes: 64) }
            case "fmtp":
                guard let payload = payload(value) else { return }
                let words = payload.split(separator: " ")
                guard words.count <= 16 else { throw .malformedText(field: "fmtp") }
                let numbers = words.compactMap { UInt32($0) }
                guard numbers.count == words.count else { throw .malformedText(field: "fmtp") }
                format = numbers
            case "rsaaeskey": (isEncrypted, encryptedKey) = (true, base64Bytes(String(value)))
            case "aesiv": (isEncrypted, iv) = (true, base64Bytes(String(value)))
            case "fpaeskey", "mfiaeskey": isEncrypted = true
            case "min-latency": minLatency = UInt32(value)
            case "max-latency": maxLatency = UInt32(value)
            default: break
            }
        }

        /// Returns the text after the payload type, if it is that of the audio stream.
        private func payload(_ text: Substring) -> Substring? {
            let parts = text.split(separator: " ", maxSplits: 1)
            return parts.count == 2 && parts[0] == payloadType ? parts[1] : nil
        }

        var key: RSAKey? {
            guard let encryptedKey, let iv else { return nil }
            return RSAKey(encryptedKey: encryptedKey, iv: iv)
        }

        func coding() throws(MessageError) -> Coding {
            guard hasAudio else { throw .missing(key: "m=audio") }
            guard let map else { throw .missing(key: "rtpmap") }
            let parts = map.split(separator: "/")
            switch parts.first?.lowercased() {
            case "applelossless":
                guard let format, let alac = ALACParameters(numbers: format) else {
                    throw .malformedText(field: "fmtp")
                }
                return .alac(alac)
            case "l16":
                guard parts.count == 3, let rate = UInt32(parts[1]), let channels = UInt32(parts[2]) else {
                    throw .malformedText(field: "rtpmap")
                }
                return .pcm(sampleRate: rate, channelCount: channels)
            default: return .other(map)
            }
        }
    }
}
