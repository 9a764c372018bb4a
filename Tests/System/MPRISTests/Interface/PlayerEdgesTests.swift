import Testing
import TuttiDBus

@testable import TuttiMPRIS

private let player = "org.mpris.MediaPlayer2.Player"
private let list = "org.mpris.MediaPlayer2.TrackList"
private let properties = "org.freedesktop.DBus.Properties"

/// Returns a player at 10 s of a track of 100 s, the first of three.
private func makeState(playingAt start: SuspendingClock.Instant, _ change: (inout PlayerState) -> Void)
    -> PlayerState
{
    var state = makeState()
    state.position = PlayerPosition(seconds: 10, at: start, rate: 1)
    change(&state)
    return state
}

@Suite("A player at its limits")
struct PlayerEdgesTests {
    private let start = SuspendingClock.now

    private func state(_ change: (inout PlayerState) -> Void = { _ in }) -> PlayerState {
        makeState(playingAt: start, change)
    }

    private func call(
        _ interface: String, _ member: String, _ arguments: [BusValue] = [], after seconds: Double = 0,
        _ state: PlayerState
    ) -> PlayerAction {
        PlayerInterface(state).handle(
            BusCall(
                path: "/org/mpris/MediaPlayer2", interface: interface, member: member, arguments: arguments),
            at: start + .seconds(seconds))
    }

    private func failure(_ action: PlayerAction) -> String? {
        guard case .reply(.failure(let failure)) = action else { return nil }
        return failure.name.replacing("org.freedesktop.DBus.Error.", with: "")
    }

    @Test("Seek and SetPosition reach the end of the track, and not beyond")
    func end() {
        let end: [BusValue] = [.objectPath("/t/1"), .int64(100_000_000)]
        #expect(call(player, "SetPosition", end, state()) == .perform(.seek(seconds: 100)))
        let seek = call(player, "Seek", [.int64(90_000_000)], state())
        #expect(seek == .perform(.seek(seconds: 100)))
        // The track has ended meanwhile: the position is its end.
        #expect(call(player, "Seek", [.int64(0)], after: 500, state()) == .perform(.seek(seconds: 100)))
        #expect(call(player, "Seek", [.int64(1)], after: 500, state()) == .perform(.next))
    }

    @Test("a stream without a length can be sought to any place, forwards and back")
    func endless() {
        let endless = state { $0.track?.length = nil }
        let far = call(player, "Seek", [.int64(3_600_000_000)], endless)
        #expect(far == .perform(.seek(seconds: 3610)))
        #expect(call(player, "Seek", [.int64(-10_000_000)], endless) == .perform(.seek(seconds: 0)))
        let place: [BusValue] = [.objectPath("/t/1"), .int64(86_400_000_000)]
        #expect(call(player, "SetPosition", place, endless) == .perform(.seek(seconds: 86_400)))
    }

    @Test("a player without a track has no position to set")
    func noTrack() {
        let empty = state { $0.track = nil }
        for track in ["/t/1", PlayerTrack.none, "/"] {
            #expect(call(player, "SetPosition", [.objectPath(track), .int64(0)], empty) == .done)
        }
    }

    @Test("a player that takes no commands takes none, in all its interfaces")
    func noControl() {
        let still = state { $0.canControl = false }
        for member in ["Next", "Previous", "Pause", "Play", "PlayPause", "Stop"] {
            #expect(call(player, member, [], still) == .done)
        }
        #expect(call(player, "Seek", [.int64(1)], still) == .done)
        #expect(call(player, "OpenUri", [.string("file:///a")], still) == .done)
        let add: [BusValue] = [.string("file:///a"), .objectPath("/t/1"), .boolean(true)]
        #expect(call(list, "AddTrack", add, still) == .done)
        #expect(call(list, "RemoveTrack", [.objectPath("/t/1")], still) == .done)
        #expect(call(list, "GoTo", [.objectPath("/t/1")], still) == .done)
        for property in ["Rate", "Volume"] {
            let set: [BusValue] = [.string(player), .string(property), .variant(.double(1))]
            #expect(failure(call(properties, "Set", set, still)) == "NotSupported")
        }
        let get: [BusValue] = [.string(player), .string("CanSeek")]
        #expect(call(properties, "Get", get, still) == .reply(.values([.variant(.boolean(false))])))
    }

