import Testing
import TuttiMediaTime
import TuttiRTP
import TuttiTestSupport

@testable import AirPlayReceiver

@Suite("Packets of a realtime stream that are lost before any has come")
struct LostBeginningTests {
    private static func packet(_ number: Int, time: Int? = nil, isFirst: Bool = false) -> RealtimePacket {
        RealtimePacket(
            sequenceNumber: UInt16(truncatingIfNeeded: number),
            rtpTime: RTPTime(rawValue: UInt32(time ?? number * 352)), isFirst: isFirst, payload: [1])
    }

    private static func beginning(_ number: Int, time: Int? = nil) -> RealtimeWindow.Beginning {
        let packet = Self.packet(number, time: time)
        return RealtimeWindow.Beginning(number: packet.sequenceNumber, rtpTime: packet.rtpTime)
    }

    private static func time(_ milliseconds: Int) -> HostTime { RealtimeWindowTests.time(milliseconds) }

    private func numbers(_ packets: [RealtimePacket]) -> [UInt16] { packets.map(\.sequenceNumber) }

    @Test("are requested, and come out first")
    func requested() {
        var window = RealtimeWindow()
        window.begin(with: Self.beginning(65_534))
        #expect(window.receive(Self.packet(65_536), at: Self.time(0)).isEmpty)
        let first = window.handleTime(Self.time(100)) { _ in Self.time(2000) }
        #expect(first.ready.isEmpty && first.requests == [.init(first: 65_534, count: 2)])
        #expect(window.receive(Self.packet(65_535), at: Self.time(120)).isEmpty)
        let ready = window.receive(Self.packet(65_534, isFirst: true), at: Self.time(130))
        #expect(numbers(ready) == [65_534, 65_535, 0])
        #expect(window.lostCount == 0 && window.lostAtBeginning == 0)
    }

    @Test("count as lost at the beginning when they are given up, and later ones do not")
    func counted() {
        var window = RealtimeWindow()
        window.begin(with: Self.beginning(10))
        _ = window.receive(Self.packet(13), at: Self.time(0))
        _ = window.receive(Self.packet(12), at: Self.time(10))
        #expect(numbers(window.handleTime(Self.time(900)) { _ in Self.time(1000) }.ready) == [12, 13])
        #expect(window.lostCount == 2 && window.lostAtBeginning == 2)
        _ = window.receive(Self.packet(15), at: Self.time(910))
        #expect(numbers(window.handleTime(Self.time(1900)) { _ in Self.time(2000) }.ready) == [15])
        #expect(window.lostCount == 3 && window.lostAtBeginning == 2)
        // Another run.
        window.flush()
        window.begin(with: Self.beginning(16))
        _ = window.receive(Self.packet(17), at: Self.time(3000))
        _ = window.handleTime(Self.time(3900)) { _ in Self.time(4000) }
        #expect(window.lostAtBeginning == 3)
    }

    @Test("are known by the number alone after a flush, if the sender marks its first packets")
    func leaping() {
        var window = RealtimeWindow()
        #expect(numbers(window.receive(Self.packet(5, isFirst: true), at: Self.time(0))) == [5])
        window.flush()
        window.begin(with: Self.beginning(6))
        #expect(window.receive(Self.packet(7, time: 99_000), at: Self.time(10)).isEmpty)
        let ready = window.receive(Self.packet(6, time: 98_648, isFirst: true), at: Self.time(20))
        #expect(numbers(ready) == [6, 7])
    }

    private static let unbelieved: [(String, RealtimeWindow.Beginning?, RealtimePacket)] = [
        ("nothing was told", nil, packet(12)),
        ("the packet itself", beginning(12), packet(12)),
        ("a later one", beginning(14), packet(12)),
        ("one too far before", beginning(1000), packet(1129)),
        ("another RTP time of a sender that marks nothing", beginning(11, time: 77), packet(12)),
        ("the packet is marked as the first", beginning(10), packet(12, isFirst: true)),
    ]

    @Test("are not looked for where none is known to be missing", arguments: 0..<unbelieved.count)
    func none(index: Int) {
        let (name, beginning, packet) = Self.unbelieved[index]
        var window = RealtimeWindow()
        if let beginning { window.begin(with: beginning) }
        let ready = window.receive(packet, at: Self.time(0))
        #expect(numbers(ready) == [packet.sequenceNumber], "\(name)")
        #expect(window.nextDeadline { _ in nil } == nil, "\(name)")
    }

