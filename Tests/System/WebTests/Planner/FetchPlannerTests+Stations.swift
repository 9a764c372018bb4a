import Testing
import TuttiMediaTime

@testable import TuttiWeb

extension FetchPlannerTests {
    /// Times of a station's connection attempts, each of which ends after the given number of bytes.
    private static func connections(of byteCount: Int, upTo limit: Int) -> (
        times: [Double], failure: WebError?
    ) {
        var planner = FetchPlanner(address: "http://a/b", limits: WebLimits())
        planner.start(at: start)
        var (now, times) = (start, [Double]())
        while planner.failure == nil, times.count < limit {
            if let ask = asks(actions(&planner)).first {
                times.append(now.since(start).inSeconds)
                let head = WebHead(status: 200, headers: [("icy-name", "x")])
                #expect(Self.head(&planner, ask.serial, head, address: "http://a/b", at: now))
                give(&planner, ask.serial, byteCount, at: now)
                _ = take(&planner, byteCount, at: now)
                planner.finish(ask.serial, nil, at: now)
            } else if let deadline = planner.nextDeadline {
                now = deadline
                planner.handleTimeout(at: now)
            } else {
                break
            }
        }
        return (times, planner.failure)
    }

    @Test(
        "a station that ends every connection after some bytes is asked ever later, and given up at the eighth attempt"
    )
    func poorStation() {
        let found = Self.connections(of: 8, upTo: 100)
        #expect(found.times == [0, 0, 0.25, 0.75, 1.75, 3.75, 7.75, 11.75])
        #expect(found.failure == .lost("the station closed it"))
    }

    @Test("a station that ends every connection after a second of audio is asked again at once")
    func goodStation() {
        let found = Self.connections(of: 16 << 10, upTo: 20)
        #expect(found.times == [Double](repeating: 0, count: 20))
        #expect(found.failure == nil)
    }
}
