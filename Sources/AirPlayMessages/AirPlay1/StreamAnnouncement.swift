/// The session description in the body of an AirPlay 1 ANNOUNCE, as a sender writes it.
///
/// Source: RFC 8866; the attributes as AirPlay 1 uses them (*observed* from OwnTone, PipeWire and iTunes).
public struct StreamAnnouncement: Hashable, Sendable {
    /// The encryption of the sound.
    public struct Encryption: Hashable, Sendable {
        /// The AES key, encrypted with the receivers' RSA key, in base 64: `rsaaeskey`.
        public var key: String
        /// The initial vector of every packet, in base 64: `aesiv`.
        public var vector: String

        /// Creates the attributes of an encrypted stream.
        public init(key: String, vector: String) { (self.key, self.vector) = (key, vector) }
    }

    /// The media type of the body.
    public static let contentType = "application/sdp"

    /// The number of the session, as in its URL.
    public var session: UInt32
    /// The sender's address, without a zone.
    public var sender: String
    /// The receiver's address, without a zone.
    public var receiver: String
    /// Whether the addresses are of IPv6.
    public var isIPv6: Bool
    /// The format: ALAC or PCM, 16 bit, stereo.
    public var format: AudioWireFormat
    /// The encryption; `nil` for sound in the clear.
    public var encryption: Encryption?

    /// Creates the description of a stream in the clear.
    public init(
        session: UInt32, sender: String, receiver: String, isIPv6: Bool,
        format: AudioWireFormat = .alac44100x16
    ) {
        (self.session, self.sender, self.receiver, self.isIPv6) = (session, sender, receiver, isIPv6)
        self.format = format
    }

    /// The body of the request.
    public var body: [UInt8] {
        let family = isIPv6 ? "IP6" : "IP4"
        var lines = [
            "v=0", "o=iTunes \(session) 0 IN \(family) \(sender)", "s=iTunes",
            "c=IN \(family) \(receiver)", "t=0 0", "m=audio 0 RTP/AVP 96",
        ]
        if format.codec == .pcm {
            lines.append("a=rtpmap:96 L16/\(format.sampleRate.hertz)/\(format.channelCount)")
        } else {
            // Frames per packet, version, bits, three tuning values of ALAC, channels, run, longest packet and
            // mean rate (unknown), rate.
            lines += [
                "a=rtpmap:96 AppleLossless",
                "a=fmtp:96 \(format.framesPerPacket) 0 \(format.bitDepth ?? 16) 40 10 14 \(format.channelCount) "
                    + "255 0 0 \(format.sampleRate.hertz)",
            ]
        }
        if let encryption {
            lines += ["a=rsaaeskey:\(encryption.key)", "a=aesiv:\(encryption.vector)"]
        }
        return lines.flatMap { Array($0.utf8) + [13, 10] }
    }
}
