import Playback
import Testing
import TuttiSystemIO
import TuttiTestSupport

@testable import MediaPlayer
@testable import TuttiPlayCommand

@Suite("commands of speakers' buttons in tutti play")
struct PlayRemoteTests {
    static let commands: [(RemoteCommand, PlayRequest?, RemoteCommandOutcome)] = [
        (.play, .resume, .success), (.pause, .pause, .success), (.stop, .pause, .success),
        (.togglePlayPause, .toggle, .success), (.nextTrack, .next, .success),
        (.previousTrack, .previous, .success), (.skipForward(seconds: nil), .skip(10), .success),
        (.skipBackward(seconds: 30), .skip(-30), .success),
        (.changePosition(seconds: 61), .seek(61), .success),
        (.changePosition(seconds: -1), .seek(0), .success),
        (.changePosition(seconds: .nan), nil, .failed), (.like(isNegative: false), nil, .unsupported),
        (.volumeUp, nil, .unsupported),
    ]

    @Test("each command is a request, or refused", arguments: commands)
    func requests(command: RemoteCommand, expected: PlayRequest?, outcome: RemoteCommandOutcome) async {
        let requests = Recorder<[PlayRequest]>([])
        let hub = NowPlayingHub(machine: SystemMachine(), routes: { nil })
        let center = MPRemoteCommandCenter(hub: hub, clock: SystemClock()) { _ in nil }
        let remote = PlayRemote { request in requests.update { $0.append(request) } }
        remote.attach(to: center)
        #expect(hub.commands.enabled.contains(.pause))
        // The volume is another receiver's.
        if command != .volumeUp {
            #expect(await hub.send(command, from: RemoteCommandOrigin(surface: "test")) == outcome)
        }
        #expect(requests.value == (expected.map { [$0] } ?? []))
        remote.detach()
        #expect(hub.commands.enabled.isEmpty)
        extendLifetime(center)
    }
}
