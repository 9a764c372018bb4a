import Testing
import TuttiMediaTime

@testable import CoreMedia

@Suite("A line of presentation time")
struct PresentationLineTests {
    private static func host(_ nanoseconds: Int64) -> HostTime { HostTime(nanoseconds: nanoseconds) }

    private static func seconds(_ value: Double) -> CMTime {
        CMTime(seconds: value, preferredTimescale: 1000)
    }

    static let points: [(rate: Double, host: Double, time: Double)] = [
        (1, 100, 50), (1, 103, 53), (1, 99, 50), (1, -1e6, 50), (2, 101.5, 53), (0.5, 104, 52), (-1, 110, 40),
        (-1, 90, 50), (0, 104, 50),
    ]

    @Test("time stands until the anchor, and runs at the rate from then on", arguments: points)
    func time(rate: Double, host: Double, time: Double) {
        let line = PresentationLine(
            time: Self.seconds(50), host: Self.host(100_000_000_000), rate: rate)
        let now = Self.host(Int64(host * 1e9))
        #expect(line.time(at: now) == Self.seconds(time))
        #expect(line.isRunning(at: now) == (rate != 0 && host >= 100))
        #expect(line.stopped(at: now) == PresentationLine(standingAt: line.time(at: now), since: now))
    }

    static let instants: [(rate: Double, time: Double, host: Double?)] = [
        (1, 50, 100), (1, 53.25, 103.25), (1, 40, 90), (2, 53, 101.5), (0.5, 52, 104), (0, 53, nil),
        (-1, 53, nil),
    ]

    @Test("a time is heard at one host time while time runs forward", arguments: instants)
    func host(rate: Double, time: Double, host: Double?) {
        let line = PresentationLine(
            time: Self.seconds(50), host: Self.host(100_000_000_000), rate: rate)
        #expect(line.host(of: Self.seconds(time)) == host.map { Self.host(Int64($0 * 1e9)) })
    }

    @Test("at its host time a time has been heard, also where nanoseconds cannot express it")
    func roundsUp() throws {
        let line = PresentationLine(time: CMTime(value: 7, timescale: 44_100), host: Self.host(3), rate: 1)
        for frame: Int64 in [8, 9, 10, 44_101, 1_234_567, 1 << 40] {
            let wanted = CMTime(value: frame, timescale: 44_100)
            let host = try #require(line.host(of: wanted))
            #expect(line.time(at: host) >= wanted)
            #expect(line.time(at: Self.host(host.nanoseconds - 1)) < wanted)
        }
    }

    static let noTimes: [CMTime] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity]

    @Test("a time that is not a number is never heard, and stays", arguments: noTimes)
    func noTime(time: CMTime) {
        let line = PresentationLine(time: .zero, host: Self.host(0), rate: 1)
        #expect(line.host(of: time) == nil)
        let odd = PresentationLine(time: time, host: Self.host(0), rate: 1)
        #expect(odd.host(of: .zero) == nil)
        #expect(odd.time(at: Self.host(1_000)).isNumeric == false)
    }

    static let rates: [Double] = [1, 0.001, 3, 1e18, .infinity, -1, -1e18]

    @Test("at the extremes every result saturates", arguments: rates)
    func saturates(rate: Double) throws {
        let far = CMTime(value: .max, timescale: 1)
        for host: Int64 in [.min, 0, .max] {
            let line = PresentationLine(time: .zero, host: Self.host(host), rate: rate)
            for now in [Int64.min, -1, 0, 1, .max] {
                let time = line.time(at: Self.host(now))
                #expect(time.isNumeric && (rate > 0 ? time >= .zero : time <= .zero))
            }
            guard rate > 0 else { continue }
            #expect(try #require(line.host(of: far)) >= line.host)
            #expect(try #require(line.host(of: CMTimeMultiply(far, multiplier: -1))) <= line.host)
        }
        let line = PresentationLine(time: .zero, host: Self.host(.min), rate: rate)
        if abs(rate) >= 1 {
            #expect(line.time(at: .distantFuture) == CMTime(nanoseconds: rate > 0 ? .max : .min))
        }
        if rate == 1 {
            let now = PresentationLine(time: .zero, host: Self.host(0), rate: 1)
            #expect(now.host(of: far) == .distantFuture)
            #expect(now.host(of: CMTimeMultiply(far, multiplier: -1))?.nanoseconds == .min)
        }
    }

    @Test("an anchor far from zero is added exactly")
    func farAnchor() {
        let anchor = CMTime(value: 1 << 62, timescale: 1)
        let line = PresentationLine(time: anchor, host: Self.host(0), rate: 1)
        #expect(line.time(at: Self.host(2_000_000_000)) == CMTime(value: 1 << 62 + 2, timescale: 1))
    }
}
