import AirPlayMessages
import AirPlaySender
import CoreMedia
import Testing
import TuttiMediaTime
import TuttiRouteTestSupport
import TuttiSystemIO
import TuttiTestSupport

@testable import Playback

@Suite("The speakers as a surface")
struct SpeakerSurfaceTests {
    let clock = ManualClock(HostTime(nanoseconds: 0))
    let hub: NowPlayingHub
    let surface: SpeakerSurface
    let routes: FakeRoutes
    let shown = Recorder<[String]>([])

    init() {
        var kitchen = FakeRoutes.kitchen
        kitchen.isSelected = true
        let routes = FakeRoutes([FakeRoutes.machine, kitchen])
        self.routes = routes
        hub = NowPlayingHub(machine: SystemMachine(clock: clock), routes: { routes })
        surface = SpeakerSurface(hub: hub, machine: SystemMachine(clock: clock), routes: { routes })
    }

    private func run(_ rate: Double) {
        surface.lineDidChange(PresentationLine(time: .zero, host: clock.now, rate: rate))
    }

    @Test("a publication is shown at its place on the timeline")
    func showing() async throws {
        let shown = shown
        surface.start { tracks in
            shown.update { $0 += tracks.map { "\($0.metadata.dmap.title ?? "-") at \($0.start.seconds)" } }
        }
        run(1)
        clock.advance(by: .seconds(7))
        var snapshot = NowPlayingSnapshot(at: clock.now)
        (snapshot.title, snapshot.elapsed) = ("A", 2)
        hub.publish(snapshot)
        _ = try await shown.wait(for: "the track") { $0.count == 1 ? 1 : nil }
        #expect(shown.value == ["A at 5.0"])
        surface.stop()
    }

    // MARK: Buttons

    static let pressed: [(MediaRemoteCommand, Double, [RemoteCommand])] = [
        (.play, 0, [.play]), (.pause, 0, [.play]), (.play, 1, [.pause]), (.pause, 1, [.pause]),
        (.nextItem, 1, [.nextTrack]), (.previousItem, 0, [.previousTrack]),
        (MediaRemoteCommand(rawValue: "what"), 1, []),
    ]

    @Test("buttons become commands; play and pause both toggle the actual state", arguments: pressed)
    func buttons(button: MediaRemoteCommand, rate: Double, expected: [RemoteCommand]) {
        let receiver = RecordingReceiver { _ in .success }
        hub.add(receiver)
        run(rate)
        surface.take(.command(speaker: "Kitchen", .mediaRemote(button)))
        #expect(receiver.asked.value == expected)
    }

    @Test("a program that supports only the toggle command receives the toggle command")
    func toggle() {
        let receiver = RecordingReceiver { $0 == .togglePlayPause ? .success : .unsupported }
        hub.add(receiver)
        run(1)
        surface.take(.command(speaker: "Kitchen", .mediaRemote(.pause)))
        #expect(receiver.asked.value == [.pause, .togglePlayPause])
    }

    @Test("the published state decides whether the program plays if there is no timeline")
    func withoutLine() {
        let receiver = RecordingReceiver { _ in .success }
        hub.add(receiver)
        surface.take(.command(speaker: "Kitchen", .mediaRemote(.pause)))
        hub.publish(NowPlayingSnapshot(at: clock.now))
        surface.take(.command(speaker: "Kitchen", .mediaRemote(.pause)))
        #expect(receiver.asked.value == [.play, .pause])
    }

    // MARK: DACP

    static let asked: [([DACPCommand], [RemoteCommand])] = [
        (
            [.play, .pause, .discretePause, .playPause, .stop],
            [.play, .pause, .pause, .togglePlayPause, .stop]
        ),
        ([.nextItem, .previousItem], [.nextTrack, .previousTrack]),
        ([.playResume], [.play]),
        (
            [.beginFastForward, .playResume, .playResume],
            [.seekForward(.begin), .seekForward(.end), .play]
        ),
        ([.beginRewind, .playResume], [.seekBackward(.begin), .seekBackward(.end)]),
        ([.toggleShuffle, .shuffle(false)], [.changeShuffleMode(.items), .changeShuffleMode(.off)]),
        (
            [.repeatMode(0), .repeatMode(1), .repeatMode(2)],
            [.changeRepeatMode(.off), .changeRepeatMode(.one), .changeRepeatMode(.all)]
        ),
        ([.playingTime(61_500)], [.changePosition(seconds: 61.5)]),
        ([.volumeUp, .volumeDown, .toggleMute], [.volumeUp, .volumeDown, .toggleMute]),
        ([.volume(Volume(decibels: -15))], [.setVolume(percent: 50)]),
        ([.preventPlayback(true), .busy(false), .other("getspeakers")], []),
    ]

