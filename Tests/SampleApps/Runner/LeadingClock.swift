import Foundation
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// A follower of the clock at an address, without a session: SampleAppsRunner clock ADDRESS.
///
/// Prints twenty times a second what a session would play by, with the wall clock's reading at the same instant.
enum LeadingClock {
    private static let interval = Duration.milliseconds(50)

    static func run(_ address: String) async throws {
        guard let leader = IPAddress(address) else { throw UsageError("\(address) is no address") }
        let service = try ClockService()
        try service.yield(to: leader)
        try service.addPeer(leader)
        let began = SystemClock.now
        report("ready", ["serves": service.isServing])
        while true {
            try await Task.sleep(for: interval)
            guard let clock = service.leader(at: leader) else { continue }
            let (host, wall) = instant()
            report(
                "line",
                [
                    "host": host.nanoseconds, "wall": wall,
                    "network": clock.mapping.networkTime(at: host).nanoseconds,
                    "clock": String(clock.identity.rawValue, radix: 16), "generation": clock.generation,
                    "settled": clock.settledSince?.since(began).inSeconds ?? -1,
                    "silent": clock.lastHeard.map { host.since($0).inSeconds } ?? -1,
                    "ppm": (clock.mapping.rateRatio - 1) * 1e6,
                    "questions": service.status(of: leader)?.delayRequestCount ?? 0,
                ])
        }
    }

    /// Returns one instant on both clocks: the closest of several readings.
    private static func instant() -> (host: HostTime, wall: Int64) {
        var best: (host: HostTime, wall: Int64, width: Int64)?
        for _ in 0..<8 {
            let before = SystemClock.now
            var wall = timespec()
            clock_gettime(CLOCK_REALTIME, &wall)
            let after = SystemClock.now
            let width = after.nanoseconds - before.nanoseconds
            if best.map({ width < $0.width }) ?? true {
                best = (
                    before.advanced(by: .nanoseconds(width / 2)),
                    Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec), width
                )
            }
        }
        return best.map { ($0.host, $0.wall) } ?? (SystemClock.now, 0)
    }
}
