import Testing
import TuttiMediaTime

@testable import TuttiWeb

@Suite("Planning of requests")
struct FetchPlannerTests {
    static let start = HostTime(nanoseconds: 5_000_000_000)
    private static let cut = TransferFailure(error: .lost("reset"), isLoss: true)

    static func at(_ seconds: Double) -> HostTime { start.advanced(by: .seconds(seconds)) }

    private static let withoutLead: WebLimits = {
        var limits = WebLimits()
        limits.leadBytes = 0
        return limits
    }()

    /// Returns a planner that has received a response and the given number of bytes.
    static func open(_ count: Int, of length: Int64? = 1_000_000, limits: WebLimits = WebLimits())
        -> FetchPlanner
    {
        var planner = FetchPlanner(address: "http://a/b", limits: limits)
        planner.start(at: start)
        _ = Self.actions(&planner)
        var head = WebHead(status: length == nil ? 200 : 206)
        if let length { head.headers = [("content-range", "bytes 0-\(length - 1)/\(length)")] }
        if length == nil { head.headers = [("icy-name", "x")] }
        #expect(Self.head(&planner, 1, head, address: "http://a/b", at: start))
        Self.give(&planner, 1, count, at: start)
        return planner
    }

    static func give(_ planner: inout FetchPlanner, _ serial: Int, _ count: Int, at now: HostTime) {
        let bytes = [UInt8](repeating: 7, count: count)
        bytes.withUnsafeBytes { _ = planner.receive(serial, $0, at: now) }
    }

    static func take(_ planner: inout FetchPlanner, _ count: Int, at now: HostTime) -> FetchPlanner.Reading {
        var room = [UInt8](repeating: 0, count: count)
        return room.withUnsafeMutableBytes { planner.read(into: $0, at: now) }
    }

    static func actions(_ planner: inout FetchPlanner) -> [FetchPlanner.Action] { planner.takeActions() }

    static func head(
        _ planner: inout FetchPlanner, _ serial: Int, _ head: WebHead, address: String, at now: HostTime
    ) -> Bool {
        planner.head(serial, head, address: address, at: now)
    }

    static func asks(_ actions: [FetchPlanner.Action]) -> [FetchPlanner.Ask] {
        actions.compactMap { if case .ask(let ask) = $0 { ask } else { nil } }
    }

    @Test("attempts wait 0, 250, 500, 1000, 2000, 4000, 4000 ms")
    func backOff() {
        var backOff = BackOff(first: .milliseconds(250), longest: .seconds(4))
        let waits = (0..<7).map { _ in backOff.next() }
        #expect(waits == [0, 250, 500, 1000, 2000, 4000, 4000].map { .milliseconds($0) })
        backOff.reset()
        let first = backOff.next()
        #expect(first == .zero)
    }

    @Test("a lost connection is retried at once, then ever later, until the time limit")
    func retries() {
        var planner = Self.open(1000)
        #expect(Self.take(&planner, 1000, at: Self.start) == .bytes(1000))
        #expect(Self.take(&planner, 1000, at: Self.start) == .wait)
        var now = Self.start
        var (serial, times) = (1, [Double]())
        while planner.failure == nil, times.count < 20 {
            planner.finish(serial, Self.cut, at: now)
            if planner.failure != nil { break }
            while true {
                if let ask = Self.asks(Self.actions(&planner)).first {
                    #expect(ask.offset == 1000)
                    #expect(ask.cause == .retry("\(WebError.lost("reset"))"))
                    serial = ask.serial
                    break
                }
                guard let deadline = planner.nextDeadline, deadline > now else { break }
                now = deadline
                planner.handleTimeout(at: now)
                if planner.failure != nil { break }
            }
            times.append(now.since(Self.start).inSeconds)
        }
        #expect(times.prefix(6) == [0, 0.25, 0.75, 1.75, 3.75, 7.75])
        #expect(planner.failure == .timedOut(.seconds(15)))
        #expect(now == Self.at(15))
    }

    @Test("received bytes reset the count of attempts")
    func progress() {
        var planner = Self.open(1000)
        planner.finish(1, Self.cut, at: Self.at(1))
        let ask = Self.asks(Self.actions(&planner)).first
        #expect(ask?.offset == 1000 && ask?.serial == 2)
        let head = WebHead(status: 206, headers: [("content-range", "bytes 1000-999999/1000000")])
        #expect(Self.head(&planner, 2, head, address: "http://a/b", at: Self.at(1)))
        Self.give(&planner, 2, 500, at: Self.at(2))
        planner.finish(2, Self.cut, at: Self.at(3))
        #expect(Self.asks(Self.actions(&planner)).map(\.offset) == [1500])
    }

