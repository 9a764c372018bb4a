import CoreMedia
import Dispatch
import Synchronization
import Testing
import TuttiMediaTime
import TuttiSystemIO

@testable import Playback

@Suite("The queue behind a renderer")
struct RenderQueueTests {
    let route = ScriptedRoute()
    let queue: RenderQueue
    let worker = SerialQueue(label: "feeder")

    init() { queue = RenderQueue(route: route) }

    static func buffer(_ frame: Int64 = 0) throws -> CMSampleBuffer {
        try Buffers.pcm(Sound.noise(100), at: Buffers.time(frame))
    }

    /// Returns after everything on the feeder's queue has run.
    private func drained() async {
        await withCheckedContinuation { continuation in worker.async { continuation.resume() } }
    }

    // MARK: Requests

    @Test("the block runs once the route is ready, and again when it is ready again")
    func again() async throws {
        let runs = Happening()
        let buffer = try Self.buffer()
        queue.request(on: worker) { [queue] in
            while queue.isReadyForMoreData { queue.enqueue(buffer) }
            runs.happen()
        }
        await drained()
        #expect(runs.count == 0)
        route.setReady(true, room: 3)
        await runs.reached(1)
        await drained()
        #expect(runs.count == 1)
        route.setReady(true, room: 2)
        await runs.reached(2)
        #expect(route.calls.count == 5)
    }

