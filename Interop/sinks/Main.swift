import Foundation
import Synchronization
import TuttiMediaTime
import TuttiPCM
import TuttiSoundServers
import TuttiSystemIO

/// An output in a sound server, driven by commands on standard input; each event is a line of JSON on
/// standard output.
///
///     SinkProbe NAME LATENCY-SECONDS [RATE [SERVER]]
///
/// Commands: `latency SECONDS`, `volume PERCENT muted|heard`, `totals`, `close`. A sample beyond 0.02 after
/// 20 ms below it is a click: its line has its amplitude, when it came and when it is heard, in seconds of
/// the monotonic clock.
@main
struct Main {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let seconds = Double(arguments[2]),
            let rate = SampleRate(hertz: arguments.count > 3 ? Int(arguments[3]) ?? 0 : 44_100)
        else {
            print("usage: SinkProbe NAME LATENCY-SECONDS [RATE [SERVER]]")
            exit(2)
        }
        let listener = Listener()
        let sink = SystemSink(
            SystemSinkConfiguration(
                name: arguments[1], title: "Probe \"\(arguments[1])\" & it's", latency: .seconds(seconds),
                sampleRate: rate, server: arguments.count > 4 ? arguments[4] : nil)
        ) { listener.take($0) }
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "latency": sink.setLatency(.seconds(words.last.flatMap(Double.init) ?? 0.5))
            case "volume" where words.count == 3:
                sink.setVolume(percent: Double(words[1]) ?? 0, isMuted: words[2] == "muted")
            case "totals": listener.printTotals()
            default:
                await sink.close()
                listener.line(["event": "closed"])
                return
            }
        }
    }
}

/// Prints the events of an output.
private final class Listener: Sendable {
    private struct State {
        var frames: Int64 = 0
        var quiet = 0
        var end: HostTime?
        var gaps = 0
        var earliest = Double.infinity
        var largest = 0
    }

    private static let threshold: Float = 0.02
    private let state = Mutex(State())

    func take(_ event: SystemSinkEvent) {
        switch event {
        case .sound(let block, let heardAt): hear(block, heardAt, at: SystemClock.now)
        case .idle:
            state.withLock { $0.end = nil }
            line(["event": "idle"])
        case .volume(let percent, let isMuted):
            line(["event": "volume", "percent": percent, "muted": isMuted])
        case .ready(let server): line(["event": "ready", "server": server])
        case .lost(let reason): line(["event": "lost", "reason": reason])
        }
    }

    func printTotals() {
        let state = state.withLock { $0 }
        line([
            "event": "totals", "frames": state.frames, "gaps": state.gaps, "largest": state.largest,
            "earliest": state.earliest.isFinite ? state.earliest : 0,
        ])
    }

    private func hear(_ block: PCMBuffer, _ heardAt: HostTime, at now: HostTime) {
        let clicks = state.withLock { state in
            state.frames += Int64(block.frameCount)
            state.largest = max(state.largest, block.frameCount)
            state.earliest = min(state.earliest, heardAt.since(now).inSeconds)
            if let end = state.end, abs(heardAt.since(end).inSeconds) > 0.001 { state.gaps += 1 }
            state.end = heardAt.advanced(by: block.duration)
            let samples = block.floatSamples
            var clicks: [(frame: Int, amplitude: Float)] = []
            for frame in 0..<block.frameCount {
                if abs(samples[2 * frame]) > Self.threshold {
                    if state.quiet > block.format.sampleRate.hertz / 50 {
                        clicks.append((frame, samples[2 * frame]))
                    } else if let last = clicks.last, abs(samples[2 * frame]) > abs(last.amplitude) {
                        clicks[clicks.count - 1] = (frame, samples[2 * frame])
                    }
                    state.quiet = 0
                } else {
                    state.quiet += 1
                }
            }
            return clicks
        }
        for click in clicks {
            let heard = heardAt.advanced(by: block.format.sampleRate.duration(of: Int64(click.frame)))
            line([
                "event": "click", "amplitude": Double(click.amplitude),
                "heardAt": Double(heard.nanoseconds) * 1e-9,
                "cameAt": Double(now.nanoseconds) * 1e-9,
            ])
        }
    }

    func line(_ fields: [String: any Sendable]) {
        guard let data = try? JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys]) else {
            return
        }
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}
