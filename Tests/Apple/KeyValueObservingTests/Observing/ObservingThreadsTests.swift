import Dispatch
import Foundation
import Testing

@testable import TuttiKeyValueObserving

@Suite("Observing from several threads")
struct ObservingThreadsTests {
    @Test("the handler runs on the thread that changed the property, before the change returns")
    func sameThread() {
        let player = ObservedPlayer()
        let log = Log<Bool>()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let mine = ObjectIdentifier(Thread.current)
            let token = player.observe(\.rate) { _, _ in
                if ObjectIdentifier(Thread.current) == mine { log.append(true) }
            }
            player.rate = 1
            token.invalidate()
        }
        #expect(log.entries.count >= 4)
    }

    @Test("threads may change, begin and end at once; every change is reported")
    func storm() {
        let player = ObservedPlayer()
        let log = Log<Float>()
        let token = player.observe(\.rate, options: [.new]) { _, change in log.append(change.newValue ?? 0) }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<200 {
                if thread.isMultiple(of: 2) {
                    player.rate = Float(round)
                } else {
                    let other = player.observe(\.item?.status, options: [.initial, .old, .new]) { _, _ in }
                    player.item = ObservedItem(status: round)
                    player.item?.status += 1
                    other.invalidate()
                }
            }
        }
        #expect(log.entries.count == 800)
        token.invalidate()
        #expect(!player.observations.isObserved("rate"))
        #expect(!player.observations.isObserved("item"))
    }

    @Test("no observer sees an older value after a newer one")
    func order() {
        let player = InterruptedPlayer()
        let log = Log<Float>()
        let token = player.observe(\.slowRate, options: [.new]) { _, change in
            log.append(change.newValue ?? 0)
        }
        // Simulates another thread's change between reading the first property and reporting it.
        player.interrupt { player.rate = 2 }
        player.rate = 1
        #expect(log.entries == [2, 2])
        token.invalidate()
    }

    @Test("after a storm of changes a chain observes the current object")
    func chainSettles() {
        for _ in 0..<50 {
            let player = ObservedPlayer()
            let log = Log<Int?>()
            let token = player.observe(\.item?.status, options: [.new]) { _, change in
                log.append(change.newValue ?? nil)
            }
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for round in 0..<5 { player.item = ObservedItem(status: thread * 10 + round) }
            }
            let told = log.entries.count
            player.item?.status = 77
            #expect(log.entries.count == told + 1)
            #expect(log.entries.last == 77)
            token.invalidate()
        }
    }

    @Test("a read on another thread does not become a dependency")
    func otherThreadsReading() async {
        let player = ObservedPlayer()
        let other = ObservedPlayer()
        let reader = Task.detached { for _ in 0..<20_000 { _ = other.rate } }
        for _ in 0..<200 {
            let token = player.observe(\.rate) { _, _ in }
            #expect(!other.observations.isObserved("rate"))
            token.invalidate()
        }
        await reader.value
    }
}

/// A player that is changed while it is read.
private final class InterruptedPlayer: ObservedPlayer, @unchecked Sendable {
    // Safe to share: the closure is only touched with the lock held.
    private let lock = NSLock()
    private var interruption: (() -> Void)?

    func interrupt(_ body: @escaping () -> Void) { lock.withLock { interruption = body } }

    var slowRate: Float {
        let rate = rate
        let body = lock.withLock {
            defer { interruption = nil }
            return interruption
        }
        body?()
        return rate
    }
}
