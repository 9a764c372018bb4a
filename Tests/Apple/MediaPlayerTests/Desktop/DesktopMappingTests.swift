import Foundation
import Playback
import Testing
import TuttiMediaTime
import TuttiMPRIS

@testable import MediaPlayer

@Suite struct DesktopMappingTests {
    private let host = HostTime(nanoseconds: 1_000_000_000_000)
    private let instant = SuspendingClock.now

    private func facts(_ change: (inout DesktopMapping.Facts) -> Void = { _ in }) -> DesktopMapping.Facts {
        var snapshot = NowPlayingSnapshot(at: host)
        (snapshot.title, snapshot.artist, snapshot.duration, snapshot.elapsed) = ("Song", "Singer", 100, 10)
        var commands = RemoteCommandSet()
        commands.enabled = [.togglePlayPause, .nextTrack, .changePosition]
        var facts = DesktopMapping.Facts(snapshot: snapshot, commands: commands)
        change(&facts)
        return facts
    }

    private func state(_ facts: DesktopMapping.Facts) -> PlayerState {
        var mapping = DesktopMapping(identity: "player")
        return mapping.state(of: facts, at: (host.advanced(by: .seconds(5)), instant))
    }

    @Test("a publication is a track, and its position advances")
    func playing() {
        let state = state(facts())
        #expect(state.playback == .playing && state.identity == "player")
        #expect(state.track?.title == "Song" && state.track?.artists == ["Singer"])
        #expect(abs(state.position.seconds(at: instant) - 15) < 1e-6)
        #expect(abs(state.position.seconds(at: instant + .seconds(2)) - 17) < 1e-6)
    }

    @Test("abilities are those of the program's handlers")
    func abilities() {
        let able = state(facts())
        #expect(able.canControl && able.canPlay && able.canPause && able.canGoNext && able.canSeek)
        #expect(!able.canGoPrevious && able.loop == nil && able.isShuffled == nil)
        let without = state(facts { $0.commands = RemoteCommandSet() })
        #expect(!without.canControl && !without.canPlay && !without.canSeek)
        let modes = state(facts { $0.commands.enabled.formUnion([.changeRepeatMode, .changeShuffleMode]) })
        #expect(modes.loop == PlayerState.Loop.none && modes.isShuffled == false)
    }

    @Test("a pause rests, and keeps the usual speed")
    func paused() {
        let state = state(facts { $0.snapshot.rate = 0 })
        #expect(state.playback == .paused && state.rate == 1)
        #expect(state.position.seconds(at: instant + .seconds(9)) == 10)
    }

    @Test("a program without a publication is stopped, and has no track")
    func nothing() {
        let state = state(facts { $0.snapshot = .nothing(at: host) })
        #expect(state.playback == .stopped && state.track == nil && !state.canPlay)
    }

    @Test("another item has another identity, the same one keeps it")
    func identities() {
        var mapping = DesktopMapping(identity: "player")
        let first = mapping.state(of: facts(), at: (host, instant)).track?.id
        let same = mapping.state(of: facts { $0.snapshot.elapsed = 50 }, at: (host, instant)).track?.id
        let other = mapping.state(of: facts { $0.snapshot.title = "Other" }, at: (host, instant)).track?.id
        #expect(same == first && other != first)
    }

    @Test("a live stream has no length, and cannot seek")
    func live() {
        let state = state(facts { $0.snapshot.isLiveStream = true })
        #expect(state.track?.length == nil && !state.canSeek)
    }

    @Test("an address does not tell a user's password")
    func address() {
        let state = state(facts { $0.snapshot.assetURL = URL(string: "http://me:secret@radio.example/a") })
        #expect(state.track?.address == "http://radio.example/a")
    }

    @Test("a button that the program lacks is replaced by one that does the same")
    func buttons() {
        #expect(DesktopMapping.commands(for: .playPause, isPlaying: true) == [.togglePlayPause, .pause])
        #expect(DesktopMapping.commands(for: .playPause, isPlaying: false) == [.togglePlayPause, .play])
        // A toggle must not start what the user stops.
        #expect(DesktopMapping.commands(for: .pause, isPlaying: false) == [.pause])
        #expect(DesktopMapping.commands(for: .play, isPlaying: true) == [.play])
        #expect(DesktopMapping.commands(for: .setVolume(0.5), isPlaying: true) == [.setVolume(percent: 50)])
        #expect(DesktopMapping.commands(for: .goTo("/a"), isPlaying: true).isEmpty)
    }
}