    @Test("DACP requests become commands", arguments: asked)
    func requests(requests: [DACPCommand], expected: [RemoteCommand]) {
        let receiver = RecordingReceiver { _ in .success }
        hub.add(receiver)
        for request in requests { surface.take(request, from: .loopbackV4) { _ in } }
        #expect(receiver.asked.value == expected)
    }

    static let ownVolumes: [(maximum: Double, percent: Double)] = [(100, 50), (80, 62.5), (40, 100)]

    @Test("a speaker's own volume is in percent of its maximum", arguments: ownVolumes)
    func ownVolume(maximum: Double, percent: Double) {
        let receiver = RecordingReceiver { _ in .success }
        hub.add(receiver)
        surface.setMembers(["Kitchen": SpeakerSurface.Member(option: "id", maximumVolume: maximum)])
        surface.take(
            .opened(
                speaker: "Kitchen", address: "127.0.0.1:7000", receiver: ReceiverDescription(), bufferBytes: 0
            ))
        surface.take(.volume(Volume(decibels: -15)), from: .loopbackV4) { _ in }
        #expect(receiver.asked.value == [.setVolume(percent: percent)])
    }

    static let outcomes: [(RemoteCommandOutcome, DACPAnswer)] = [
        (.success, .done), (.unsupported, .unknown), (.noSuchContent, .notThere),
        (.noActionableItem, .notThere), (.deviceNotFound, .notThere), (.failed, .failed),
    ]

    @Test("the speaker receives the outcome of its request", arguments: outcomes)
    func answers(outcome: RemoteCommandOutcome, answer: DACPAnswer) {
        let receiver = RecordingReceiver { _ in outcome }
        hub.add(receiver)
        let heard = Recorder<[DACPAnswer]>([])
        surface.take(.nextItem, from: .loopbackV4) { answer in heard.update { $0.append(answer) } }
        #expect(heard.value == [answer])
    }

    @Test("a volume request changes the speaker that sent it")
    func volume() throws {
        var bath = FakeRoutes.bath
        bath.isSelected = true
        routes.set(routes.options + [bath])
        let receiver = ReceiverDescription()
        surface.take(
            .opened(speaker: "Kitchen", address: "192.0.2.7:7000", receiver: receiver, bufferBytes: 1))
        surface.take(
            .opened(speaker: "Bath", address: "[2001:db8::7]:7000", receiver: receiver, bufferBytes: 1))
        surface.take(.volume(Volume(percent: 10)), from: try #require(IPAddress("192.0.2.7"))) { _ in }
        surface.take(.volume(Volume(percent: 20)), from: try #require(IPAddress("2001:db8::7"))) { _ in }
        #expect(routes.log.value.volumes.map { $0.prefix(4) } == ["k 10", "b 20"])
    }

    @Test(
        "the host is parsed from an address in text form",
        arguments: [("1.2.3.4:7", "1.2.3.4"), ("[::1]:80", "::1"), ("x", nil), ("", nil)])
    func hosts(text: String, expected: String?) {
        #expect(SpeakerSurface.host(in: text) == expected.flatMap { IPAddress($0) })
    }

    @Test("a volume request changes the one of two speakers of one name that sent it")
    func twins() throws {
        let twins = ["k1", "k2"].map { id in
            RouteOption(id: id, name: "Kitchen", kind: .airPlay, isSelected: true, volume: 40)
        }
        routes.set([FakeRoutes.machine] + twins)
        for (number, twin) in twins.enumerated() {
            surface.take(
                .opened(
                    speaker: NamedSpeaker(id: twin.id, name: twin.name),
                    address: "192.0.2.\(number + 1):7000", receiver: ReceiverDescription(), bufferBytes: 1))
        }
        let first = try #require(IPAddress("192.0.2.1"))
        let second = try #require(IPAddress("192.0.2.2"))
        surface.take(.volume(Volume(percent: 10)), from: second) { _ in }
        #expect(routes.log.value.volumes.map { $0.prefix(5) } == ["k2 10"])
        surface.take(.state(speaker: NamedSpeaker(id: "k2", name: "Kitchen"), .closed))
        #expect(surface.reaches(first) && !surface.reaches(second))
    }
}
