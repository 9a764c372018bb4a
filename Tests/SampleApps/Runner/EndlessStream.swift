import AVFoundation
import Playback
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// A player of one address on an output and a clock that run much faster than real time: SampleAppsRunner endless ADDRESS HOURS.
///
/// Prints the memory of the process at each whole hour of audio.
enum EndlessStream {
    private static let factor = 1000.0

    static func run(_ address: String, hours: Int) async throws {
        let clock = FastClock(factor: factor)
        let route = SilentRoute(clock: clock, alarm: FastAlarm(factor: factor))
        let alarm = FastAlarm(factor: factor)
        let player = PlayerDriver(
            renderQueue: RenderQueue(route: route), alarm: alarm, machine: SystemMachine(clock: clock))
        alarm.setQueue(player.queue)
        let item = PlayerItem(path: address, engine: .shared, machine: SystemMachine())
        player.replaceCurrentItem(with: item)
        player.setRate(1)
        report("ready")
        var hour = 0
        while hour < hours {
            try await Task.sleep(for: .milliseconds(5))
            if let error = item.state.error { throw UsageError("\(error)") }
            guard player.currentTime.seconds >= Double(hour + 1) * 3600 else { continue }
            hour += 1
            report("hour", ["hour": hour, "kilobytes": residentKilobytes, "stalls": item.state.stallCount])
        }
        report("ended")
    }

    private static var residentKilobytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}

/// The machine's clock, sped up by a factor.
private struct FastClock: HostClock {
    private let began = SystemClock.now
    let factor: Double

    init(factor: Double) { self.factor = factor }

    var now: HostTime {
        let passed = Double(SystemClock.now.nanoseconds - began.nanoseconds) * factor
        return HostTime(nanoseconds: began.nanoseconds + Int64(passed))
    }
}

/// A timer sped up by a factor.
private final class FastAlarm: WakeUp {
    private struct State {
        var queue = SerialQueue(label: "endless")
        /// Counts the requested calls: only the last one counts.
        var round = 0
    }

    private let factor: Double
    private let state = Mutex(State())

    init(factor: Double) { self.factor = factor }

    /// The queue of the calls from now on.
    func setQueue(_ queue: SerialQueue) { state.withLock { $0.queue = queue } }

    func set(after pause: Duration, _ body: @escaping @Sendable () -> Void) {
        let (queue, round) = state.withLock { state in
            state.round += 1
            return (state.queue, state.round)
        }
        queue.async(after: .seconds(pause.inSeconds / factor)) { [self] in
            if state.withLock({ $0.round == round }) { body() }
        }
    }

    func cancel() { state.withLock { $0.round += 1 } }
}