    @Test("a list that cannot be edited is not, but its tracks can be played")
    func fixedList() {
        let fixed = state { $0.canEditTracks = false }
        let add: [BusValue] = [.string("file:///a"), .objectPath("/t/1"), .boolean(true)]
        #expect(call(list, "AddTrack", add, fixed) == .done)
        #expect(call(list, "RemoveTrack", [.objectPath("/t/1")], fixed) == .done)
        #expect(call(list, "GoTo", [.objectPath("/t/3")], fixed) == .perform(.goTo("/t/3")))
    }

    @Test("the limits of a rate belong to it, and a rate of 0 of either sign is a pause")
    func rates() {
        func set(_ rate: Double, _ state: PlayerState) -> PlayerAction {
            let arguments: [BusValue] = [.string(player), .string("Rate"), .variant(.double(rate))]
            return call(properties, "Set", arguments, state)
        }
        #expect(set(0.5, state()) == .perform(.setRate(0.5)))
        #expect(set(2, state()) == .perform(.setRate(2)))
        #expect(set(-0.0, state()) == .perform(.pause))
        #expect(set(0, state { $0.canPause = false }) == .done)
        #expect(failure(set(2.000_001, state())) == "InvalidArgs")
        #expect(failure(set(.leastNonzeroMagnitude, state())) == "InvalidArgs")
    }

    @Test(
        "a caller's text cannot turn, hide or break a sentence",
        arguments: [
            ("a\u{202E}b", "“a?b”"), ("a\u{2028}b\u{2029}", "“a?b?”"), ("\u{9B}2J", "“?2J”"),
            ("\u{2066}x\u{2069}", "“?x?”"), ("Küche 客厅 \u{1F3B5}", "“Küche 客厅 \u{1F3B5}”"), ("", "“”"),
        ])
    func quoting(text: String, quoted: String) {
        #expect(PlayerInterface.quoted(text) == quoted)
    }

    @Test("a text of any length in a refusal stays short")
    func longNames() {
        let long = String(repeating: "e\u{301}", count: 50_000)
        let action = call(player, long, [], state())
        guard case .reply(.failure(let failure)) = action else {
            Issue.record("no refusal")
            return
        }
        #expect(failure.message.utf8.count < 300)
    }

    @Test("numbers that MPRIS cannot hold are left out, and lists of texts are limited")
    func metadata() {
        var track = PlayerTrack(id: "/t/1")
        (track.trackNumber, track.discNumber) = (Int(Int32.max) + 1, Int(Int32.min))
        track.artists = (0..<100).map { "artist \($0)" }
        for length in [Double.nan, .infinity, 1e300] {
            track.length = length
            #expect(track.metadata["mpris:length"] == nil)
        }
        track.length = 0.000_000_4
        let metadata = track.metadata
        #expect(metadata["mpris:length"] == .int64(0))
        #expect(metadata["xesam:trackNumber"] == nil && metadata["xesam:discNumber"] == .int32(.min))
        #expect(metadata["xesam:artist"]?.elements?.count == 32)
        #expect(metadata["xesam:genre"] == nil)
    }

    @Test("a long text ends with a whole scalar")
    func longTexts() {
        let letters = String(repeating: "a", count: PlayerTrack.textLimit - 1)
        #expect(PlayerTrack.cut(letters + "é").utf8.count == PlayerTrack.textLimit - 1)
        #expect(PlayerTrack.cut(letters + "b") == letters + "b")
        #expect(PlayerTrack.cut(letters + "bc") == letters + "b")
        let tower = "e" + String(repeating: "\u{301}", count: 5000)
        #expect(PlayerTrack.cut(tower).utf8.count == PlayerTrack.textLimit - 1)
    }

    @Test("a track's identity is a path of ASCII")
    func identity() {
        for id in ["/\u{301}t", "/t/", "t", "", "/t 1", "/ä"] {
            #expect(PlayerTrack(id: id).id == PlayerTrack.none)
        }
        #expect(PlayerTrack(id: "/").id == "/")
    }
}

@Suite("Announcements of a player at its limits")
struct AnnouncerEdgesTests {
    private let start = SuspendingClock.now

    private func state(_ change: (inout PlayerState) -> Void = { _ in }) -> PlayerState {
        makeState(playingAt: start, change)
    }

    private func position(_ seconds: Double, at time: Double, rate: Double = 1) -> PlayerPosition {
        PlayerPosition(seconds: seconds, at: start + .seconds(time), rate: rate)
    }

