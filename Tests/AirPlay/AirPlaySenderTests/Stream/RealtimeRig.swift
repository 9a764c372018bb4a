import AirPlayMessages
import TuttiMediaTime
import TuttiRTP

@testable import AirPlaySender

/// A sender with a store, and the datagrams that it has sent.
struct RealtimeRig: ~Copyable {
    static let begin = HostTime(nanoseconds: 10_000_000_000)
    /// The time of a clock that runs with host time.
    static let stamp: RealtimeSender.Stamps = { host in
        ClockStamp(time: NetworkTime(nanoseconds: host.nanoseconds), clock: ClockIdentity(rawValue: 0x42))
    }

    struct Sent {
        var at: HostTime
        var port: RealtimeSender.Port
        var bytes: [UInt8]

        var sequence: UInt16 { UInt16(bytes[2]) << 8 | UInt16(bytes[3]) }
        var time: UInt32 { bytes[4..<8].reduce(0) { $0 << 8 | UInt32($1) } }
    }

    var sender: RealtimeSender
    let store = PacketStore()
    var sent: [Sent] = []
    var now = RealtimeRig.begin

    init(
        _ traits: RealtimeTraits = RealtimeTraits(format: .alac44100x16, clock: .ntp),
        stamp: @escaping RealtimeSender.Stamps = RealtimeRig.stamp
    ) {
        sender = RealtimeSender(
            traits, coding: .clear, numbers: HandshakeRun.numbers,
            stamp: stamp)
    }

    func append(packets: Range<Int64>) {
        for number in packets {
            withUnsafeBytes(of: UInt32(number)) {
                store.append(frame: number * 352, frameCount: 352, format: .alac44100x16, payload: $0)
            }
        }
    }

    mutating func pump() {
        var sent: [Sent] = []
        let now = now
        sender.pump(at: now, from: store) { port, bytes in
            sent.append(Sent(at: now, port: port, bytes: Array(bytes)))
        }
        self.sent += sent
    }

    mutating func start(_ frame: Int64, after lead: Duration) {
        sender.start(
            FrameLine(frame: frame, host: now.advanced(by: lead), sampleRate: .hz44100),
            from: store.index(holding: frame, leading: 0))
        pump()
    }

    /// Lets time pass, and wakes the sender when it wants.
    mutating func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        while let next = sender.deadline, next <= end {
            now = max(now, next)
            pump()
        }
        now = end
    }

    /// The packets of sound, without the copies.
    func data() -> [Sent] {
        var seen: Set<[UInt8]> = []
        return sent.filter { $0.port == .data && seen.insert($0.bytes).inserted }
    }

    func all() -> [Sent] { sent.filter { $0.port == .data } }
    func controls() -> [RealtimeControlPacket] {
        sent.filter { $0.port == .control }.compactMap {
            try? RealtimeControlPacket(parsing: $0.bytes[...])
        }
    }
}