    @Test("the block never runs concurrently with itself")
    func concurrent() async throws {
        let counts = Counts()
        let runs = Happening()
        let buffer = try Self.buffer()
        let concurrent = SerialQueue(DispatchQueue(label: "many", attributes: .concurrent))
        route.setReady(true)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            queue.request(on: concurrent) { [queue, route] in
                counts.enter()
                queue.enqueue(buffer)
                for _ in 0..<10 { route.client?.routeMayTakeMore() }
                let count = runs.happen()
                counts.leave()
                if count == 200 {
                    queue.stopRequesting()
                    done.resume()
                }
            }
        }
        #expect(counts.most == 1)
    }

    @Test("a replaced block never runs, not even if its call was already queued")
    func replaced() async throws {
        let (old, new) = (Happening(), Happening())
        let buffer = try Self.buffer()
        worker.dispatchQueue?.suspend()
        route.setReady(true, room: 1)
        queue.request(on: worker) { old.happen() }
        queue.request(on: worker) { [queue] in
            queue.enqueue(buffer)
            new.happen()
        }
        worker.dispatchQueue?.resume()
        await new.reached(1)
        await drained()
        #expect(old.count == 0)
        #expect(new.count == 1)
    }

    @Test("a block that is replaced from inside finishes, then only the new one runs")
    func replacedInside() async throws {
        let (old, new) = (Happening(), Happening())
        let buffer = try Self.buffer()
        route.setReady(true)
        queue.request(on: worker) { [queue, worker] in
            queue.request(on: worker) {
                queue.enqueue(buffer)
                if new.happen() == 3 { queue.stopRequesting() }
            }
            old.happen()
        }
        await new.reached(3)
        await drained()
        #expect(old.count == 1)
        #expect(new.count == 3)
    }

    @Test("the ready flag reads false after a stop from inside, until the block returns")
    func stopInside() async throws {
        let done = Happening()
        route.setReady(true)
        queue.request(on: worker) { [queue] in
            // Without a break, as in the sample program.
            while queue.isReadyForMoreData { queue.stopRequesting() }
            done.happen()
        }
        await done.reached(1)
        await drained()
        #expect(queue.isReadyForMoreData)
        #expect(done.count == 1)
        #expect(route.calls == [.endOfData])
    }

    @Test("no run begins after a stop from outside")
    func stopOutside() async {
        let runs = Happening()
        worker.dispatchQueue?.suspend()
        route.setReady(true)
        queue.request(on: worker) { runs.happen() }
        queue.stopRequesting()
        worker.dispatchQueue?.resume()
        await drained()
        route.setReady(true)
        await drained()
        #expect(runs.count == 0)
        #expect(route.calls == [.endOfData])
    }

    @Test("a block with the last reference to an owner that stops the queue is released without a lock")
    func lastOwner() {
        final class Owner: Sendable {
            let queue: RenderQueue
            init(_ queue: RenderQueue) { self.queue = queue }
            deinit { queue.stopRequesting() }
        }
        func request() {
            let owner = Owner(queue)
            queue.request(on: worker) { _ = owner }
        }
        request()
        queue.stopRequesting()
        request()
        queue.request(on: worker) {}
        queue.stopRequesting()
        #expect(route.calls.filter { $0 == .endOfData }.count >= 2)
    }

    @Test("a stop without a request does not notify the route")
    func idleStop() {
        queue.stopRequesting()
        #expect(route.calls == [])
    }

    @Test("a block that enqueues nothing is called again until it is stopped")
    func bringsNothing() async {
        let runs = Happening()
        route.setReady(true)
        queue.request(on: worker) { [queue] in
            if runs.happen() == 3 { queue.stopRequesting() }
        }
        await runs.reached(3)
        await drained()
        #expect(runs.count == 3)
    }

    // MARK: State

    @Test("the first buffer changes the status to rendering; a failure lasts until a flush")
    func status() throws {
        let changes = Happening()
        var events = RenderQueue.Events()
        events.changeStatus = { change in
            change()
            changes.happen()
        }
        queue.setEvents(events)
        route.setReady(true)
        #expect(queue.status == .unknown)
        queue.enqueue(try Self.buffer())
        queue.enqueue(try Self.buffer(100))
        #expect(queue.status == .rendering)
        #expect(changes.count == 1)
        route.client?.routeDidFail(RenderError("broken"))
        #expect(queue.status == .failed)
        #expect("\(try #require(queue.error))" == "broken")
        #expect(!queue.isReadyForMoreData)
        let before = route.calls
        queue.enqueue(try Self.buffer())
        #expect(route.calls == before)
        queue.flush()
        #expect(queue.status == .unknown)
        #expect(queue.error == nil)
        #expect(queue.isReadyForMoreData)
        queue.enqueue(try Self.buffer())
        #expect(queue.status == .rendering)
        #expect(changes.count == 4)
    }

    @Test("the request block continues after a flush has cleared a failure")
    func recovery() async throws {
        let runs = Happening()
        let buffer = try Self.buffer()
        queue.request(on: worker) { [queue] in
            queue.enqueue(buffer)
            runs.happen()
        }
        route.client?.routeDidFail(RenderError("broken"))
        route.setReady(true, room: 1)
        await drained()
        #expect(runs.count == 0)
        queue.flush()
        await runs.reached(1)
    }

    @Test("an automatic flush holds the block back until its observer has returned")
    func automaticFlush() async throws {
        let (runs, order) = (Happening(), Order())
        let buffer = try Self.buffer()
        var events = RenderQueue.Events()
        events.automaticallyFlushed = { [queue, route] time, done in
            #expect(!queue.isReadyForMoreData)
            route.client?.routeMayTakeMore()
            order.note("told \(time.value)")
            done()
        }
        queue.setEvents(events)
        queue.request(on: worker) { [queue] in
            order.note("run")
            queue.enqueue(buffer)
            runs.happen()
        }
        // Ready without a notification, so that only the flush can make the block run.
        route.setReady(false)
        route.makeReadySilently(room: 1)
        route.client?.routeDidFlush(from: Buffers.time(77))
        await runs.reached(1)
        #expect(order.notes == ["told 77", "run"])
    }

    static let volumes: [(Float, Float)] = [(0.5, 0.5), (-1, 0), (2, 1), (.nan, 1), (.infinity, 1)]

    @Test("the volume is clamped to 0 ... 1, and muting keeps it", arguments: volumes)
    func volume(set: Float, read: Float) {
        queue.volume = set
        #expect(queue.volume == read)
        queue.isMuted = true
        #expect(queue.volume == read)
        queue.isMuted = false
        #expect(route.calls == [.gain(read), .gain(0), .gain(read)])
    }

    @Test("a deallocated queue detaches its route")
    func detaches() {
        do { _ = RenderQueue(route: route) }
        #expect(route.calls == [.detach(.positiveInfinity)])
    }
}

/// Counts concurrent executions.
private final class Counts: Sendable {
    private let counts = Mutex((inside: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func enter() {
        counts.withLock { counts in
            counts.inside += 1
            counts.most = max(counts.most, counts.inside)
        }
    }

    func leave() { counts.withLock { $0.inside -= 1 } }
}

/// A log of events in order.
final class Order: Sendable {
    private let list = Mutex<[String]>([])

    var notes: [String] { list.withLock { $0 } }

    func note(_ text: String) { list.withLock { $0.append(text) } }
}
