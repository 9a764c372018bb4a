import Foundation
import Testing

@testable import TuttiKeyValueObserving

@Suite("Lifetime of an observation")
struct ObservationLifetimeTests {
    @Test("an observation lasts until it is invalidated")
    func invalidate() {
        let player = ObservedPlayer()
        let log = Log<Float>()
        let token = player.observe(\.rate) { player, _ in log.append(player.rate) }
        player.rate = 1
        #expect(player.observations.isObserved("rate"))
        token.invalidate()
        token.invalidate()
        player.rate = 2
        #expect(log.entries == [1])
        #expect(!player.observations.isObserved("rate"))
    }

    @Test("an observation lasts until its token is released")
    func tokenGone() {
        let player = ObservedPlayer()
        let log = Log<Float>()
        var token: NSKeyValueObservation? = player.observe(\.rate) { player, _ in log.append(player.rate) }
        player.rate = 1
        withExtendedLifetime(token) {}
        token = nil
        player.rate = 2
        #expect(log.entries == [1])
        #expect(!player.observations.isObserved("rate"))
    }

    @Test("the token does not keep the object alive, and may outlive it")
    func weakTarget() {
        weak var gone: ObservedPlayer?
        let token: NSKeyValueObservation
        do {
            let player = ObservedPlayer()
            gone = player
            token = player.observe(\.rate) { _, _ in }
            player.rate = 1
        }
        #expect(gone == nil)
        token.invalidate()
    }

    @Test("a chain does not keep its intermediate object alive")
    func weakMiddle() {
        let player = ObservedPlayer()
        weak var gone: ObservedItem?
        do {
            let item = ObservedItem()
            gone = item
            player.item = item
        }
        let token = player.observe(\.item?.status, options: [.old, .new]) { _, _ in }
        player.item?.status = 4
        player.item = nil
        #expect(gone == nil)
        token.invalidate()
    }

    @Test("the handler's captures are released with the observation")
    func captures() {
        let player = ObservedPlayer()
        weak var gone: Log<Int>?
        var token: NSKeyValueObservation?
        do {
            let log = Log<Int>()
            gone = log
            token = player.observe(\.rate) { _, _ in log.append(1) }
        }
        #expect(gone != nil)
        withExtendedLifetime(token) {}
        token = nil
        #expect(gone == nil)
    }

    @Test("a handler may end its own observation and others")
    func endedInside() {
        let player = ObservedPlayer()
        let log = Log<String>()
        let tokens = Log<NSKeyValueObservation>()
        tokens.append(
            player.observe(\.rate) { _, _ in
                log.append("first")
                tokens.entries.forEach { $0.invalidate() }
            })
        tokens.append(player.observe(\.rate) { _, _ in log.append("second") })
        player.rate = 1
        player.rate = 2
        #expect(log.entries == ["first"])
    }

    @Test("a handler may change the property again")
    func changedInside() {
        let player = ObservedPlayer()
        let log = Log<Float>()
        let token = player.observe(\.rate, options: [.new]) { player, change in
            log.append(change.newValue ?? -1)
            if player.rate < 3 { player.rate += 1 }
        }
        player.rate = 1
        #expect(log.entries == [1, 2, 3])
        token.invalidate()
    }

    @Test("ending between the announcement and the change suppresses the call")
    func endedBetween() {
        let player = ObservedPlayer()
        let log = Log<Float>()
        let token = player.observe(\.rate) { player, _ in log.append(player.rate) }
        let change = player.observations.willChange("rate")
        token.invalidate()
        change.didChange()
        #expect(log.entries.isEmpty)
    }
}
