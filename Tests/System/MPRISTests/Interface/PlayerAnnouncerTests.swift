import Testing
import TuttiDBus

@testable import TuttiMPRIS

/// An announcer, and the instant at which its state was made.
private final class Listener {
    let start = SuspendingClock.now
    var state: PlayerState
    private var announcer: PlayerAnnouncer

    init() {
        state = makeState()
        state.position = PlayerPosition(seconds: 10, at: start, rate: 1)
        announcer = PlayerAnnouncer(state, at: start)
    }

    /// Changes the state after so many seconds, and returns the signals.
    func change(
        after seconds: Double = 0, _ change: (inout PlayerState) -> Void = { _ in }
    ) -> [BusSignal] {
        change(&state)
        return announcer.announce(state, at: start + .seconds(seconds))
    }

    func position(_ seconds: Double, at time: Double, rate: Double = 1) -> PlayerPosition {
        PlayerPosition(seconds: seconds, at: start + .seconds(time), rate: rate)
    }
}

@Suite struct PlayerAnnouncerTests {
    @Test("only what changed is told")
    func changes() {
        let listener = Listener()
        let signals = listener.change { ($0.volume, $0.canGoNext) = (0.7, false) }
        #expect(
            signals == [
                BusSignal(
                    path: "/org/mpris/MediaPlayer2", interface: "org.freedesktop.DBus.Properties",
                    member: "PropertiesChanged",
                    arguments: [
                        .string("org.mpris.MediaPlayer2.Player"),
                        .properties(["Volume": .double(0.7), "CanGoNext": .boolean(false)]), .strings([]),
                    ])
            ])
        #expect(listener.change().isEmpty)
    }

    @Test("a new name is told by the root interface")
    func identity() {
        let listener = Listener()
        let signals = listener.change { $0.identity = "Bath" }
        #expect(signals.map { $0.arguments[0] } == [.string("org.mpris.MediaPlayer2")])
    }

    @Test("a position that advances as listeners expect is not told")
    func steady() {
        let listener = Listener()
        #expect(listener.change(after: 30).isEmpty)
        // Measured anew, with a little error.
        let line = listener.position(40.2, at: 30)
        #expect(listener.change(after: 30) { $0.position = line }.isEmpty)
    }

    @Test("a jump is told as Seeked, once")
    func jump() {
        let listener = Listener()
        let line = listener.position(70, at: 5)
        let signals = listener.change(after: 5) { $0.position = line }
        #expect(signals.map(\.member) == ["Seeked"])
        #expect(signals.first?.arguments == [.int64(70_000_000)])
        #expect(listener.change(after: 10).isEmpty)
    }

    @Test("a pause needs no Seeked, and neither does its end")
    func pause() {
        let listener = Listener()
        let rest = PlayerPosition(seconds: 15)
        #expect(
            listener.change(after: 5) { ($0.playback, $0.position) = (.paused, rest) }.map(\.member) == [
                "PropertiesChanged"
            ])
        let line = listener.position(15, at: 60)
        #expect(
            listener.change(after: 60) { ($0.playback, $0.position) = (.playing, line) }.map(\.member) == [
                "PropertiesChanged"
            ])
        #expect(listener.change(after: 65).isEmpty)
    }

    @Test("sound that was waited for is told as Seeked, as listeners went on")
    func waiting() {
        let listener = Listener()
        #expect(listener.change { $0.position = PlayerPosition(seconds: 10) }.isEmpty)
        let line = listener.position(10, at: 4)
        #expect(listener.change(after: 4) { $0.position = line }.last?.arguments == [.int64(10_000_000)])
    }

    @Test("a new track begins at 0, or is told as Seeked")
    func newTrack() {
        let listener = Listener()
        var track = PlayerTrack(id: "/t/2")
        track.length = 50
        let beginning = listener.position(0, at: 90)
        #expect(
            listener.change(after: 90) { ($0.track, $0.position) = (track, beginning) }.map(\.member) == [
                "PropertiesChanged"
            ])
        let middle = listener.position(20, at: 100)
        let other = PlayerTrack(id: "/t/3")
        #expect(
            listener.change(after: 100) { ($0.track, $0.position) = (other, middle) }.map(\.member) == [
                "PropertiesChanged", "Seeked",
            ])
    }

    @Test("edits of the list are told one by one")
    func edits() {
        let listener = Listener()
        let signals = listener.change { state in
            state.tracks?.remove(at: 1)
            state.tracks?.append(PlayerTrack(id: "/t/4"))
            state.tracks?[0].title = "Another"
        }
        #expect(
            signals.map(\.member) == [
                "PropertiesChanged", "TrackRemoved", "TrackMetadataChanged", "TrackAdded",
            ])
        // Clients ask for the list when they need it.
        #expect(signals.first?.arguments.last == .strings(["Tracks"]))
        #expect(signals.last?.arguments.last == .objectPath("/t/3"))
    }

    @Test("a first track is added after none")
    func firstTrack() {
        let listener = Listener()
        let signals = listener.change { $0.tracks?.insert(PlayerTrack(id: "/t/0"), at: 0) }
        #expect(signals.last?.member == "TrackAdded")
        #expect(signals.last?.arguments.last == .objectPath(PlayerTrack.none))
    }

    @Test("another order, and a list of many changes, are a new list")
    func replacement() {
        let listener = Listener()
        #expect(listener.change { $0.tracks?.reverse() }.last?.member == "TrackListReplaced")
        let many = (100..<200).map { PlayerTrack(id: "/t/\($0)") }
        let signals = listener.change { $0.tracks = many }
        #expect(signals.last?.member == "TrackListReplaced")
        #expect(signals.last?.arguments == [.objectPaths(many.map(\.id)), .objectPath(PlayerTrack.none)])
    }
}
