import AirPlayMessages
import AirPlaySender
import Foundation
import Synchronization
import TuttiClockService
import TuttiMediaTime
import TuttiSystemIO

/// A device of this machine as a member of a group of speakers.
struct GroupedDevice: LocalSpeaker {
    /// The time that a device may take to open.
    private static let patience = Duration.seconds(5)

    let machine: any Machine
    /// Returns the device, opened if necessary. May block until it is open.
    let device: @Sendable () throws -> LocalDevice

    func open(_ sound: any PacketReading) async throws -> any SpeakerSession {
        let lost = Mutex<@Sendable () -> Bool>({ false })
        let player = LocalPlayer(
            sound: sound, machine: machine,
            open: {
                let device = try device()
                lost.withLock { $0 = { device.loss != nil } }
                return device
            })
        do { _ = try await player.prepare(patience: Self.patience) } catch {
            player.end()
            throw error
        }
        return LocalSession(player, clock: machine, isLost: lost.withLock { $0 })
    }
}

/// The session of a device of this machine: a ``LocalPlayer`` on the group's packets. It follows the host clock,
/// so the group's line is its own. Any thread.
final class LocalSession: SpeakerSession {
    private struct State {
        var line: FrameLine?
        var end: SpeakerFailure?
        var watchers: [CheckedContinuation<SpeakerFailure, Never>] = []
    }

    let traits: SessionTraits
    private let player: LocalPlayer
    private let isLost: @Sendable () -> Bool
    private let clock: any HostClock
    private let openedAt: HostTime
    private let state = Mutex(State())

    init(_ player: LocalPlayer, clock: any HostClock, isLost: @escaping @Sendable () -> Bool) {
        (self.player, self.clock, self.isLost) = (player, clock, isLost)
        openedAt = clock.now
        var traits = SessionTraits(
            receiver: ReceiverDescription(), address: "this machine", bufferBytes: player.largestBuffer ?? 0)
        let lead = Duration.milliseconds(Int(RouteDepth.local.leastLead * 1000))
        traits.leads = SessionTraits.Leads(start: lead, resume: lead, seek: lead)
        traits.takeBackMargin = .milliseconds(Int(RouteDepth.local.cutMargin * 1000))
        traits.wantsMetadataFirst = false
        traits.liveLatency = .milliseconds(150)
        self.traits = traits
    }

    var clockReport: ClockReport { ClockReport(.host, state: .ready, readyTime: openedAt) }

    // MARK: Playing

    func prepare(at frame: Int64) async throws { _ = await player.silence(near: frame) }

    func start(_ line: FrameLine, needsBeginning: Bool) async throws -> StartAnswer {
        state.withLock { $0.line = line }
        player.start(at: line.frame, host: line.host) { _ in }
        return .accepted
    }

    func stop() async throws -> Int64? {
        guard let line = state.withLock({ $0.line.take() }) else { return nil }
        return await player.silence(near: line.frame(at: clock.now))
    }

    func clear() async throws { player.clear() }

    func setVolume(_ volume: Volume) async throws {
        let gain = volume.isMuted ? 0 : pow(10, volume.decibels / 20)
        _ = player.setGain(Float(gain))
    }

    // MARK: Edits

    func takeBack(from frame: Int64) async -> Withdrawal? {
        let isDone = await withCheckedContinuation { continuation in
            player.cut(at: frame) { continuation.resume(returning: $0) }
        }
        guard !isDone else { return nil }
        return { _ in throw SpeakerFailure(.refused, "the device has the sound already") }
    }

    func takeBackSilently(from frame: Int64) async { player.cut(at: frame) { _ in } }
    func resume(from frame: Int64) { player.resume(from: frame) }

    // MARK: Life

    func depth() -> SessionDepth {
        let (end, isDrained) = player.progress()
        return SessionDepth(endFrame: end, bytesHeld: 0, isDrained: isDrained)
    }

    /// Ends the session when the device is gone; the group then opens it again.
    func feedback() async throws {
        if isLost() { fail(SpeakerFailure(.lost, "this machine's output is gone")) }
    }

    func ended() async -> SpeakerFailure {
        await withCheckedContinuation { continuation in
            let end = state.withLock { state in
                if state.end == nil { state.watchers.append(continuation) }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    func fail(_ failure: SpeakerFailure) {
        let watchers = state.withLock { state in
            state.end = state.end ?? failure
            defer { state.watchers = [] }
            return state.watchers
        }
        player.end()
        for watcher in watchers { watcher.resume(returning: failure) }
    }
}
