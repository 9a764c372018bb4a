import MediaPlayer
import Testing
import TuttiMediaTime

@testable import MediaPlayer

// Everything that programs may override compiles here.

private final class SquareArtwork: MPMediaItemArtwork, @unchecked Sendable {
    override var bounds: CGRect { CGRect(x: 0, y: 0, width: 10, height: 10) }
}

private final class LateEvent: MPRemoteCommandEvent, @unchecked Sendable {
    override var command: MPRemoteCommand { super.command }
    override var timestamp: TimeInterval { super.timestamp + 1 }
}

@Suite("Overridden members of now playing and commands")
struct OverridingTests {
    @Test("overridden members are called")
    func values() {
        let artwork: MPMediaItemArtwork = SquareArtwork(boundsSize: CGSize(width: 600, height: 300)) { _ in
            preconditionFailure("nobody asks for a picture")
        }
        #expect(artwork.bounds.size == CGSize(width: 10, height: 10))
        let command = MPRemoteCommandCenter.shared().playCommand
        let event: MPRemoteCommandEvent = LateEvent(command, at: HostTime(nanoseconds: 2_000_000_000))
        #expect(event.timestamp == 3 && event.command === command)
    }
}
