import Foundation
import Testing

@testable import TuttiKeyValueObserving

@Suite("Observed changes")
struct ObservingOptionsTests {
    struct Told: Equatable, Sendable {
        var new: Float?
        var old: Float?
        var isPrior = false
    }

    static let cases: [(NSKeyValueObservingOptions, [Told])] = [
        ([], [Told()]),
        ([.new], [Told(new: 2)]),
        ([.old], [Told(old: 1)]),
        ([.new, .old], [Told(new: 2, old: 1)]),
        ([.initial], [Told(), Told()]),
        ([.initial, .new], [Told(new: 1), Told(new: 2)]),
        ([.initial, .old], [Told(), Told(old: 1)]),
        ([.prior], [Told(isPrior: true), Told()]),
        ([.prior, .new, .old], [Told(old: 1, isPrior: true), Told(new: 2, old: 1)]),
        (
            [.initial, .prior, .new, .old],
            [Told(new: 1), Told(old: 1, isPrior: true), Told(new: 2, old: 1)]
        ),
    ]

    @Test("options determine the reported values", arguments: cases)
    func options(options: NSKeyValueObservingOptions, expected: [Told]) {
        let player = ObservedPlayer()
        player.rate = 1
        let log = Log<Told>()
        let token = player.observe(\.rate, options: options) { observed, change in
            #expect(observed === player)
            #expect(change.kind == .setting)
            #expect(change.indexes == nil)
            log.append(Told(new: change.newValue, old: change.oldValue, isPrior: change.isPrior))
        }
        player.rate = 2
        #expect(log.entries == expected)
        token.invalidate()
    }

    @Test("the property has its old value before, and its new value in the call after")
    func readingInside() {
        let player = ObservedPlayer()
        let log = Log<Float>()
        let token = player.observe(\.rate, options: [.prior]) { player, _ in log.append(player.rate) }
        player.rate = 3
        #expect(log.entries == [0, 3])
        token.invalidate()
    }

    @Test("the raw values are Apple's")
    func rawValues() {
        #expect(NSKeyValueObservingOptions.new.rawValue == 1)
        #expect(NSKeyValueObservingOptions.old.rawValue == 2)
        #expect(NSKeyValueObservingOptions.initial.rawValue == 4)
        #expect(NSKeyValueObservingOptions.prior.rawValue == 8)
    }

    @Test("an update to an equal value is not reported")
    func sameValue() {
        let player = ObservedPlayer()
        let log = Log<Float>()
        let token = player.observe(\.rate) { player, _ in log.append(player.rate) }
        #expect(!player.updateRate(0))
        #expect(player.updateRate(1))
        #expect(!player.updateRate(1))
        #expect(log.entries == [1])
        token.invalidate()
    }

    @Test("nil is reported as a value")
    func optionalValue() {
        let player = ObservedPlayer()
        player.item = ObservedItem()
        let log = Log<Bool>()
        let token = player.observe(\.item, options: [.new]) { _, change in
            log.append(change.newValue == .some(.none))
        }
        player.item = nil
        #expect(log.entries == [true])
        token.invalidate()
    }
}