    /// A reader that consumes `count` bytes every second as they arrive.
    ///
    /// - Returns: The second of the reported failure, and the failure.
    private static func drip(_ count: Int, seconds: Int, limits: WebLimits = WebLimits()) -> (
        second: Int, error: WebError
    )? {
        var planner = Self.open(0, limits: limits)
        for second in 0..<seconds {
            let now = at(Double(second))
            planner.handleTimeout(at: now)
            if second > 0, planner.failure == nil { give(&planner, 1, count, at: now) }
            while case .bytes = take(&planner, 100_000, at: now) {}
            if case .failed(let error) = take(&planner, 1, at: now) { return (second, error) }
        }
        return nil
    }

    @Test(
        "a server slower than 128 bytes a second is given up after 30 s, or the longer time limit")
    func tooSlow() throws {
        let found = try #require(Self.drip(1, seconds: 100))
        #expect(found.second == 30 && found.error == .tooSlow(bytes: 29, .seconds(30)))
        #expect("\(found.error)".contains("29 bytes arrived in 30 s"))
        var patient = WebLimits()
        patient.timeLimit = .seconds(60)
        #expect(Self.drip(100, seconds: 100, limits: patient)?.second == 60)
    }

    @Test("a server slightly faster than that is waited for", arguments: [140, 600, 14_000])
    func slow(count: Int) { #expect(Self.drip(count, seconds: 600) == nil) }

    @Test("after a reader's absence the server gets its full time")
    func away() {
        var planner = Self.open(10)
        #expect(Self.take(&planner, 100, at: Self.at(1)) == .bytes(10))
        #expect(Self.take(&planner, 100, at: Self.at(1)) == .wait)
        Self.give(&planner, 1, 10, at: Self.at(2))
        #expect(Self.take(&planner, 100, at: Self.at(2)) == .bytes(10))
        for second in 3..<40 { Self.give(&planner, 1, 1, at: Self.at(Double(second))) }
        #expect(Self.take(&planner, 100, at: Self.at(40)) == .bytes(37))
        #expect(Self.take(&planner, 100, at: Self.at(50)) == .wait)
        planner.handleTimeout(at: Self.at(51))
        #expect(planner.failure == nil)
    }

    @Test("a silent connection is given up after 5 s, a paused one never")
    func stall() {
        var planner = Self.open(1000)
        #expect(planner.nextDeadline == Self.at(5))
        planner.handleTimeout(at: Self.at(4.9))
        #expect(Self.actions(&planner).isEmpty)
        planner.handleTimeout(at: Self.at(5))
        let actions = Self.actions(&planner)
        #expect(actions.first == .abandon(serial: 1))
        #expect(Self.asks(actions).map(\.offset) == [1000])

        var limits = WebLimits()
        limits.windowBytes = 1000
        var full = Self.open(1000, limits: limits)
        Self.give(&full, 1, 10, at: Self.at(1))
        #expect(full.nextDeadline == nil)
        #expect(Self.take(&full, 600, at: Self.at(100)) == .bytes(600))
        #expect(Self.actions(&full) == [.resume(serial: 1)])
    }

    @Test("a server that drops a paused connection is asked again when bytes are needed")
    func idle() {
        var limits = WebLimits()
        limits.windowBytes = 1000
        var planner = Self.open(1000, limits: limits)
        Self.give(&planner, 1, 10, at: Self.at(1))
        planner.finish(1, Self.cut, at: Self.at(60))
        #expect(Self.actions(&planner).isEmpty)
        #expect(Self.take(&planner, 1000, at: Self.at(600)) == .bytes(1000))
        #expect(Self.take(&planner, 10, at: Self.at(600)) == .wait)
        let asks = Self.asks(Self.actions(&planner))
        #expect(asks.map(\.cause) == [.needed] && asks.map(\.offset) == [1000])
    }

    @Test("an unanswered request is repeated after 10 s")
    func noAnswer() {
        var planner = FetchPlanner(address: "http://a/b", limits: WebLimits())
        planner.start(at: Self.start)
        #expect(Self.asks(Self.actions(&planner)).map(\.cause) == [.opening])
        planner.handleTimeout(at: Self.at(10))
        let actions = Self.actions(&planner)
        #expect(actions.first == .abandon(serial: 1))
        #expect(Self.asks(actions).map(\.cause) == [.retry("\(WebError.lost("no answer"))")])
    }

    @Test("a reader waits its full 15 s, however old the request")
    func lateReader() {
        var limits = WebLimits()
        limits.firstBackOff = .zero
        var planner = FetchPlanner(address: "http://a/b", limits: limits)
        planner.start(at: Self.start)
        planner.handleTimeout(at: Self.at(10))
        #expect(Self.take(&planner, 10, at: Self.at(12)) == .wait)
        _ = Self.actions(&planner)
        planner.handleTimeout(at: Self.at(20))
        #expect(Self.asks(Self.actions(&planner)).count == 1)
        #expect(Self.take(&planner, 10, at: Self.at(26.9)) == .wait)
        planner.handleTimeout(at: Self.at(27))
        #expect(Self.take(&planner, 10, at: Self.at(27)) == .failed(.timedOut(.seconds(15))))
    }

    @Test("the position left behind is released after 20 s, its bytes stay")
    func left() {
        var planner = Self.open(1000, limits: Self.withoutLead)
        planner.seek(to: 900_000)
        #expect(Self.take(&planner, 10, at: Self.at(1)) == .wait)
        #expect(Self.asks(Self.actions(&planner)).map(\.offset) == [900_000])
        let head = WebHead(status: 206, headers: [("content-range", "bytes 900000-999999/1000000")])
        #expect(Self.head(&planner, 2, head, address: "http://a/b", at: Self.at(1)))
        Self.give(&planner, 2, 50, at: Self.at(1))
        planner.finish(2, nil, at: Self.at(1))
        _ = Self.actions(&planner)
        planner.handleTimeout(at: Self.at(21))
        #expect(Self.actions(&planner).contains(.abandon(serial: 1)))
        #expect(planner.ranges == [0..<1000, 900_000..<900_050])
        planner.seek(to: 5)
        #expect(Self.take(&planner, 10, at: Self.at(30)) == .bytes(10))
        #expect(Self.actions(&planner).isEmpty)
    }

    @Test("a seek requests a little before its position, so that small steps back request nothing")
    func lead() {
        var planner = Self.open(1000)
        planner.seek(to: 900_000)
        #expect(Self.take(&planner, 10, at: Self.start) == .wait)
        #expect(Self.asks(Self.actions(&planner)).map(\.offset) == [900_000 - 32_768])
        let head = WebHead(status: 206, headers: [("content-range", "bytes 867232-999999/1000000")])
        #expect(Self.head(&planner, 2, head, address: "http://a/b", at: Self.start))
        Self.give(&planner, 2, 32_000, at: Self.start)
        #expect(Self.take(&planner, 10, at: Self.start) == .wait)
        Self.give(&planner, 2, 2000, at: Self.start)
        #expect(Self.take(&planner, 10, at: Self.start) == .bytes(10))
        planner.seek(to: 880_000)
        #expect(Self.take(&planner, 10, at: Self.start) == .bytes(10))
        planner.seek(to: 20_000)
        #expect(Self.take(&planner, 10, at: Self.start) == .wait)
        planner.seek(to: 300)
        #expect(Self.take(&planner, 10, at: Self.start) == .bytes(10))
        #expect(Self.asks(Self.actions(&planner)).isEmpty)
    }

    @Test("bytes between a seek and the next read take nothing away, and are held until wanted")
    func whileJumping() {
        var planner = Self.open(1000)
        #expect(Self.take(&planner, 10, at: Self.start) == .bytes(10))
        planner.seek(to: 900_000)
        let more = [UInt8](repeating: 7, count: 1000)
        #expect(more.withUnsafeBytes { planner.receive(1, $0, at: Self.start) } == .hold)
        #expect(planner.ranges == [0..<1000])
        planner.seek(to: 1000)
        #expect(Self.take(&planner, 10, at: Self.start) == .wait)
        #expect(Self.actions(&planner) == [.resume(serial: 1)])
        #expect(more.withUnsafeBytes { planner.receive(1, $0, at: Self.start) } == .taken)
        #expect(Self.take(&planner, 10, at: Self.start) == .bytes(10))
    }

    static let refusals: [(Int, Bool)] = [
        (404, false), (403, false), (500, true), (503, true), (429, true), (408, true), (410, false),
    ]

    @Test("bytes that will arrive soon are waited for", arguments: refusals)
    func refusedOnTheWay(status: Int, passes: Bool) {
        var planner = Self.open(1000)
        planner.finish(1, Self.cut, at: Self.start)
        _ = Self.actions(&planner)
        #expect(!Self.head(&planner, 2, WebHead(status: status), address: "http://a/b", at: Self.start))
        #expect(planner.failure == (passes ? nil : .status(status)))
        #expect((planner.nextDeadline != nil) == passes)
    }

    @Test("a vanished radio station may return")
    func radioGone() {
        var planner = Self.open(1000, of: nil)
        planner.finish(1, nil, at: Self.start)
        #expect(Self.asks(Self.actions(&planner)).map(\.isRanged) == [false])
        #expect(!Self.head(&planner, 2, WebHead(status: 404), address: "http://a/b", at: Self.start))
        #expect(planner.failure == nil && planner.nextDeadline == Self.at(0.25))
    }

    @Test("expired redirect targets are resolved again from the original address")
    func expired() {
        var planner = FetchPlanner(address: "http://a/b", limits: WebLimits())
        planner.start(at: Self.start)
        let head = WebHead(status: 206, headers: [("content-range", "bytes 0-99/100")])
        #expect(Self.head(&planner, 1, head, address: "http://cdn/x", at: Self.start))
        planner.finish(1, Self.cut, at: Self.start)
        #expect(Self.asks(Self.actions(&planner)).last?.address == "http://cdn/x")
        #expect(!Self.head(&planner, 2, WebHead(status: 403), address: "http://cdn/x", at: Self.start))
        planner.handleTimeout(at: Self.at(1))
        #expect(Self.asks(Self.actions(&planner)).last?.address == "http://a/b")
    }

    @Test("a partial source ends at its given end")
    func part() {
        var planner = FetchPlanner(address: "http://a/b", limits: WebLimits(), first: 100, last: 199)
        planner.start(at: Self.start)
        let ask = Self.asks(Self.actions(&planner)).first
        #expect(ask?.offset == 100 && ask?.last == 199)
        let head = WebHead(status: 206, headers: [("content-range", "bytes 100-199/1000")])
        #expect(Self.head(&planner, 1, head, address: "http://a/b", at: Self.start))
        Self.give(&planner, 1, 100, at: Self.start)
        planner.finish(1, nil, at: Self.start)
        #expect(Self.take(&planner, 500, at: Self.start) == .bytes(100))
        #expect(Self.take(&planner, 500, at: Self.start) == .end)
        #expect(Self.actions(&planner).isEmpty)
    }

    @Test("without range support a distant position is refused, and the old one still serves")
    func noRanges() {
        var limits = WebLimits()
        limits.skippedBytes = 5000
        var planner = FetchPlanner(address: "http://a/b", limits: limits)
        planner.start(at: Self.start)
        #expect(Self.head(&planner, 1, WebHead(status: 200), address: "http://a/b", at: Self.start))
        Self.give(&planner, 1, 100, at: Self.start)
        planner.seek(to: 9000)
        #expect(Self.take(&planner, 10, at: Self.start) == .failed(.noRanges))
        planner.seek(to: 0)
        #expect(Self.take(&planner, 10, at: Self.start) == .bytes(10))
    }

    @Test("random calls against known bytes never return a wrong one", arguments: 0..<20)
    func model(seed: UInt64) {
        let file = noise(60_000, seed: 3)
        var generator = SeededSteps(seed: seed)
        var limits = WebLimits()
        (limits.windowBytes, limits.keptBytes, limits.shortJumpBytes) = (4000, 1000, 500)
        var planner = FetchPlanner(address: "http://a/b", limits: limits)
        planner.start(at: Self.start)
        let server = ModelServer(file: file, generator: generator)
        var now = Self.start
        var position = 0
        for _ in 0..<3000 {
            now = now.advanced(by: .milliseconds(generator.next(200)))
            server.carryOut(Self.actions(&planner))
            switch generator.next(10) {
            case 0:
                position = generator.next(70_000)
                planner.seek(to: Int64(position))
            case 1: planner.handleTimeout(at: now)
            case 2...5: server.move(&planner, at: now)
            default:
                var room = [UInt8](repeating: 0, count: 1 + generator.next(3000))
                switch room.withUnsafeMutableBytes({ planner.read(into: $0, at: now) }) {
                case .bytes(let count):
                    #expect(room[..<count].elementsEqual(file[position..<position + count]))
                    position += count
                case .end: #expect(position >= file.count)
                case .wait: break
                case .failed(let error): #expect(error == .timedOut(limits.timeLimit))
                }
            }
            for range in planner.ranges { #expect(range.count <= 4000 + 1000 + 500 + 3000) }
        }
    }
}
