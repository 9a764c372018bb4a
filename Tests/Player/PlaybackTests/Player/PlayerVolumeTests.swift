import CoreMedia
import Synchronization
import Testing
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("Volumes and crossfades of items that play")
struct PlayerVolumeTests {
    /// A silent output that keeps the latest sound of each time.
    private final class RecordingRoute: OutputRoute {
        private let route: SilentRoute
        private let sounds = Mutex<[(start: Double, end: Double, volume: SampleVolume?)]>([])
        /// The cuts to refuse.
        let refusals = Mutex(0)

        init(clock: ManualClock) { route = SilentRoute(machine: SystemMachine(clock: clock)) }

        /// Returns the volume that is heard at a timeline time; `nil` without sound there.
        func volume(at time: Double) -> Float? {
            sounds.withLock { $0.last { $0.start <= time && time < $0.end } }.map { sound in
                guard case .curve(let curve) = sound.volume else { return 1 }
                return curve.volume(at: CMTime(seconds: time, preferredTimescale: 8000))
            }
        }

        /// Holes and overlaps of the sound that is left.
        var seams: Int {
            sounds.withLock { zip($0, $0.dropFirst()).count { abs($0.end - $1.start) > 1e-6 } }
        }

        func enqueue(_ buffer: CMSampleBuffer) -> Bool {
            let start = buffer.outputPresentationTimeStamp.seconds
            sounds.withLock { $0.append((start, start + buffer.outputDuration.seconds, buffer.volume)) }
            return route.enqueue(buffer)
        }

        func flush() -> Bool {
            sounds.withLock { $0 = [] }
            return route.flush()
        }

        func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) -> Bool {
            let isRefused = refusals.withLock { count in
                defer { count = max(0, count - 1) }
                return count > 0
            }
            if isRefused {
                done(false)
                return true
            }
            sounds.withLock { sounds in
                sounds.removeAll { $0.start >= time.seconds }
                if let last = sounds.indices.last { sounds[last].end = min(sounds[last].end, time.seconds) }
            }
            return route.flush(from: time, done: done)
        }

        func start(
            at time: CMTime, rate: Double, hostTime: HostTime?,
            started: @escaping @Sendable (HostTime) -> Void
        ) { route.start(at: time, rate: rate, hostTime: hostTime, started: started) }

