import Dispatch
import Glibc
import MediaTime
import SystemIO

public enum ClockServiceError: Error {}
public enum PeerClockState: Hashable, Sendable { case waiting, ready, stalled }
public final class ClockService: @unchecked Sendable {
    public struct Configuration: Sendable {
        public var identity = ClockIdentity(rawValue: 0x0200_0000_4c41_4201)
        public init() {}
    }
    public let identity: ClockIdentity
    let q = DispatchQueue(label: "stubclock")
    var peers: [IPAddress: HostTime] = [:]
    var kicks: [IPAddress: HostTime] = [:]
    var fd319: Int32 = -1, fd320: Int32 = -1
    var seq: UInt16 = 0
    var tick = 0
    var timer: DispatchSourceTimer?
    public init(configuration: Configuration) throws(ClockServiceError) {
        identity = configuration.identity
        fd319 = sock(319); fd320 = sock(320)
        let t = DispatchSource.makeTimerSource(queue: q)
        t.schedule(deadline: .now(), repeating: .milliseconds(25))
        t.setEventHandler { [weak self] in self?.fire() }
        t.resume(); timer = t
    }
    func sock(_ port: UInt16) -> Int32 {
        let fd = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var a = sockaddr_in(); a.sin_family = sa_family_t(AF_INET); a.sin_port = port.bigEndian
        _ = withUnsafePointer(to: &a) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, 16) }
        }
        return fd
    }
    func hdr(_ type: UInt8, _ len: UInt16, _ flags: UInt16, _ seq: UInt16, _ ctl: UInt8, _ log: UInt8)
        -> [UInt8]
    {
        var b: [UInt8] = [
            0x10 | type, 2, UInt8(len >> 8), UInt8(len & 255), 0, 0, UInt8(flags >> 8), UInt8(flags & 255),
        ]
        b += [UInt8](repeating: 0, count: 12)
        b += id8 + [0x80, 0x05, UInt8(seq >> 8), UInt8(seq & 255), ctl, log]
        return b
    }
    var id8: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: identity.rawValue >> UInt64(56 - 8 * $0)) } }
    func send(_ fd: Int32, _ port: UInt16, _ peer: IPAddress, _ b: [UInt8]) {
        var a = sockaddr_in(); a.sin_family = sa_family_t(AF_INET); a.sin_port = port.bigEndian
        let x = peer.bytes;
        a.sin_addr.s_addr = UInt32(x[0]) | UInt32(x[1]) << 8 | UInt32(x[2]) << 16 | UInt32(x[3]) << 24
        _ = withUnsafePointer(to: &a) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { sendto(fd, b, b.count, 0, $0, 16) }
        }
    }
    func fire() {
        tick += 1
        let now = SystemClock.now
        for (p, since) in peers {
            let k = kicks[p] ?? since
            let fast = now.since(k) < .milliseconds(1200)
            if fast ? tick % 4 == 0 : tick % 40 == 0 { announce(p) }
            if fast || tick % 5 == 0 { sync(p) }
        }
    }
    func announce(_ p: IPAddress) {
        var b = hdr(0xB, 76, 0x0408, seq, 5, 0)
        b +=
            [UInt8](repeating: 0, count: 13) + [128, 6, 0x21, 0x43, 0x6A, 128] + id8 + [
                0, 0, 0x20, 0, 8, 0, 8,
            ] + id8
        send(fd320, 320, p, b)
    }
    func sync(_ p: IPAddress) {
        seq &+= 1
        send(fd319, 319, p, hdr(0, 44, 0x0608, seq, 0, 0xFD) + [UInt8](repeating: 0, count: 10))
        var b = hdr(8, 96, 0x0408, seq, 2, 0xFD)
        let n = SystemClock.now.nanoseconds, s = UInt64(n / 1_000_000_000), ns = UInt32(n % 1_000_000_000)
        b +=
            (0..<6).map { UInt8(truncatingIfNeeded: s >> UInt64(40 - 8 * $0)) }
            + (0..<4).map { UInt8(truncatingIfNeeded: ns >> UInt32(24 - 8 * $0)) }
        b +=
            [0, 3, 0, 28, 0, 0x80, 0xC2, 0, 0, 1] + [UInt8](repeating: 0, count: 22) + [
                0, 3, 0, 16, 0, 0x0D, 0x93, 0, 0, 4,
            ] + id8 + [0, 0]
        send(fd320, 320, p, b)
    }
    public func networkTime(at host: HostTime) -> NetworkTime { NetworkTime(nanoseconds: host.nanoseconds) }
    public func addPeer(_ a: IPAddress, pathDelay: Duration?, asksForDelay: Bool?) {
        q.async {
            self.peers[a] = SystemClock.now; self.announce(a); self.sync(a)
        }
    }
    public func setAsksForDelay(_ b: Bool, of a: IPAddress) {}
    public func kick(_ a: IPAddress) {
        q.sync {
            self.kicks[a] = SystemClock.now; self.announce(a); self.sync(a)
        }
    }
    public func removePeer(_ a: IPAddress) { q.asyncAfter(deadline: .now() + 0.6) { self.peers[a] = nil } }
    public func readyTime(of a: IPAddress) -> HostTime? {
        q.sync { kicks[a]?.advanced(by: .milliseconds(720)) }
    }
    public func state(of a: IPAddress) -> PeerClockState { .ready }
    public func close() async { try? await Task.sleep(for: .milliseconds(650)) }
}
