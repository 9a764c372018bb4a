import MediaTime
import Wire

/// A packet on the control ports of a realtime stream.
///
/// Layout, big-endian; byte 0 is `80`, or `90` in the first one after a start or a flush:
///
///     D7  time announce   u16 6; u32 frame 1; u64 network time in ns; u32 frame 2; u64 clock identity
///     D4  sync            u16 7 or 4; u32 frame at the time; u64 NTP time; u32 frame of the next packet
///     55  request (D5)    u16 1; u16 first sequence number; u16 count
///     56  answer (D6)     u16; the packet from its first byte on
///
/// *Observed* with AirPlay senders; types come with and without the marker bit.
public enum RealtimeControlPacket: Hashable, Sendable {
    /// The frame is heard at this time, before the fixed shift that receivers add.
    case timeAnnounce(TimeAnnounce)
    case sync(NTPSync)
    case resendRequest(ResendRequest)
    /// A packet that was asked for, still sealed. Empty when the sender has it no more.
    case resent([UInt8])

    public struct TimeAnnounce: Hashable, Sendable {
        public var isFirst: Bool
        public var frame: RTPTime
        public var networkTime: NetworkTime
        public var nextFrame: RTPTime
        public var clock: ClockIdentity

        public init(
            isFirst: Bool, frame: RTPTime, networkTime: NetworkTime, nextFrame: RTPTime, clock: ClockIdentity
        ) {
            self.isFirst = isFirst
            self.frame = frame
            self.networkTime = networkTime
            self.nextFrame = nextFrame
            self.clock = clock
        }
    }

    public struct NTPSync: Hashable, Sendable {
        public var isFirst: Bool
        /// Whether bytes 2 and 3 say 7: receivers then play 11,025 frames later (*observed*).
        public var addsLatency: Bool
        public var frame: RTPTime
        /// 32.32 fixed point, any epoch.
        public var ntpTime: UInt64
        public var nextFrame: RTPTime

        public init(
            isFirst: Bool, addsLatency: Bool = true, frame: RTPTime, ntpTime: UInt64, nextFrame: RTPTime
        ) {
            self.isFirst = isFirst
            self.addsLatency = addsLatency
            self.frame = frame
            self.ntpTime = ntpTime
            self.nextFrame = nextFrame
        }

        /// Nanoseconds since the sender's epoch; `nil` beyond 292 years is impossible, as 2³² s are 136 years.
        public var networkTime: NetworkTime {
            let seconds = Int64(ntpTime >> 32)
            let fraction = Int64(((ntpTime & 0xFFFF_FFFF) * 1_000_000_000) >> 32)
            return NetworkTime(nanoseconds: seconds * 1_000_000_000 + fraction)
        }
    }

    public struct ResendRequest: Hashable, Sendable {
        public var first: UInt16
        public var count: UInt16

        public init(first: UInt16, count: UInt16) {
            self.first = first
            self.count = count
        }
    }

    public init(parsing bytes: ArraySlice<UInt8>) throws(WireError) {
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
            self = .resent(rest.count < RealtimePacket.overhead ? [] : rest)
        default: throw .unexpected(field: "type", value: UInt64(kind))
        }
    }

    public var encoded: [UInt8] {
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
