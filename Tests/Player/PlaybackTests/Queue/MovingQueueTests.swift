import CoreMedia
import Synchronization
import Testing

@testable import Playback

@Suite("A render queue that moves while sound comes")
struct MovingQueueTests {
    let old = ScriptedRoute()
    let next = ScriptedRoute()
    let queue: RenderQueue

    init() { queue = RenderQueue(route: old) }

    private static func buffer(_ frame: Int64) throws -> CMSampleBuffer {
        try Buffers.pcm(Sound.noise(100), at: Buffers.time(frame))
    }

    /// The calls to the new route that concern sound.
    private var sound: [ScriptedRoute.Call] {
        next.calls.filter {
            switch $0 {
            case .enqueue, .endOfData, .flush, .flushFrom: true
            default: false
            }
        }
    }

    @Test("a buffer that comes during the move follows the sound of the old output")
    func order() throws {
        let (first, second, third) = (try Self.buffer(0), try Self.buffer(100), try Self.buffer(200))
        old.keep([first, second])
        old.whileDetaching { [queue] in queue.enqueue(third) }
        queue.move(to: next)
        #expect(sound == [0, 100, 200].map { .enqueue(Buffers.time($0)) })
        queue.enqueue(try Self.buffer(300))
        #expect(sound.last == .enqueue(Buffers.time(300)))
    }

    @Test("a buffer on its way to the old output reaches the new one")
    func underWay() throws {
        old.keep([try Self.buffer(0)])
        old.beforeNextEnqueue { [queue, next] in queue.move(to: next) }
        queue.enqueue(try Self.buffer(100))
        #expect(sound == [0, 100].map { .enqueue(Buffers.time($0)) })
    }

    @Test("a flush during the move also drops the sound of the old output")
    func flush() throws {
        let later = try Self.buffer(100)
        old.keep([try Self.buffer(0)])
        old.whileDetaching { [queue] in
            queue.flush()
            queue.enqueue(later)
        }
        queue.move(to: next)
        #expect(sound == [.enqueue(Buffers.time(0)), .flush, .enqueue(Buffers.time(100))])
    }

    @Test("sound that has to be enqueued again is not heard twice")
    func lost() throws {
        let (second, third) = (try Self.buffer(100), try Self.buffer(200))
        queue.enqueue(try Self.buffer(0))
        var events = RenderQueue.Events()
        events.automaticallyFlushed = { [queue] _, done in
            queue.enqueue(second)
            done()
        }
        queue.setEvents(events)
        old.whileDetaching { [queue] in queue.enqueue(third) }
        queue.move(to: next)
        #expect(sound == [.enqueue(Buffers.time(100))])
    }

    @Test("a new volume during the move is the one that is heard")
    func gain() {
        old.whileDetaching { [queue] in queue.volume = 0.5 }
        queue.move(to: next)
        #expect(next.calls.last { if case .gain = $0 { true } else { false } } == .gain(0.5))
    }
}