    @Test("a position is told when small differences have added up")
    func sum() {
        var announcer = PlayerAnnouncer(state(), at: start)
        var changed = state { $0.position = position(20.3, at: 10) }
        #expect(announcer.announce(changed, at: start + .seconds(10)).isEmpty)
        changed.position = position(30.6, at: 20)
        let signals = announcer.announce(changed, at: start + .seconds(20))
        #expect(signals.map(\.member) == ["Seeked"])
        #expect(signals.first?.arguments == [.int64(30_600_000)])
        changed.position = position(40.9, at: 30)
        #expect(announcer.announce(changed, at: start + .seconds(30)).isEmpty)
    }

    @Test("listeners follow another rate, and a jump while paused is told")
    func rateAndPause() {
        var fast = state {
            ($0.rate, $0.position) = (2, PlayerPosition(seconds: 10, at: start, rate: 2))
        }
        var announcer = PlayerAnnouncer(fast, at: start)
        #expect(announcer.announce(fast, at: start + .seconds(20)).isEmpty)
        (fast.playback, fast.position) = (.paused, PlayerPosition(seconds: 50))
        let paused = announcer.announce(fast, at: start + .seconds(20))
        #expect(paused.map(\.member) == ["PropertiesChanged"])
        #expect(announcer.announce(fast, at: start + .seconds(500)).isEmpty)
        fast.position = PlayerPosition(seconds: 20)
        let jump = announcer.announce(fast, at: start + .seconds(500))
        #expect(jump.map(\.arguments) == [[.int64(20_000_000)]])
    }

    @Test("the end of a track is no jump, however long it lasts")
    func end() {
        var announcer = PlayerAnnouncer(state(), at: start)
        for seconds in [89.0, 90, 91, 5000] {
            #expect(announcer.announce(state(), at: start + .seconds(seconds)).isEmpty)
        }
    }

    @Test("a player that loses its track tells no position")
    func noTrack() {
        var announcer = PlayerAnnouncer(state(), at: start)
        let empty = state {
            ($0.track, $0.playback, $0.position) = (nil, .stopped, PlayerPosition(seconds: 70))
        }
        let signals = announcer.announce(empty, at: start)
        #expect(signals.map(\.member) == ["PropertiesChanged"])
    }

    @Test("a list whose tracks all changed is a new list, and its current track is one of it")
    func manyTexts() {
        let tracks = (0..<100).map { PlayerTrack(id: "/t/\($0)") }
        let changed = tracks.map { track in
            var track = track
            track.title = "new"
            return track
        }
        for (current, told) in [("/t/5", "/t/5"), ("/elsewhere", PlayerTrack.none)] {
            var announcer = PlayerAnnouncer(
                state {
                    $0.tracks = tracks
                    $0.track = PlayerTrack(id: current)
                }, at: start)
            let new = state {
                $0.tracks = changed
                $0.track = PlayerTrack(id: current)
            }
            let signals = announcer.announce(new, at: start)
            #expect(signals.last?.member == "TrackListReplaced")
            #expect(signals.last?.arguments.last == .objectPath(told))
            #expect(signals.filter { $0.member.hasPrefix("Track") }.count == 1)
        }
    }

    @Test("sixteen edits are told one by one, and one more is a new list")
    func editLimit() {
        for count in [16, 17] {
            var announcer = PlayerAnnouncer(state(), at: start)
            let new = state { state in
                state.tracks? += (0..<count).map { PlayerTrack(id: "/new/\($0)") }
            }
            let members = announcer.announce(new, at: start).map(\.member)
            let added = members.count { $0 == "TrackAdded" }
            #expect(added == (count == 16 ? 16 : 0))
            #expect(members.contains("TrackListReplaced") == (count == 17))
        }
    }

    @Test("a track that occurs twice makes a new list, as signals could not name one of the two")
    func twice() {
        var announcer = PlayerAnnouncer(state(), at: start)
        let new = state { $0.tracks?.append(PlayerTrack(id: "/t/1")) }
        #expect(announcer.announce(new, at: start).last?.member == "TrackListReplaced")
    }

    @Test("an emptied list is told, track by track")
    func emptied() {
        var announcer = PlayerAnnouncer(state(), at: start)
        let new = state { $0.tracks = [] }
        let removed = announcer.announce(new, at: start).filter { $0.member == "TrackRemoved" }
        #expect(removed.map(\.arguments) == ["/t/1", "/t/2", "/t/3"].map { [BusValue.objectPath($0)] })
    }
}
