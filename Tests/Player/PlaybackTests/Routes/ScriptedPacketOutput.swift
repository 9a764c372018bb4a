import AirPlayMessages
import AirPlaySender
import Synchronization
import TuttiMediaTime
import TuttiPCM
import TuttiTestSupport

@testable import Playback

/// A packet output that records its calls and answers at once.
final class ScriptedPacketOutput: PacketOutput {
    enum Call: Equatable, Sendable {
        case start(Int64, HostTime?)
        case stop(Int64)
        case clear
        case cut(Int64)
        case gain(Float)
        case end
    }

    private struct State {
        var calls: [Call] = []
        var started: (@Sendable (HostTime) -> Void)?
        var startTime: (@Sendable () -> HostTime)?
    }

    let store = PacketStore()
    let traits: PacketOutputTraits
    private let state = Mutex(State())

    /// - Parameter largestBuffer: If not given, the size that a route assumes before it has asked, so that the answer changes
    ///   nothing.
    init(deviceRate: SampleRate? = .hz44100, largestBuffer: Int = 8 << 20) {
        traits = PacketOutputTraits(deviceRate: deviceRate)
        self.largestBuffer = largestBuffer
    }

    var calls: [Call] { state.withLock { $0.calls } }
    private func note(_ call: Call) { state.withLock { $0.calls.append(call) } }

    /// The samples of all packets, end to end; `nil` if there is a hole.
    var sound: PCMBuffer? {
        let format = PCMFormat(
            sampleRate: traits.deviceRate ?? .hz44100, channelCount: 2, sampleFormat: .float32)
        var (all, end) = (PCMBuffer(format: format), store.startFrame)
        for packet in store.packets(before: .max, count: .max / 2) {
            guard packet.frame == end,
                let part = PCMBuffer(format: format, bytes: packet.withPayload { Array($0) })
            else { return nil }
            all.append(part)
            end = packet.endFrame
        }
        return all
    }

    /// Answers the latest start.
    func answerStart(at host: HostTime) { state.withLock { $0.started }?(host) }

    /// Answers every start at once from now on.
    func answerStarts(_ time: @escaping @Sendable () -> HostTime) { state.withLock { $0.startTime = time } }

    // MARK: PacketOutput

    let largestBuffer: Int?
    func prepare(patience: Duration) async throws -> PacketOutputTraits { traits }
    func setFormat(_ format: AudioWireFormat) {}

    func start(at frame: Int64, host: HostTime?, started: @escaping @Sendable (HostTime) -> Void) {
        note(.start(frame, host))
        let time = state.withLock { state in
            state.started = started
            return state.startTime
        }
        if let time { started(host ?? time()) }
    }

    func stop(at frame: Int64) { note(.stop(frame)) }
    func clear() { note(.clear) }
    /// The number of calls that anchor the output again.
    let anchors = Recorder(0)
    func anchorAgain() { anchors.update { $0 += 1 } }

    func cut(at frame: Int64, answer: @escaping @Sendable (Bool) -> Void) {
        note(.cut(frame))
        answer(true)
    }

    func resume(from frame: Int64) {}

    func setGain(_ gain: Float) -> Bool {
        note(.gain(gain))
        return true
    }

    /// The tracks for the displays.
    let shown = Recorder<[ScheduledTrack]>([])
    func setTracks(_ tracks: [ScheduledTrack]) { shown.update { $0 = tracks } }
    func end() { note(.end) }
}
