import Foundation
import Observation
import Testing
import TuttiTestSupport

@testable import TuttiKeyValueObserving

private final class Lamp: NSObject, @unchecked Sendable {
    // Safe to share: the value is behind a lock.
    let observations: PropertyObservations
    private let stored: ObservedValue<Int>
    private let other: ObservedValue<Int>

    init(_ observations: PropertyObservations) {
        self.observations = observations
        stored = ObservedValue(0, "brightness", in: observations)
        other = ObservedValue(0, "colour", in: observations)
    }

    var brightness: Int {
        get { stored.value }
        set { stored.value = newValue }
    }

    var colour: Int {
        get { other.value }
        set { other.value = newValue }
    }
}

@Suite("Swift's Observation")
struct ReadTrackingTests {
    private func track(_ lamp: Lamp) -> Recorder<Int> {
        let count = Recorder(0)
        withObservationTracking {
            _ = lamp.brightness
        } onChange: {
            count.update { $0 += 1 }
        }
        return count
    }

    @Test("a read property is notified once when it changes, and nothing else is")
    func told() {
        let lamp = Lamp(PropertyObservations(tracksReads: true))
        let count = track(lamp)
        lamp.colour = 1
        #expect(count.value == 0)
        lamp.brightness = 1
        lamp.brightness = 2
        #expect(count.value == 1)
        let again = track(lamp)
        lamp.brightness = 3
        #expect(again.value == 1)
    }

    @Test("objects of one class are distinguished")
    func apart() {
        let observations = (PropertyObservations(tracksReads: true), PropertyObservations(tracksReads: true))
        let lamps = (Lamp(observations.0), Lamp(observations.1))
        let count = track(lamps.0)
        lamps.1.brightness = 1
        #expect(count.value == 0)
    }

    @Test("without opting in nothing is tracked")
    func off() {
        let lamp = Lamp(PropertyObservations())
        let count = track(lamp)
        lamp.brightness = 1
        #expect(count.value == 0)
    }

    @Test("key-value observers see the same changes")
    func both() {
        let lamp = Lamp(PropertyObservations(tracksReads: true))
        let (count, seen) = (track(lamp), Recorder<[Int]>([]))
        let token = lamp.observe(\.brightness, options: [.new]) { _, change in
            seen.update { $0 += change.newValue.map { [$0] } ?? [] }
        }
        lamp.brightness = 4
        #expect(count.value == 1 && seen.value == [4])
        token.invalidate()
    }

    @Test("opting in precedes the first object")
    func choice() {
        let choice = ObservationChoice()
        #expect(!choice.isEnabled && choice.choose(true) && choice.choose(false) && choice.choose(true))
        let lamp = Lamp(choice.makeObservations())
        #expect(!choice.choose(false) && choice.isEnabled && choice.choose(true))
        let count = track(lamp)
        lamp.brightness = 1
        #expect(count.value == 1)
    }
}
