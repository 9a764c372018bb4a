import Testing
import TuttiTestSupport

@testable import TuttiDiscovery

@Suite("Events that wait for a slow reader")
struct PendingEventsTests {
    enum Step: CaseIterable, Sendable { case appeared, updated, vanished }

    static let combinations: [([Step], Step?)] = [
        ([.appeared], .appeared),
        ([.appeared, .updated], .appeared),
        ([.appeared, .vanished], nil),
        ([.appeared, .vanished, .appeared], .appeared),
        ([.updated, .updated], .updated),
        ([.updated, .vanished], .vanished),
        ([.vanished, .appeared], .updated),
        ([.vanished, .appeared, .vanished], .vanished),
    ]

    @Test("several changes of one service merge into one", arguments: combinations)
    func combine(steps: [Step], expected: Step?) throws {
        var pending = PendingEvents()
        for (index, step) in steps.enumerated() { pending.append(try Self.event(step, address: index + 1)) }
        let last = try expected.map { try Self.event($0, address: steps.count) }
        #expect(pending.drain() == [last].compactMap { $0 })
        #expect(pending.drain().isEmpty)
    }

    @Test("different services keep their order")
    func order() throws {
        var pending = PendingEvents()
        let names = ["C", "A", "B"]
        for name in names { pending.append(.appeared(try Sample.airplay(name))) }
        pending.append(.updated(try Sample.airplay("C", address: 99)))
        #expect(pending.drain().map(\.service.name) == names)
    }

    @Test("a reader of merged events ends with the same speakers as one of all events")
    func sameEnd() throws {
        var random = SeededGenerator(seed: 7)
        var present: Set<String> = []
        var pending = PendingEvents()
        var all = SpeakerDirectory()
        var combined = SpeakerDirectory()
        for round in 1...2000 {
            let name = "S\(Int.random(in: 0..<5, using: &random))"
            let service = try Sample.airplay(name, device: nil, address: round % 250)
            let leaves = present.contains(name) && Bool.random(using: &random)
            let event: DiscoveryEvent =
                leaves ? .vanished(service) : present.contains(name) ? .updated(service) : .appeared(service)
            if leaves { present.remove(name) } else { present.insert(name) }
            pending.append(event)
            _ = all.apply(event)
            if Int.random(in: 0..<4, using: &random) == 0 {
                for event in pending.drain() { _ = combined.apply(event) }
                #expect(combined.speakers == all.speakers)
            }
        }
    }

    private static func event(_ step: Step, address: Int) throws -> DiscoveryEvent {
        let service = try Sample.airplay("Kitchen", address: address)
        return switch step {
        case .appeared: .appeared(service)
        case .updated: .updated(service)
        case .vanished: .vanished(service)
        }
    }
}
