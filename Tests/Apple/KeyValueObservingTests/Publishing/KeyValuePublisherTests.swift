#if TUTTI_COMBINE
import Combine
import Foundation
import Testing

@testable import TuttiKeyValueObserving

/// A subscriber that keeps what it gets, and demands as the test wants.
private final class Receiver<Input>: Subscriber {
    typealias Failure = Never

    var subscription: (any Subscription)?
    var values: [Input] = []
    /// The demands with the subscription, and with each value.
    var (first, further) = (Subscribers.Demand.none, Subscribers.Demand.none)
    var onValue: (Input) -> Void = { _ in }

    init(demand: Subscribers.Demand = .unlimited) { first = demand }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        if first > .none { subscription.request(first) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        values.append(input)
        onValue(input)
        return further
    }

    func receive(completion: Subscribers.Completion<Never>) { Issue.record("an observation ended") }
}

/// A subscription that other threads may ask.
private final class Holder: @unchecked Sendable {
    // Safe to share: subscriptions may be asked by any thread.
    let subscription: (any Subscription)?

    init(_ subscription: (any Subscription)?) { self.subscription = subscription }
}

/// An item that calls a function at its end.
private final class CancellingItem: ObservedItem, @unchecked Sendable {
    private let atEnd: () -> Void

    init(atEnd: @escaping () -> Void) {
        self.atEnd = atEnd
        super.init()
    }

    deinit { atEnd() }
}

@Suite("Publishers of properties, where a module Combine is present")
struct KeyValuePublisherTests {
    @Test("the present value comes first, then each change")
    func values() {
        let (player, receiver) = (ObservedPlayer(), Receiver<Float>())
        player.publisher(for: \.rate).receive(subscriber: receiver)
        player.rate = 1
        player.rate = 2
        #expect(receiver.values == [0, 1, 2])
    }

    @Test("changes alone come without the option for the present value")
    func changesAlone() {
        let (player, receiver) = (ObservedPlayer(), Receiver<Float>())
        player.publisher(for: \.rate, options: [.new]).receive(subscriber: receiver)
        player.rate = 1
        #expect(receiver.values == [1])
    }

    @Test("with the option for earlier calls, the old value comes before each change")
    func prior() {
        let (player, receiver) = (ObservedPlayer(), Receiver<Float>())
        player.publisher(for: \.rate, options: [.prior]).receive(subscriber: receiver)
        player.rate = 1
        #expect(receiver.values == [0, 1])
    }

    @Test("the last of the values that nobody demanded comes with the next demand")
    func demand() throws {
        let (player, receiver) = (ObservedPlayer(), Receiver<Float>(demand: .none))
        player.publisher(for: \.rate).receive(subscriber: receiver)
        for rate: Float in [1, 2, 3] { player.rate = rate }
        #expect(receiver.values.isEmpty)
        let subscription = try #require(receiver.subscription)
        subscription.request(.max(2))
        #expect(receiver.values == [3])
        player.rate = 4
        player.rate = 5
        #expect(receiver.values == [3, 4])
        receiver.further = .max(1)
        subscription.request(.max(1))
        #expect(receiver.values == [3, 4, 5])
        player.rate = 6
        #expect(receiver.values == [3, 4, 5, 6])
    }

    @Test("nothing comes after a cancellation, also from within a value, and the object is free")
    func cancellation() {
        weak var gone: ObservedPlayer?
        let receiver = Receiver<Float>()
        do {
            let player = ObservedPlayer()
            gone = player
            player.publisher(for: \.rate).receive(subscriber: receiver)
            receiver.onValue = { if $0 == 1 { receiver.subscription?.cancel() } }
            player.rate = 1
            player.rate = 2
            #expect(!player.observations.isObserved("rate"))
        }
        #expect(receiver.values == [0, 1])
        #expect(gone == nil)
    }

    @Test("a subscription does not keep the object alive, so that the object may keep it")
    func lifetime() {
        let receiver = Receiver<Float>()
        weak var gone: ObservedPlayer?
        do {
            let player = ObservedPlayer()
            gone = player
            player.publisher(for: \.rate).receive(subscriber: receiver)
            player.rate = 1
        }
        #expect(receiver.values == [0, 1])
        #expect(gone == nil)
        receiver.subscription?.request(.max(1))
    }

    @Test("two subscribers may ask each other's subscriptions from within a value")
    func crossed() async {
        let players = (ObservedPlayer(), ObservedPlayer())
        let receivers = (Receiver<Float>(demand: .max(1)), Receiver<Float>(demand: .max(1)))
        players.0.publisher(for: \.rate).receive(subscriber: receivers.0)
        players.1.publisher(for: \.rate).receive(subscriber: receivers.1)
        let (one, other) = (Holder(receivers.0.subscription), Holder(receivers.1.subscription))
        (receivers.0.further, receivers.1.further) = (.max(1), .max(1))
        // Each asks the other's subscription while it has the lock that both share.
        let shared = NSLock()
        receivers.0.onValue = { _ in shared.withLock { other.subscription?.request(.max(1)) } }
        receivers.1.onValue = { _ in shared.withLock { one.subscription?.request(.max(1)) } }
        for subscription in [one, other] { subscription.subscription?.request(.max(1)) }
        await withTaskGroup(of: Void.self) { group in
            for player in [players.0, players.1] {
                group.addTask { for rate in 1...500 { player.rate = Float(rate) } }
            }
        }
        #expect(receivers.0.values.last == 500 && receivers.1.values.last == 500)
    }

    @Test("a value that nobody demanded may cancel the subscription as it is released")
    func releasedValue() {
        let (player, receiver) = (ObservedPlayer(), Receiver<ObservedItem?>(demand: .none))
        player.publisher(for: \.item, options: [.new]).receive(subscriber: receiver)
        weak let subscription: AnyObject? = receiver.subscription.map { $0 as AnyObject }
        player.item = CancellingItem { (subscription as? any Subscription)?.cancel() }
        player.item = nil
        player.item = ObservedItem()
        #expect(!player.observations.isObserved("item"))
        #expect(receiver.values.isEmpty)
    }

    @Test("a change from within a value comes after it")
    func nested() {
        let (player, receiver) = (ObservedPlayer(), Receiver<Float>())
        receiver.onValue = { if $0 == 1 { player.rate = 2 } }
        player.publisher(for: \.rate).receive(subscriber: receiver)
        player.rate = 1
        #expect(receiver.values.last == 2)
        #expect(receiver.values.prefix(2) == [0, 1])
    }

    @Test("didChange tells of changes without values; equal publishers are equal")
    func didChange() {
        let (player, receiver) = (ObservedPlayer(), Receiver<Void>())
        let publisher = player.publisher(for: \.rate, options: [])
        publisher.didChange().receive(subscriber: receiver)
        player.rate = 1
        #expect(receiver.values.count == 1)
        #expect(publisher == player.publisher(for: \.rate, options: []))
        #expect(publisher != ObservedPlayer().publisher(for: \.rate, options: []))
    }
}
#endif
