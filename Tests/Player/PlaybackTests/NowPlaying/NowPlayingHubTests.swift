import Dispatch
import Synchronization
import Testing
import TuttiMediaTime
import TuttiRouteTestSupport
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("The hub between programs and surfaces")
struct NowPlayingHubTests {
    let hub = NowPlayingHub(machine: SystemMachine(), routes: { FakeRoutes() })
    private let origin = RemoteCommandOrigin(surface: "test")

    private func snapshot(_ title: String) -> NowPlayingSnapshot {
        var snapshot = NowPlayingSnapshot(at: HostTime(nanoseconds: 0))
        snapshot.title = title
        return snapshot
    }

    private func commands(_ kinds: RemoteCommand.Kind...) -> RemoteCommandSet {
        var set = RemoteCommandSet()
        set.enabled = Set(kinds)
        return set
    }

    @Test("surfaces receive the state and the commands of the active source alone")
    func sources() async throws {
        let surface = RecordingSurface()
        let activity = Recorder<[Bool]>([])
        let session = hub.makeSource { isActive in activity.update { $0.append(isActive) } }
        hub.publish(snapshot("program"))
        hub.attach(surface)
        hub.publish(snapshot("session"), by: session)
        hub.setCommands(commands(.pause), of: session)
        #expect(hub.snapshot.title == "program" && hub.commands.enabled.isEmpty)
        hub.activate(session)
        hub.activate(session)
        hub.publish(snapshot("unseen"))
        #expect(hub.snapshot.title == "session" && hub.activeSource == session)
        hub.remove(session)
        hub.publish(snapshot("late"), by: session)
        hub.activate(session)
        let updates = try await surface.updates.wait(for: "all updates") { $0.count >= 6 ? $0 : nil }
        let expected: [RecordingSurface.Update] = [
            .title("program"), .commands([]), .title("session"), .commands([.pause]), .title("unseen"),
            .commands([]),
        ]
        #expect(updates == expected)
        #expect(activity.value == [true])
        hub.detach(surface)
    }

    @Test("a surface receives the current state, then every change in order, until it is detached")
    func order() async throws {
        let surface = RecordingSurface()
        hub.publish(snapshot("A"))
        hub.attach(surface)
        hub.attach(surface)
        hub.setCommands(commands(.play))
        hub.publish(snapshot("B"))
        hub.setCommands(commands(.play))
        for number in 0..<10 { hub.publish(snapshot("\(number)")) }
        let expected: [RecordingSurface.Update] =
            [.title("A"), .commands([]), .commands([.play]), .title("B")]
            + (0..<10).map { .title("\($0)") }
        let updates = try await surface.updates.wait(for: "all updates") { $0.count >= 14 ? $0 : nil }
        #expect(updates == expected)
        hub.detach(surface)
        hub.publish(snapshot("C"))
        let other = RecordingSurface()
        hub.attach(other)
        _ = try await other.updates.wait(for: "the state") { $0.count == 2 ? 1 : nil }
        #expect(surface.updates.value == expected)
        #expect(other.updates.value == [.title("C"), .commands([.play])])
    }

    @Test("a slow surface skips outdated notifications, and delays no other surface")
    func slow() async throws {
        let (gate, isInside) = (DispatchSemaphore(value: 0), Recorder(false))
        let slow = RecordingSurface {
            isInside.update { $0 = true }
            gate.wait()
            gate.signal()
        }
        let quick = RecordingSurface()
        hub.attach(slow)
        _ = try await isInside.wait(for: "the first call") { $0 ? 1 : nil }
        hub.attach(quick)
        hub.setCommands(commands(.pause))
        for number in 0..<1000 {
            hub.publish(snapshot("\(number)"))
            // One after the other, so that the quick surface keeps up.
            _ = try await quick.updates.wait(for: "update \(number)") {
                $0.last == .title("\(number)") ? 1 : nil
            }
        }
        #expect(quick.updates.value.count == 1003)
        gate.signal()
        let updates = try await slow.updates.wait(for: "the last") { $0.last == .title("999") ? $0 : nil }
        #expect(updates.count <= NowPlayingHub.feedLimit + 2)
        // A notification that no newer one of its kind replaced is still delivered.
        #expect(updates.contains(.commands([.pause])))
    }

