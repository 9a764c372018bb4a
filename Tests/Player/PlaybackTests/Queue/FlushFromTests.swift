import CoreMedia
import Synchronization
import Testing
import TuttiMediaTime
import TuttiSystemIO

@testable import Playback

@Suite("Flushing from a time")
struct FlushFromTests {
    let route = ScriptedRoute()
    let queue: RenderQueue
    let timeline = PlaybackTimeline(machine: SystemMachine(clock: ManualClock()))
    let time = Buffers.time(44_100)

    init() {
        queue = RenderQueue(route: route)
        _ = timeline.add(queue)
    }

    @Test("a flush from a time returns the route's answer", arguments: [true, false])
    func answers(isDone: Bool) async {
        async let result = queue.flush(from: time)
        await route.flushWasAsked()
        route.answerFlush(isDone)
        #expect(await result == isDone)
        #expect(route.calls == [.flushFrom(time)])
    }

    @Test("a flush without a valid time or a timeline returns false and does not ask the route")
    func refused() async {
        for time in [CMTime.invalid, .positiveInfinity, .indefinite] {
            #expect(await queue.flush(from: time) == false)
        }
        #expect(timeline.remove(queue))
        let before = route.calls
        #expect(await queue.flush(from: time) == false)
        #expect(route.calls == before)
    }

    @Test("a plain flush makes a pending flush from a time return false")
    func cancelled() async {
        async let result = queue.flush(from: time)
        await route.flushWasAsked()
        queue.flush()
        route.answerFlush(false)
        #expect(await result == false)
        #expect(route.calls == [.flushFrom(time), .flush])
    }

    @Test("later calls reach the route after a flush from a time")
    func order() throws {
        let answers = Mutex<[Bool]>([])
        queue.flush(from: time) { isDone in answers.withLock { $0.append(isDone) } }
        queue.flush()
        queue.enqueue(try Buffers.pcm(Sound.noise(100), at: time))
        #expect(route.calls == [.flushFrom(time), .flush, .enqueue(time)])
        route.answerFlush(false)
        #expect(answers.withLock { $0 } == [false])
    }

    @Test("two flushes in succession each get their own answer")
    func two() async {
        let later = Buffers.time(88_200)
        async let first = queue.flush(from: time)
        await route.flushWasAsked()
        route.answerFlush(false)
        #expect(await first == false)
        async let second = queue.flush(from: later)
        await route.flushWasAsked()
        route.answerFlush(true)
        #expect(await second)
    }
}
