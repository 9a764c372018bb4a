import Testing
import TuttiTestSupport

@testable import TuttiMQTT

@Suite("The messages that wait to be sent")
struct OutboxTests {
    private static func message(_ topic: String, _ text: String = "x") -> MQTTMessage {
        MQTTMessage(topic: topic, text: text, isRetained: true)
    }

    private static func limits(messages: Int = 100, bytes: Int = 1_000) -> MQTTConfiguration.Limits {
        var limits = MQTTConfiguration.Limits()
        (limits.waitingMessages, limits.waitingBytes) = (messages, bytes)
        return limits
    }

    private static func all(_ outbox: inout Outbox) -> [String] {
        var found: [String] = []
        while let message = outbox.take() { found.append(message.topic + "=" + message.text) }
        return found
    }

    @Test("a topic's latest state takes the place of the earlier one, and events all stay")
    func coalescing() {
        var outbox = Outbox(Self.limits())
        for number in 1...3 {
            outbox.add(Self.message("a", "\(number)"), isState: true)
            outbox.add(Self.message("b", "\(number)"), isState: true)
            outbox.add(Self.message("e", "\(number)"), isState: false)
        }
        #expect(outbox.count == 5)
        #expect(Self.all(&outbox) == ["a=3", "b=3", "e=1", "e=2", "e=3"])
        #expect(outbox.count == 0 && outbox.byteCount == 0)
    }

    @Test("a state that was taken is followed by the next one")
    func taken() {
        var outbox = Outbox(Self.limits())
        outbox.add(Self.message("a", "1"), isState: true)
        outbox.add(Self.message("b", "1"), isState: true)
        #expect(outbox.take()?.text == "1")
        outbox.add(Self.message("a", "2"), isState: true)
        #expect(Self.all(&outbox) == ["b=1", "a=2"])
    }

    @Test("the number and the bytes have limits, and a new value of a waiting topic fits by its difference")
    func limits() {
        var outbox = Outbox(Self.limits(messages: 2, bytes: 10))
        let steps: [(topic: String, text: String, isState: Bool, fits: Bool)] = [
            ("a", "12345678", true, true), ("b", "123", true, false), ("a", "1234567890", true, true),
            ("a", "12345678901", true, false), ("c", "", false, true), ("d", "", false, false),
        ]
        for step in steps {
            let fits = outbox.add(Self.message(step.topic, step.text), isState: step.isState)
            #expect(fits == step.fits)
        }
        #expect(outbox.droppedCount == 3)
        #expect(Self.all(&outbox) == ["a=1234567890", "c="])
    }

    @Test("states survive the loss of a connection, events do not")
    func lostConnection() {
        var outbox = Outbox(Self.limits())
        outbox.add(Self.message("a", "1"), isState: true)
        outbox.add(Self.message("e", "1"), isState: false)
        outbox.add(Self.message("b", "1"), isState: true)
        _ = outbox.take()
        outbox.removeEvents()
        outbox.add(Self.message("b", "22"), isState: true)
        #expect(outbox.byteCount == 2)
        #expect(Self.all(&outbox) == ["b=22"])
        outbox.add(Self.message("a", "1"), isState: true)
        outbox.removeAll()
        #expect(outbox.count == 0 && outbox.byteCount == 0 && Self.all(&outbox).isEmpty)
    }

    @Test("random use agrees with a plain list")
    func random() {
        var generator = SeededGenerator(seed: 7)
        var outbox = Outbox(Self.limits(messages: 10_000, bytes: 1_000_000))
        var model: [(topic: String, text: String, isState: Bool)] = []
        for number in 0..<20_000 {
            if UInt8.random(in: 0..<5, using: &generator) < 3 {
                let isState = Bool.random(using: &generator)
                let topic = "\(Int.random(in: 0..<300, using: &generator))"
                outbox.add(Self.message(topic, "\(number)"), isState: isState)
                if isState, let place = model.firstIndex(where: { $0.isState && $0.topic == topic }) {
                    model[place].text = "\(number)"
                } else {
                    model.append((topic, "\(number)", isState))
                }
            } else {
                let taken = outbox.take()
                let expected = model.isEmpty ? nil : model.removeFirst()
                #expect(taken?.topic == expected?.topic && taken?.text == expected?.text)
            }
        }
        #expect(Self.all(&outbox) == model.map { $0.topic + "=" + $0.text })
    }
}
