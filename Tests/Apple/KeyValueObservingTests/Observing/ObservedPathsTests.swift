import Foundation
import Testing

@testable import TuttiKeyValueObserving

@Suite("Observable key paths")
struct ObservedPathsTests {
    @Test("a subclass root observes an inherited property")
    func subclass() {
        let player = ObservedQueuePlayer()
        let log = Log<Float>()
        let token = player.observe(\.rate, options: [.new]) { player, change in
            let typed: ObservedQueuePlayer = player
            log.append(typed.rate)
        }
        player.rate = 2
        #expect(log.entries == [2])
        token.invalidate()
    }

    @Test("a superclass root observes a property of a subclass object")
    func superclassRoot() {
        let player: ObservedPlayer = ObservedQueuePlayer()
        let log = Log<Float?>()
        let token = player.observe(\.rate, options: [.new]) { _, change in log.append(change.newValue) }
        player.rate = 2
        #expect(log.entries == [2])
        token.invalidate()
    }

    @Test("a chain follows its intermediate object")
    func chain() {
        let player = ObservedPlayer()
        let (first, second) = (ObservedItem(status: 1), ObservedItem(status: 2))
        let log = Log<Int?>()
        let token = player.observe(\.item?.status, options: [.new]) { _, change in
            log.append(change.newValue ?? nil)
        }
        player.item = first
        first.status = 5
        player.item = second
        first.status = 6
        second.status = 7
        player.item = nil
        second.status = 8
        #expect(log.entries == [1, 5, 2, 7, nil])
        #expect(!first.observations.isObserved("status"))
        #expect(!second.observations.isObserved("status"))
        token.invalidate()
    }

    @Test("a chain reports old values")
    func chainOld() {
        let player = ObservedPlayer()
        player.item = ObservedItem(status: 1)
        let log = Log<Int?>()
        let token = player.observe(\.item?.status, options: [.old]) { _, change in
            log.append(change.oldValue ?? nil)
        }
        player.item = ObservedItem(status: 2)
        player.item?.status = 3
        player.item = nil
        #expect(log.entries == [1, 2, 3])
        token.invalidate()
    }

    @Test("a computed property reports changes of its sources, also of one that is read only at times")
    func computed() {
        let player = ObservedPlayer()
        let item = ObservedItem(status: 2)
        player.item = item
        let log = Log<Bool?>()
        let token = player.observe(\.isLoud, options: [.new]) { _, change in log.append(change.newValue) }
        item.status = 3  // Not read at low rates.
        player.rate = 2
        item.status = 2
        player.rate = 1
        item.status = 9
        #expect(log.entries == [false, true, false])
        token.invalidate()
    }

    @Test("a property that reports no changes gives its initial value and no more")
    func unobservable() {
        let player = ObservedPlayer()
        let log = Log<Int?>()
        let token = player.observe(\.plain, options: [.initial, .new]) { _, change in
            log.append(change.newValue)
        }
        player.rate = 1
        #expect(log.entries == [5])
        token.invalidate()
    }

    @Test("two observers are called in order, each for its own property")
    func order() {
        let player = ObservedPlayer()
        let log = Log<String>()
        let tokens = [
            player.observe(\.rate) { _, _ in log.append("first") },
            player.observe(\.item) { _, _ in log.append("item") },
            player.observe(\.rate) { _, _ in log.append("second") },
        ]
        player.rate = 1
        #expect(log.entries == ["first", "second"])
        tokens.forEach { $0.invalidate() }
    }

    @Test("a change of several properties calls an observer of both once")
    func severalProperties() {
        let observations = PropertyObservations()
        let pair = ObservedPair(observations)
        let log = Log<Int?>()
        let token = pair.observe(\.sum, options: [.new, .old]) { _, change in
            log.append(change.oldValue)
            log.append(change.newValue)
        }
        pair.set(3, 4)
        #expect(log.entries == [0, 7])
        token.invalidate()
    }

    @Test("a change outside any observation is not announced")
    func unobserved() {
        let observations = PropertyObservations()
        #expect(!observations.isObserved("rate"))
        #expect(observations.change("rate") { 5 } == 5)
    }
}

private final class ObservedPair: NSObject, @unchecked Sendable {
    // Safe to share: used on one thread.
    private let observations: PropertyObservations
    private var first = 0
    private var second = 0

    init(_ observations: PropertyObservations) { self.observations = observations }

    var sum: Int {
        observations.access("first")
        observations.access("second")
        return first + second
    }

    func set(_ newFirst: Int, _ newSecond: Int) {
        observations.change("first", "second") { (first, second) = (newFirst, newSecond) }
    }
}