    @Test("come out first if they come soon, where the sender names none", arguments: [true, false])
    func overtaken(isMarked: Bool) {
        var window = RealtimeWindow(settles: true)
        #expect(window.receive(Self.packet(12), at: Self.time(0)).isEmpty)
        #expect(window.receive(Self.packet(14), at: Self.time(1)).isEmpty)
        let ready = window.receive(Self.packet(10, isFirst: isMarked), at: Self.time(2))
        #expect(numbers(ready).isEmpty == !isMarked)
        #expect(window.nextDeadline { _ in nil } == Self.time(isMarked ? 101 : 20))
        let settled = window.handleTime(Self.time(20)) { _ in Self.time(2000) }
        #expect(numbers(ready + settled.ready) == [10])
        let requests = window.handleTime(Self.time(102)) { _ in Self.time(2000) }.requests
        #expect(requests == [.init(first: 11, count: 1), .init(first: 13, count: 1)])
        #expect(numbers(window.receive(Self.packet(11), at: Self.time(103))) == [11, 12])
        #expect(numbers(window.receive(Self.packet(13), at: Self.time(103))) == [13, 14])
    }

    @Test("come out first if they are marked, also if many others have overtaken them")
    func overtakenByMany() {
        var window = RealtimeWindow(settles: true)
        for number in 40..<70 { _ = window.receive(Self.packet(number), at: Self.time(0)) }
        #expect(numbers(window.receive(Self.packet(10, isFirst: true), at: Self.time(1))) == [10])
        let requests = window.handleTime(Self.time(102)) { _ in Self.time(2000) }.requests
        #expect(requests == [.init(first: 11, count: 29)])
    }

    @Test("are few, whatever comes while the first one is waited for")
    func bounded() {
        var window = RealtimeWindow(settles: true)
        for step in 0..<4000 {
            _ = window.receive(Self.packet(60_000 - 16 * step, time: 0), at: Self.time(1))
        }
        #expect(window.waitingCount <= RealtimeWindow.packetLimit)
        _ = window.receive(Self.packet(60_001, time: 0), at: Self.time(30))
        #expect(window.handleTime(Self.time(31)) { _ in nil }.ready.count <= 2)
    }

    @Test("are not waited for long, and none from far before, where the sender names none")
    func settled() {
        var window = RealtimeWindow(settles: true)
        #expect(window.receive(Self.packet(1000), at: Self.time(0)).isEmpty)
        #expect(window.receive(Self.packet(900), at: Self.time(1)).isEmpty)
        #expect(window.receive(Self.packet(1001), at: Self.time(8)).isEmpty)
        #expect(numbers(window.handleTime(Self.time(20)) { _ in nil }.ready) == [1000, 1001])
        #expect(window.receive(Self.packet(999), at: Self.time(21)).isEmpty)
        #expect(window.refusedCount == 2 && window.nextDeadline { _ in nil } == nil)
        window.flush()
        #expect(numbers(window.receive(Self.packet(7, isFirst: true), at: Self.time(30))) == [7])
    }

    @Test("are told too late once a packet has come")
    func late() {
        var window = RealtimeWindow()
        _ = window.receive(Self.packet(12), at: Self.time(0))
        window.begin(with: Self.beginning(10))
        #expect(numbers(window.receive(Self.packet(13), at: Self.time(1))) == [13])
    }

    @Test(
        "like all others, over a link that loses every fifth packet and answer, each is heard or counted",
        arguments: 1...40 as ClosedRange<UInt64>)
    func lossy(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var window = RealtimeWindow()
        window.begin(with: Self.beginning(7))
        var out: [UInt16] = []
        for turn in 0..<400 {
            let now = Self.time(turn * 8)
            if turn < 300, Int.random(in: 0..<5, using: &random) > 0 {
                out += numbers(window.receive(Self.packet(7 + turn, isFirst: turn == 0), at: now))
            }
            let (ready, requests) = window.handleTime(now) { time in
                Self.time(500 + (Int(time.rawValue) / 352 - 7) * 8)
            }
            out += numbers(ready)
            for request in requests {
                for offset in 0..<request.count where Int.random(in: 0..<5, using: &random) > 0 {
                    let number = Int(request.first + offset)
                    out += numbers(window.receive(Self.packet(number, isFirst: number == 7), at: now))
                }
            }
        }
        #expect(out == out.sorted())
        let last = try #require(out.last)
        #expect(out.count + window.lostCount == Int(last) - 6)
        #expect(window.lostCount < 20)
    }
}
