import Testing
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("Facts of an opened file")
struct TrackFactsTests {
    private let facts = TrackFacts(title: "T", artist: "B", album: "C", duration: 200, isLive: false)

    @Test(
        "a part of a file whose length is unknown is as long as the part, a whole file as the file",
        arguments: [
            (0, nil, 200), (40, nil, 160), (0, 30, 30), (40, 100, 60), (40, 500, 160), (300, nil, 0),
        ] as [(Double, Double?, Double)])
    func length(start: Double, end: Double?, expected: Double) {
        var track = PlayableTrack(location: "/a.flac", title: "A")
        (track.start, track.end) = (start, end)
        facts.complete(&track)
        #expect(track.duration == expected)
    }

    @Test("facts that the library has count, and a part of a file has none of the file's tags")
    func known() {
        var track = PlayableTrack(location: "/a.flac", title: "A", duration: 90)
        track.artist = "Own"
        facts.complete(&track)
        #expect(track.duration == 90 && track.title == "T" && track.artist == "Own" && track.album == "C")
        var ofLibrary = PlayableTrack(location: "/a.flac", title: "A")
        ofLibrary.libraryID = 7
        facts.complete(&ofLibrary)
        #expect(ofLibrary.title == "A" && ofLibrary.artist == nil && ofLibrary.duration == 200)
        var part = PlayableTrack(location: "/a.flac", title: "Part")
        part.start = 10
        facts.complete(&part)
        #expect(part.title == "Part" && part.album == nil)
    }

    @Test("a station keeps the name that it had, and a file that turns out to be one becomes live")
    func live() {
        let stream = TrackFacts(title: "Now", artist: nil, album: nil, duration: nil, isLive: true)
        var station = PlayableTrack(location: "http://r.example/", title: "Radio", isLive: true)
        stream.complete(&station)
        #expect(station.title == "Radio" && station.isLive && station.duration == nil)
        var address = PlayableTrack(location: "http://r.example/", title: "r.example")
        stream.complete(&address)
        #expect(address.isLive && address.duration == nil)
    }
}
