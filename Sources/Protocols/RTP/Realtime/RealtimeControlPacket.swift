import TuttiMediaTime
import TuttiWire

/// A packet on the control ports of a realtime stream.
///
/// Layout, big-endian; byte 0 is `80`, or `90` in the first packet after a start or a flush:
///
///     D7  time announce   u16 6; u32 frame 1; u64 network time in ns; u32 frame 2; u64 clock identity
///     D4  sync            u16 7 or 4; u32 frame at the time; u64 NTP time; u32 frame of the next packet
///     55  request (D5)    u16 1; u16 first sequence number; u16 count
///     56  answer (D6)     u16; the packet from its first byte on
///
/// *Observed* with AirPlay senders; types come with and without the marker bit.
package enum RealtimeControlPacket: Hashable, Sendable {
    /// The frame and the network time at which it is heard, before the constant latency that receivers add.
    case timeAnnounce(TimeAnnounce)
    /// The frame and the sender's NTP time.
    case sync(NTPSync)
    /// A request for lost packets.
    case resendRequest(ResendRequest)
    /// A re-sent packet as it was sent first: in AirPlay 2 still encrypted. Empty if the sender no longer has it.
    case resent([UInt8])

    /// The body of ``timeAnnounce(_:)``.
    package struct TimeAnnounce: Hashable, Sendable {
        /// Whether this is the first packet after a start or a flush.
        package var isFirst: Bool
        /// RTP time of the frame due at ``networkTime``, before receivers add their latency.
        package var frame: RTPTime
        /// Time of ``frame`` on the PTP clock ``clock``.
        package var networkTime: NetworkTime
        /// The second frame of the packet.
        package var nextFrame: RTPTime
        /// The PTP clock of ``networkTime``.
        package var clock: ClockIdentity

        /// Creates a body from its parts.
        package init(
            isFirst: Bool, frame: RTPTime, networkTime: NetworkTime, nextFrame: RTPTime, clock: ClockIdentity
        ) {
            self.isFirst = isFirst
            self.frame = frame
            self.networkTime = networkTime
            self.nextFrame = nextFrame
            self.clock = clock
        }
    }

    /// The body of ``sync(_:)``.
    package struct NTPSync: Hashable, Sendable {
        /// Whether this is the first packet after a start or a flush.
        package var isFirst: Bool
        /// Whether bytes 2 and 3 are 7: receivers then play 11,025 frames later (*observed*).
        package var addsLatency: Bool
        /// RTP time of the frame at ``ntpTime``.
        package var frame: RTPTime
        /// The NTP time in 32.32 fixed point, with any epoch.
        package var ntpTime: UInt64
        /// RTP time of the next packet.
        package var nextFrame: RTPTime

        /// Creates a body from its parts.
        package init(
            isFirst: Bool, addsLatency: Bool = true, frame: RTPTime, ntpTime: UInt64, nextFrame: RTPTime
        ) {
            self.isFirst = isFirst
            self.addsLatency = addsLatency
            self.frame = frame
            self.ntpTime = ntpTime
            self.nextFrame = nextFrame
        }

        /// The NTP time in nanoseconds since the sender's epoch. Always fits: 2³² s are 136 years.
        package var networkTime: NetworkTime {
            let seconds = Int64(ntpTime >> 32)
            let fraction = Int64(((ntpTime & 0xFFFF_FFFF) * 1_000_000_000) >> 32)
            return NetworkTime(nanoseconds: seconds * 1_000_000_000 + fraction)
        }
    }

    /// The body of ``resendRequest(_:)``.
    package struct ResendRequest: Hashable, Sendable {
        /// The first sequence number.
        package var first: UInt16
        /// The number of packets.
        package var count: UInt16

        /// Creates a body from its parts.
        package init(first: UInt16, count: UInt16) {
            self.first = first
            self.count = count
        }
    }

    /// Reads a datagram.
    package init(parsing bytes: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(bytes)
        let head = try reader.byte(field: "version")
        guard head & 0xC0 == 0x80 else { throw .unexpected(field: "version", value: UInt64(head)) }
        let isFirst = head & 0x10 != 0
        let kind = try reader.byte(field: "type") & 0x7F
        let word = try reader.integer(UInt16.self, field: "length")
        switch kind {
        case 0x57:
            let frame = try reader.integer(UInt32.self, field: "frame")
            let time = try reader.integer(UInt64.self, field: "time")
            guard let nanoseconds = Int64(exactly: time) else {
                throw .outOfRange(field: "time", value: time)
            }
            let next = try reader.integer(UInt32.self, field: "next frame")
            let clock = try reader.integer(UInt64.self, field: "clock")
            self = .timeAnnounce(
                TimeAnnounce(
                    isFirst: isFirst, frame: RTPTime(rawValue: frame),
                    networkTime: NetworkTime(nanoseconds: nanoseconds), nextFrame: RTPTime(rawValue: next),
                    clock: ClockIdentity(rawValue: clock)))
        case 0x54:
            let frame = try reader.integer(UInt32.self, field: "frame")
            let time = try reader.integer(UInt64.self, field: "time")
            let next = try reader.integer(UInt32.self, field: "next frame")
            self = .sync(
                NTPSync(
                    isFirst: isFirst, addsLatency: word == 7, frame: RTPTime(rawValue: frame), ntpTime: time,
                    nextFrame: RTPTime(rawValue: next)))
        case 0x55:
            self = .resendRequest(
                ResendRequest(
                    first: try reader.integer(UInt16.self, field: "first"),
                    count: try reader.integer(UInt16.self, field: "count")))
        case 0x56:
            let rest = Array(reader.rest())
            self = .resent(rest.count <= RealtimePacket.headerByteCount ? [] : rest)
        default: throw .unexpected(field: "type", value: UInt64(kind))
        }
    }

    /// The packet as a datagram.
    package var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 32)
        switch self {
        case .timeAnnounce(let announce):
            Self.head(0xD7, 6, isFirst: announce.isFirst, to: &writer)
            writer.integer(announce.frame.rawValue)
            writer.integer(UInt64(bitPattern: announce.networkTime.nanoseconds))
            writer.integer(announce.nextFrame.rawValue)
            writer.integer(announce.clock.rawValue)
        case .sync(let sync):
            Self.head(0xD4, sync.addsLatency ? 7 : 4, isFirst: sync.isFirst, to: &writer)
            writer.integer(sync.frame.rawValue)
            writer.integer(sync.ntpTime)
            writer.integer(sync.nextFrame.rawValue)
        case .resendRequest(let request):
            Self.head(0xD5, 1, isFirst: false, to: &writer)
            writer.integer(request.first)
            writer.integer(request.count)
        case .resent(let packet):
            Self.head(0xD6, 1, isFirst: false, to: &writer)
            writer.append(packet)
        }
        return writer.bytes
    }

    private static func head(_ kind: UInt8, _ word: UInt16, isFirst: Bool, to writer: inout ByteWriter) {
        writer.integer(UInt8(isFirst ? 0x90 : 0x80))
        writer.integer(kind)
        writer.integer(word)
    }
}
