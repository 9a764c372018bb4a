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

    @Test("a subscription keeps the object alive")
    func retains() {
        let receiver = Receiver<Float>()
        weak var player: ObservedPlayer?
        do {
            let made = ObservedPlayer()
            player = made
            made.publisher(for: \.rate).receive(subscriber: receiver)
        }
        player?.rate = 1
        #expect(receiver.values == [0, 1])
        receiver.subscription?.cancel()
        #expect(player == nil)
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
