import Playback
import TestSupport
import Testing

@testable import tutti

@Suite("commands of speakers' buttons in tutti play")
struct PlayRemoteTests {
    static let commands: [(RemoteCommand, PlayRequest?)] = [
        (.play, .resume), (.pause, .pause), (.stop, .pause), (.togglePlayPause, .toggle),
        (.nextTrack, .next), (.previousTrack, .previous), (.skipForward(seconds: nil), .skip(10)),
        (.skipBackward(seconds: 30), .skip(-30)), (.changePosition(seconds: 61), .seek(61)),
        (.changePosition(seconds: -1), .seek(0)), (.changePosition(seconds: .nan), nil),
        (.like(isNegative: false), nil), (.volumeUp, nil),
    ]

    @Test("each command is a request, or refused", arguments: commands)
    func requests(command: RemoteCommand, expected: PlayRequest?) async {
        let requests = Recorder<[PlayRequest]>([])
        let hub = NowPlayingHub()
        let remote = PlayRemote { request in requests.update { $0.append(request) } }
        remote.attach(to: hub)
        #expect(hub.commands.enabled.contains(.pause))
        // The volume is another receiver's.
        if command != .volumeUp {
            let outcome = await hub.send(command, from: RemoteCommandOrigin(surface: "test"))
            #expect(outcome == (expected == nil ? .unsupported : .success))
        }
        #expect(requests.value == (expected.map { [$0] } ?? []))
        remote.detach(from: hub)
        #expect(hub.commands.enabled.isEmpty)
    }
}
