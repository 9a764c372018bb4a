import CoreMedia
import MediaTime
import Synchronization
import Testing

@testable import Playback

@Suite("Flushing from a time")
struct FlushFromTests {
    let route = ScriptedRoute()
    let queue: RenderQueue
    let timeline = PlaybackTimeline(clock: ManualClock())
    let time = Buffers.time(44_100)

    init() {
        queue = RenderQueue(route: route)
        _ = timeline.add(queue)
    }

    @Test("answers what the route answers", arguments: [true, false])
    func answers(isDone: Bool) async {
        async let result = queue.flush(from: time)
        await route.flushWasAsked()
        route.answerFlush(isDone)
        #expect(await result == isDone)
        #expect(route.calls == [.flushFrom(time)])
    }

    @Test("is false without a time or a timeline, and asks nobody")
    func refused() async {
        for time in [CMTime.invalid, .positiveInfinity, .indefinite] {
            #expect(await queue.flush(from: time) == false)
        }
        #expect(timeline.remove(queue))
        let before = route.calls
        #expect(await queue.flush(from: time) == false)
        #expect(route.calls == before)
    }

    @Test("a plain flush makes one that has not taken effect false")
    func cancelled() async {
        async let result = queue.flush(from: time)
        await route.flushWasAsked()
        queue.flush()
        route.answerFlush(false)
        #expect(await result == false)
        #expect(route.calls == [.flushFrom(time), .flush])
    }

    @Test("what is called after it comes after it")
    func order() throws {
        let answers = Mutex<[Bool]>([])
        queue.flush(from: time) { isDone in answers.withLock { $0.append(isDone) } }
        queue.flush()
        queue.enqueue(try Buffers.pcm(Sound.noise(100), at: time))
        #expect(route.calls == [.flushFrom(time), .flush, .enqueue(time)])
        route.answerFlush(false)
        #expect(answers.withLock { $0 } == [false])
    }

    @Test("of two, each has its answer")
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
