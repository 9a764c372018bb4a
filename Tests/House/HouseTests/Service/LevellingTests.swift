import AVFoundation
import Testing
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("Levelling and crossfade of a zone")
struct LevellingTests {
    private static let zone = TestHouse.zone

    @Test("the player gets the sound settings at its start, and each change at once, but no repeats")
    func changes() async throws {
        let test = TestHouse()
        try await test.start()
        let player = test.outputs.players[0]
        #expect(player.now.sounds == [ZoneSound()])
        try await test.perform(.setLevelling(Self.zone, .album))
        try await test.perform(.setLevelling(Self.zone, .album))
        try await test.perform(.setCrossfade(Self.zone, seconds: 4.04))
        try await test.perform(.setCrossfade(Self.zone, seconds: 4))
        #expect(player.now.sounds.last == ZoneSound(levelling: .album, crossfade: 4))
        #expect(player.now.sounds.count == 3)
        let snapshot = await test.snapshot()
        #expect(snapshot?.levelling == .album && snapshot?.crossfade == 4)
    }

    @Test(
        "a crossfade out of its range is refused, and nothing changes",
        arguments: [-1, 12.1, .nan, .infinity])
    func refused(seconds: Double) async throws {
        let test = TestHouse()
        try await test.start()
        await #expect(
            throws: HouseError(.invalid, "The crossfade must be between 0 and 12 seconds; 0 turns it off.")
        ) {
            try await test.perform(.setCrossfade(Self.zone, seconds: seconds))
        }
        #expect(await test.snapshot()?.crossfade == 0)
    }

    private static func entry(_ id: Int64, _ change: (inout PlayableTrack) -> Void = { _ in }) -> QueueEntry {
        var track = PlayableTrack(location: "/\(id).flac", title: "T", duration: 100)
        change(&track)
        return QueueEntry(id: EntryID(rawValue: id), track: track)
    }

    private static func album(_ id: Int64, _ album: Int64?, _ disc: Int?, _ number: Int?) -> QueueEntry {
        entry(id) { ($0.albumID, $0.disc, $0.number, $0.album) = (album, disc, number, "A") }
    }

    /// Two entries, and whether they cross.
    private static let pairs: [(String, QueueEntry, QueueEntry, Bool)] = [
        ("two files", entry(1), entry(2), true),
        ("the same entry", entry(1), entry(1), false),
        ("the same file", entry(1), entry(2) { $0.location = "/1.flac" }, false),
        ("a station", entry(1), entry(2) { $0.isLive = true }, false),
        ("an address", entry(1) { $0.location = "http://a/b" }, entry(2), false),
        ("a short one", entry(1), entry(2) { $0.duration = 8 }, false),
        ("one just long enough", entry(1), entry(2) { $0.duration = 8.1 }, true),
        ("an unknown length", entry(1), entry(2) { $0.duration = nil }, true),
        ("an album in order", album(1, 7, nil, 1), album(2, 7, nil, 2), false),
        ("an album's discs in order", album(1, 7, 1, 12), album(2, 7, 2, 1), false),
        ("an album out of order", album(1, 7, nil, 2), album(2, 7, nil, 1), true),
        ("an album without numbers", album(1, 7, nil, nil), album(2, 7, nil, nil), false),
        ("two albums", album(1, 7, nil, 1), album(2, 8, nil, 2), true),
        ("an album that is not in the library", album(1, nil, nil, nil), album(2, nil, nil, nil), false),
    ]

    @Test("tracks cross where nothing that belongs together is torn", arguments: pairs.indices)
    func joins(index: Int) {
        let (name, first, next, joins) = Self.pairs[index]
        #expect(ZoneSound(crossfade: 4).joins(first, next) == joins, "\(name)")
        #expect(!ZoneSound().joins(first, next))
    }

    @Test("an item gets its volume by the tags, and loses it when levelling is off")
    func volumes() {
        var loudness = TuttiLoudness()
        (loudness.trackGain, loudness.albumGain) = (-20, -40)
        let levels = ZoneLevels()
        let item = AVPlayerItem(tuttiLocation: "/a.flac")
        levels.apply(to: item, loudness)
        #expect(item.audioMix == nil)
        for (levelling, volume) in [(VolumeLevelling.track, Float(0.1)), (.album, 0.01)] {
            levels.sound = ZoneSound(levelling: levelling)
            levels.apply(to: item, loudness)
            var applied: Float = 0
            _ = item.audioMix?.inputParameters[0].getVolumeRamp(
                for: .zero, startVolume: &applied, endVolume: nil, timeRange: nil)
            #expect(abs(applied - volume) < 1e-6)
        }
        levels.apply(to: item, nil)
        #expect(item.audioMix == nil)
        levels.apply(to: item, loudness)
        levels.sound = ZoneSound()
        levels.apply(to: item, loudness)
        #expect(item.audioMix == nil)
    }
}
