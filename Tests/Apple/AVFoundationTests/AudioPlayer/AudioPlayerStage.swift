import Foundation
import Synchronization
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AVFoundation
@testable import Playback

/// Host time that only a test advances, ahead of the machine's time, so that nothing that waits for it happens by itself.
final class StageClock: HostClock {
    private let time = Mutex(SystemClock.now.advanced(by: .seconds(3600)))

    var now: HostTime { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

/// A wake-up that a test fires.
final class HandAlarm: WakeUp {
    private let pending = Mutex<(@Sendable () -> Void)?>(nil)

    var isSet: Bool { pending.withLock { $0 != nil } }

    func set(after delay: Duration, _ body: @escaping @Sendable () -> Void) { pending.withLock { $0 = body } }

    func cancel() { pending.withLock { $0 = nil } }

    func fire() { pending.withLock { $0.take() }?() }
}

/// A silent route that keeps what it gets.
final class NotingRoute: OutputRoute {
    struct Piece: Sendable {
        var start: CMTime
        var end: CMTime
        var bytes: [UInt8]
    }

    private let route: SilentRoute
    private let list = Mutex<[Piece]>([])

    init(clock: any HostClock) { route = SilentRoute(clock: clock, alarm: HandAlarm()) }

    var pieces: [Piece] { list.withLock { $0 } }

    func enqueue(_ buffer: CMSampleBuffer) -> Bool {
        let start = buffer.outputPresentationTimeStamp
        let bytes = (try? buffer.dataBuffer?.withContiguousStorage { Array($0) }) ?? []
        list.withLock { $0.append(Piece(start: start, end: start + buffer.outputDuration, bytes: bytes)) }
        return route.enqueue(buffer)
    }

    var isReadyForMoreData: Bool { route.isReadyForMoreData }

    func attach(_ client: any OutputRouteClient) { route.attach(client) }

    func hasSufficientData(at time: CMTime) -> Bool { route.hasSufficientData(at: time) }

    func endOfData() -> Bool { route.endOfData() }

    func flush() -> Bool { route.flush() }

    func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) -> Bool {
        route.flush(from: time, done: done)
    }

    func start(
        at time: CMTime, rate: Double, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) { route.start(at: time, rate: rate, hostTime: hostTime, started: started) }

    func stop(at time: CMTime) { route.stop(at: time) }

    func stand(at time: CMTime) { route.stand(at: time) }

    func setGain(_ gain: Float) {}

    func setPitch(_ pitch: PitchTreatment) {}

    func detach(at time: CMTime) -> [CMSampleBuffer]? { route.detach(at: time) }
}

/// An audio player on a silent route, along a clock that a test advances.
final class AudioPlayerStage: Sendable {
    let clock = StageClock()
    let route: NotingRoute
    let fadeAlarm = HandAlarm()
    let player: AVAudioPlayer
    /// The delegate's calls.
    let notes: Recorder<[String]>
    private let listener: Listener

    private final class Listener: NSObject, AVAudioPlayerDelegate, Sendable {
        let notes = Recorder<[String]>([])

        private func note(_ text: String) { notes.update { $0.append(text) } }

        func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
            note("finished \(flag) \(player.isPlaying)")
        }

        func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
            note("error \((error as NSError?)?.domain ?? "-")")
        }

        func audioPlayerBeginInterruption(_ player: AVAudioPlayer) { note("interrupted") }
    }

    convenience init(_ url: URL) throws { try self.init { try AudioPlayerCore(url, on: $0) } }

    convenience init(_ bytes: [UInt8]) throws { try self.init { try AudioPlayerCore(Data(bytes), on: $0) } }

    private init(_ make: (AudioPlayerCore.Stage) throws -> AudioPlayerCore) throws {
        route = NotingRoute(clock: clock)
        let core = try make(
            AudioPlayerCore.Stage(
                routes: .shared, queue: RenderQueue(route: route), clock: clock,
                alarms: (HandAlarm(), fadeAlarm)))
        player = AVAudioPlayer(core: core)
        listener = Listener()
        notes = listener.notes
        player.delegate = listener
    }

    var driver: PlayerDriver { player.core.loop.driver }

    /// Carries out what is due, until a condition holds.
    func settle(until isDone: () -> Bool) async {
        repeat {
            driver.settle()
            await Task.yield()
        } while !isDone()
    }

    /// Waits until the route has sound from the playhead on.
    private func fill(ahead seconds: Double = 0.2) async {
        await settle {
            // A player that plays may still wait for the first sound on the route, and starts with it, on the driver's queue.
            let hasStarted = driver.machine.control == .playing && driver.timeline.line.rate != 0
            return !player.isPlaying || hasStarted || !notes.value.isEmpty
        }
        let last = driver.timeline.currentTime.seconds + seconds
        await settle {
            !player.isPlaying || driver.items.count == 1 || (route.pieces.last?.end.seconds ?? 0) >= last
        }
    }

    /// Advances time in steps, as far as the sound is there.
    func pass(_ seconds: Double) async {
        await fill()
        for _ in 0..<Int(seconds * 20 + 0.5) {
            clock.advance(by: .milliseconds(50))
            driver.renderQueue.routeMayTakeMore()
            await fill()
        }
    }

    /// Lets the sound play to its end.
    func passToEnd() async {
        while player.isPlaying { await pass(0.05) }
    }
}
