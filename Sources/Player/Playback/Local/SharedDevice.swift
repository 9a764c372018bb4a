import AirPlayReceiver
import Synchronization
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// A device of this machine that zones share: the first one opens it, the last one closes it, and it mixes the sound of all.
/// Thread-safe.
final class SharedDevice: Sendable {
    /// The most simultaneous renderers, those of all zones together.
    static let voiceLimit = 16

    private struct State {
        /// The open device; `nil` without zones.
        var output: SpeakerOutput?
        var zones = 0
    }

    private let machine: any Machine
    private let makeOutput: @Sendable () throws -> any AudioOutput
    private let onLoss: @Sendable () -> Void
    /// Locked while the device opens and closes: two openings would compete for it.
    private let state = Mutex(State())

    /// - Parameters:
    ///   - machine: Time, and the device's mixing.
    ///   - makeOutput: Makes the device's output, which is not started.
    ///   - onLoss: Called each time the device is lost, on a thread that must not block; the device may recover by
    ///     itself.
    init(
        machine: any Machine, makeOutput: @escaping @Sendable () throws -> any AudioOutput,
        onLoss: @escaping @Sendable () -> Void = {}
    ) {
        (self.machine, self.makeOutput, self.onLoss) = (machine, makeOutput, onLoss)
    }

    /// Lets one more zone in; each call needs one of ``leave()``. Blocks while the device opens or closes.
    ///
    /// - Throws: `OutputError` if the device cannot be opened.
    func enter() throws -> SpeakerOutput {
        try state.withLock { state in
            let output = try state.output ?? open()
            (state.output, state.zones) = (output, state.zones + 1)
            return output
        }
    }

    private func open() throws -> SpeakerOutput {
        let output = try SpeakerOutput(
            output: makeOutput(), clock: HostLine(), voices: Self.voiceLimit, machine: machine
        ) { [onLoss] state in
            if case .lost = state { onLoss() }
        }
        do { try output.start() } catch {
            output.stop()
            throw error
        }
        return output
    }

    /// Lets a zone out; closes the device behind the last one.
    func leave() {
        state.withLock { state in
            state.zones -= 1
            if state.zones == 0 { state.output.take()?.stop() }
        }
    }
}

/// The host clock as a stream's reference clock.
struct HostLine: ReceiverClock {
    static let identity = ClockIdentity(rawValue: 0)

    func mapping(of identity: ClockIdentity) -> ClockMapping? {
        ClockMapping(host: HostTime(nanoseconds: 0), network: NetworkTime(nanoseconds: 0))
    }

    /// Converts host time to network time; both have the same value here.
    static func networkTime(of time: HostTime) -> NetworkTime { NetworkTime(nanoseconds: time.nanoseconds) }
}
