import Testing
import TuttiHouse
import TuttiMPRIS
import TuttiMusicLibrary

@testable import TuttiHouseMPRIS

@Suite struct ZoneMappingTests {
    private let now = SuspendingClock.now

    private func makeZone(_ change: (inout ZoneSnapshot) -> Void = { _ in }) -> ZoneSnapshot {
        var zone = ZoneSnapshot(id: ZoneID(rawValue: 1), name: "Kitchen")
        var track = PlayableTrack(location: "/music/a b.flac", title: "Song", duration: 100)
        (track.artist, track.album, track.picture) = ("Singer", "Album", "ab12.jpg")
        zone.current = QueueEntry(id: EntryID(rawValue: 5), track: track)
        (zone.index, zone.length, zone.state) = (0, 2, .playing)
        (zone.position, zone.positionTime, zone.volume) = (10, 1_000, 40)
        change(&zone)
        return zone
    }

    private func state(
        _ zone: ZoneSnapshot, web: String? = "http://127.0.0.1:8321", details: TrackDetails? = nil
    ) -> PlayerState {
        ZoneMapping(web: web).state(
            of: zone, entries: zone.current.map { [$0] } ?? [], details: details, time: (now, 1_005))
    }

    @Test("a zone is a player with its name, track, volume and position")
    func zone() {
        let state = state(makeZone())
        #expect(state.identity == "Kitchen")
        #expect(state.playback == .playing && state.volume == 0.4)
        #expect(abs(state.position.seconds(at: now) - 15) < 1e-6)
        #expect(abs(state.position.seconds(at: now + .seconds(2)) - 17) < 1e-6)
        let track = state.track
        #expect(track?.id == "/tutti/entry/5")
        #expect(track?.title == "Song" && track?.artists == ["Singer"] && track?.length == 100)
        #expect(track?.address == "file:///music/a%20b.flac")
        #expect(track?.art == "http://127.0.0.1:8321/api/v1/pictures/ab12.jpg")
    }

    @Test("a zone that waits for sound is playing, and its position rests")
    func waiting() {
        let state = state(makeZone { $0.state = .waiting })
        #expect(state.playback == .playing)
        #expect(state.position.seconds(at: now + .seconds(9)) == 10)
    }

    @Test("an empty zone can do nothing")
    func empty() {
        let zone = ZoneSnapshot(id: ZoneID(rawValue: 1), name: "")
        let state = state(zone)
        #expect(state.track == nil && state.playback == .stopped && state.volume == 0)
        #expect(
            !state.canPlay && !state.canPause && !state.canSeek && !state.canGoNext && !state.canGoPrevious)
    }

    @Test("there is a next track unless the last one ends the queue")
    func next() {
        #expect(state(makeZone()).canGoNext)
        #expect(!state(makeZone { $0.index = 1 }).canGoNext)
        #expect(state(makeZone { ($0.index, $0.repeatMode) = (1, .all) }).canGoNext)
        #expect(state(makeZone { ($0.index, $0.shuffle) = (1, true) }).canGoNext)
        #expect(!state(makeZone { ($0.index, $0.length, $0.shuffle) = (0, 1, true) }).canGoNext)
    }

    @Test("a station has its title, no length, and no way to seek")
    func station() {
        let zone = makeZone { zone in
            zone.current?.track.isLive = true
            zone.current?.track.album = nil
            zone.current?.track.location = "http://me:secret@radio.example/a"
            zone.current?.track.picture = "https://radio.example/logo.png"
            zone.streamTitle = "On air"
        }
        let state = state(zone)
        #expect(!state.canSeek)
        #expect(state.track?.title == "On air" && state.track?.album == "Song")
        #expect(state.track?.length == nil)
        #expect(state.track?.address == "http://radio.example/a")
        #expect(state.track?.art == "https://radio.example/logo.png")
    }

    @Test("keys in a web address are not told where other users listen")
    func queries() {
        let zone = makeZone { $0.current?.track.location = "https://radio.example/a?key=secret#b" }
        #expect(state(zone).track?.address == "https://radio.example/a?key=secret#b")
        let track = zone.current.map { ZoneMapping(web: nil, isPublic: true).track($0) }
        #expect(track?.address == "https://radio.example/a")
    }

    @Test("a picture has an address only where it can be opened")
    func pictures() {
        #expect(state(makeZone(), web: nil).track?.art == nil)
        #expect(state(makeZone { $0.current?.track.picture = "../secret" }).track?.art == nil)
        let details = TrackDetails(picture: "file:///run/a.jpg")
        #expect(state(makeZone(), details: details).track?.art == "file:///run/a.jpg")
    }

    @Test("details of the library complete the current track")
    func details() {
        let details = TrackDetails(albumArtist: "Band", track: 3, disc: 1, year: 987, genre: "Jazz")
        let track = state(makeZone(), details: details).track
        #expect(track?.albumArtists == ["Band"] && track?.genres == ["Jazz"])
        #expect(track?.trackNumber == 3 && track?.discNumber == 1 && track?.created == "0987-01-01")
    }

    @Test("an object path leads back to its entry", arguments: [1, 77, Int64.max])
    func paths(_ number: Int64) {
        let entry = EntryID(rawValue: number)
        #expect(ZoneMapping.entry(of: ZoneMapping.path(of: entry)) == entry)
    }

    @Test("another object path is no entry", arguments: ["", "/tutti/entry/", "/tutti/entry/x", "/a/1"])
    func foreignPath(_ path: String) { #expect(ZoneMapping.entry(of: path) == nil) }
}

@Suite struct QueueWindowTests {
    @Test(
        "a window has entries around the current one, and the whole of a short queue",
        arguments: [
            (nil, 0, 0..<0), (0, 10, 0..<10), (9, 10, 0..<10), (0, 5_000, 0..<1_000),
            (2_000, 5_000, 1_750..<2_750), (4_990, 5_000, 4_000..<5_000),
        ] as [(Int?, Int, Range<Int>)])
    func window(_ index: Int?, _ length: Int, _ range: Range<Int>) {
        let window = QueueWindow.around(index, length: length)
        #expect(window.range == range)
        #expect(window.suits(index, length: length))
    }

    @Test("a window suits until the current entry comes near its edge")
    func suits() {
        let window = QueueWindow.around(2_000, length: 5_000)
        #expect(window.suits(2_699, length: 5_000))
        #expect(!window.suits(2_700, length: 5_000))
        #expect(window.suits(1_800, length: 5_000))
        #expect(!window.suits(1_799, length: 5_000))
        #expect(!window.suits(2_000, length: 2_100))
    }
}