        func attach(_ client: any OutputRouteClient) { route.attach(client) }
        var isReadyForMoreData: Bool { route.isReadyForMoreData }
        func hasSufficientData(at time: CMTime) -> Bool { route.hasSufficientData(at: time) }
        func endOfData() -> Bool { route.endOfData() }
        func stop(at time: CMTime) { route.stop(at: time) }
        func stand(at time: CMTime) { route.stand(at: time) }
        func setGain(_ gain: Float) { route.setGain(gain) }
        func setPitch(_ pitch: PitchTreatment) { route.setPitch(pitch) }
        func detach(at time: CMTime) -> [CMSampleBuffer]? { route.detach(at: time) }
    }

    private let stage: PlayerStage
    private let route: RecordingRoute

    init() {
        var made: RecordingRoute?
        stage = PlayerStage { clock in
            let route = RecordingRoute(clock: clock)
            made = route
            return route
        }
        route = made ?? RecordingRoute(clock: ManualClock())
    }

    private func mix(_ volume: Float) -> ItemMix {
        var mix = ItemMix()
        mix.playing = VolumeCurve(constant: volume)
        return mix
    }

    private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 8000) }

    /// Timeline time of the current item's playhead.
    private var playhead: Double { stage.core.timeline.currentTime.seconds }

    @Test("a volume that is set before playback holds from the first sample on")
    func before() {
        let a = stage.item("a", whole: 60)
        a.setWishes { $0.mix = mix(0.5) }
        stage.play(a)
        stage.pass(1)
        #expect(route.volume(at: playhead) == 0.5 && route.volume(at: playhead + 2) == 0.5)
    }

    @Test("a volume that is set during playback is heard after a short while, without a gap")
    func during() async {
        let a = stage.item("a", whole: 60)
        stage.play(a)
        stage.pass(5)
        let time = playhead
        a.setWishes { $0.mix = mix(0.5) }
        await stage.settleEdit()
        stage.pass(0.1)
        #expect(route.volume(at: time + 1.4) == 1 && route.volume(at: time + 1.55) == 0.5)
        #expect(route.seams == 0 && !stage.notes.value.contains("late"))
        stage.pass(3)
        #expect(abs(playhead - time - 3.1) < 0.06 && stage.core.machine.control == .playing)
        #expect(route.volume(at: playhead) == 0.5)
    }

    @Test("a refused edit is tried again farther from the playhead, also without a gap")
    func refused() async {
        let a = stage.item("a", whole: 60)
        stage.play(a)
        stage.pass(5)
        let time = playhead
        route.refusals.withLock { $0 = 1 }
        a.setWishes { $0.mix = mix(0.5) }
        await stage.settleEdit()
        await stage.settleEdit()
        stage.pass(0.1)
        #expect(route.volume(at: time + 3.4) == 1)
        stage.pass(3)
        #expect(route.volume(at: time + 3.6) == 0.5 && route.seams == 0)
        #expect(!stage.notes.value.contains("late"))
        #expect(abs(playhead - time - 3.1) < 0.06)
    }

    @Test("a change that concerns only a later part leaves the rest in the outputs, and successors follow it")
    func later() async {
        let (a, b) = (stage.item("a", whole: 8), stage.item("b", whole: 60))
        stage.play(a, b)
        stage.pass(6)
        #expect(route.volume(at: 8.5) == 1)
        a.setWishes { wishes in
            wishes.mix = ItemMix()
            wishes.mix.playing = VolumeCurve()
            wishes.mix.playing?.set(0.25, at: CMTime(value: 31, timescale: 4))
        }
        await stage.settleEdit()
        stage.pass(0.5)
        #expect(route.volume(at: 7.7) == 1 && route.volume(at: 7.8) == 0.25 && route.volume(at: 8.5) == 1)
        #expect(route.seams == 0)
        stage.pass(3)
        #expect(stage.core.currentItem === b && abs(stage.time - 1.5) < 0.06)
        #expect(stage.notes.value.filter { $0 == "a end" }.count == 1)
    }

    @Test("only the item that the change is for is read again")
    func successor() async {
        let (a, b) = (stage.item("a", whole: 6), stage.item("b", whole: 60))
        stage.play(a, b)
        stage.pass(4)
        b.setWishes { $0.mix = mix(0.5) }
        await stage.settleEdit()
        stage.pass(0.2)
        #expect(route.volume(at: 5.9) == 1 && route.volume(at: 6.1) == 0.5 && route.seams == 0)
    }

    @Test(
        "after a crossfade the next item begins behind the sound that was mixed; without one, at its beginning"
    )
    func crossfade() async {
        let (a, b) = (stage.item("a", whole: 6), stage.item("b", whole: 60))
        stage.play(a, b)
        let crossfade = Crossfade(into: b.id, path: "b", for: CMTime(value: 2, timescale: 1))
        a.setWishes { $0.crossfade = crossfade }
        await stage.settleEdit()
        stage.pass(6.5)
        #expect(stage.core.currentItem === b && abs(stage.time - 2.5) < 0.06 && route.seams == 0)
        stage.pass(1)
        #expect(abs(stage.time - 3.5) < 0.06)
    }

    @Test("a crossfade that is set while the item is read in part is made", arguments: [0.0, 2, 3.5])
    func crossfadeInReading(arrived: Double) async {
        let ((a, feed), b) = (stage.item("a", seconds: 6), stage.item("b", whole: 60))
        stage.play(a, b)
        if arrived > 0 { feed.open() }
        feed.arrive(until: arrived)
        stage.settle()
        a.setWishes { $0.crossfade = Crossfade(into: b.id, path: "b", for: CMTime(value: 2, timescale: 1)) }
        await stage.settleEdit()
        if arrived == 0 { feed.open() }
        feed.arrive(until: 6)
        stage.settle()
        stage.pass(6.5)
        #expect(stage.core.currentItem === b && abs(stage.time - 2.5) < 0.06 && route.seams == 0)
    }

    @Test("a next item that is removed, or is another one, does not lose its beginning")
    func crossfadeEdited() async {
        let (a, b, c) = (stage.item("a", whole: 6), stage.item("b", whole: 60), stage.item("c", whole: 60))
        a.setWishes { $0.crossfade = Crossfade(into: b.id, path: "b", for: CMTime(value: 2, timescale: 1)) }
        stage.play(a, b, c)
        stage.pass(3)
        // The outputs have the overlap already.
        stage.core.remove(b)
        a.setWishes { $0.crossfade = Crossfade(into: c.id, path: "c", for: CMTime(value: 2, timescale: 1)) }
        await stage.settleEdit()
        stage.pass(3.5)
        // Too near: the overlap with the new item would have begun in its middle.
        #expect(stage.core.currentItem === c && route.seams == 0)
        #expect(abs(stage.time - 0.5) < 0.06)
    }

    @Test("a crossfade that is set too late is left out, and both items play whole")
    func crossfadeLate() async {
        let (a, b) = (stage.item("a", whole: 6), stage.item("b", whole: 60))
        stage.play(a, b)
        stage.pass(3.5)
        a.setWishes { $0.crossfade = Crossfade(into: b.id, path: "b", for: CMTime(value: 2, timescale: 1)) }
        await stage.settleEdit()
        stage.pass(3)
        #expect(stage.core.currentItem === b && abs(stage.time - 0.5) < 0.06 && route.seams == 0)
    }

    @Test("a skip to the next item plays it from its beginning")
    func crossfadeSkipped() async {
        let (a, b) = (stage.item("a", whole: 6), stage.item("b", whole: 60))
        a.setWishes { $0.crossfade = Crossfade(into: b.id, path: "b", for: CMTime(value: 2, timescale: 1)) }
        stage.play(a, b)
        stage.pass(5)
        stage.core.advanceToNextItem()
        stage.settle()
        stage.pass(1)
        #expect(stage.core.currentItem === b && abs(stage.time - 1) < 0.12)
    }
}