    @Test("all surfaces receive publications from many threads in the same order")
    func threads() async throws {
        let surfaces = [RecordingSurface(), RecordingSurface()]
        for surface in surfaces { hub.attach(surface) }
        let hub = hub
        DispatchQueue.concurrentPerform(iterations: 40) { number in
            var snapshot = NowPlayingSnapshot(at: HostTime(nanoseconds: 0))
            snapshot.title = "\(number)"
            hub.publish(snapshot)
        }
        var heard: [[RecordingSurface.Update]] = []
        for surface in surfaces {
            heard.append(try await surface.updates.wait(for: "all") { $0.count == 42 ? $0 : nil })
        }
        #expect(heard[0] == heard[1])
        #expect(heard[0].last == .title(hub.snapshot.title))
    }

    @Test("the first receiver that takes a command answers it, once")
    func receivers() async {
        let first = RecordingReceiver { $0 == .play ? .success : .unsupported }
        let second = RecordingReceiver { $0 == .pause ? .noActionableItem : .unsupported }
        hub.add(first)
        hub.add(second)
        hub.add(first)
        #expect(await hub.send(.play, from: origin) == .success)
        #expect(await hub.send(.pause, from: origin) == .noActionableItem)
        #expect(await hub.send(.stop, from: origin) == .unsupported)
        #expect(first.asked.value == [.play, .pause, .stop])
        #expect(second.asked.value == [.pause, .stop])
        hub.remove(first)
        #expect(await hub.send(.play, from: origin) == .unsupported)
        #expect(first.asked.value.count == 3)
    }

    @Test("commands arrive in the order in which they were sent")
    func commandOrder() {
        let receiver = RecordingReceiver { _ in .success }
        hub.add(receiver)
        let all = (0..<20).map { RemoteCommand.changePosition(seconds: Double($0)) }
        for command in all { hub.send(command, from: origin) { _ in } }
        #expect(receiver.asked.value == all)
    }
}

@Suite("Volume commands")
struct RouteVolumeCommandsTests {
    private static func option(_ id: String, volume: Double?, isSelected: Bool = true) -> RouteOption {
        RouteOption(id: id, name: id, kind: .airPlay, isSelected: isSelected, volume: volume)
    }

    static let changes: [(String, [RemoteCommand], String?, [String], RemoteCommandOutcome)] = [
        ("up", [.volumeUp], nil, ["a 46.25", "b 100.0"], .success),
        ("down", [.volumeDown], nil, ["a 33.75", "b 92.75"], .success),
        ("set", [.setVolume(percent: 70)], nil, ["a 70.0", "b 70.0", "x 70.0"], .success),
        ("too much", [.setVolume(percent: 700)], "a", ["a 100.0"], .success),
        ("no number", [.setVolume(percent: .nan)], nil, [], .failed),
        ("of one", [.volumeUp], "b", ["b 100.0"], .success),
        ("of one that does not play", [.volumeUp], "c", [], .deviceNotFound),
        ("muted, and back", [.toggleMute, .toggleMute], "a", ["a 0.0", "a 40.0"], .success),
        ("unknown", [.toggleMute], "x", [], .failed),
    ]

    @Test("a volume command changes the outputs that play", arguments: changes)
    func change(
        name: String, commands: [RemoteCommand], route: String?, changes: [String],
        outcome: RemoteCommandOutcome
    ) async {
        let routes = FakeRoutes([
            Self.option("a", volume: 40), Self.option("b", volume: 99),
            Self.option("c", volume: 10, isSelected: false), Self.option("x", volume: nil),
        ])
        let hub = NowPlayingHub(machine: SystemMachine(), routes: { routes })
        var last = RemoteCommandOutcome.unsupported
        for command in commands {
            last = await hub.send(command, from: RemoteCommandOrigin(surface: "test", route: route))
        }
        #expect(last == outcome)
        #expect(routes.log.value.volumes == changes)
    }
}
