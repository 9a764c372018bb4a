import AirPlaySender
import CoreMedia
import Testing
import TuttiMediaTime

@testable import Playback

@Suite("Publications on the presentation timeline")
struct SpeakerPresentationTests {
    private static func host(_ seconds: Double) -> HostTime {
        HostTime(nanoseconds: Int64(seconds * 1_000_000_000))
    }

    private static func line(_ time: Double, at host: Double, rate: Double = 1) -> PresentationLine {
        PresentationLine(
            time: CMTime(seconds: time, preferredTimescale: 1_000_000), host: Self.host(host), rate: rate)
    }

    private static func snapshot(
        _ title: String, elapsed: Double?, at host: Double, duration: Double? = 200
    ) -> NowPlayingSnapshot {
        var snapshot = NowPlayingSnapshot(at: Self.host(host))
        (snapshot.title, snapshot.elapsed, snapshot.duration) = (title, elapsed, duration)
        return snapshot
    }

    /// One step of a story. A story lists each step with its second and, if the speakers are notified, the
    /// start of the item on the timeline.
    enum Step: Sendable {
        case publish(NowPlayingSnapshot)
        case line(PresentationLine?)
    }

    static let stories: [(String, [(Double, Step, Double?)])] = [
        (
            "published while it plays: begins before now",
            [(100, .line(line(50, at: 100)), nil), (103, .publish(snapshot("A", elapsed: 13, at: 103)), 40)]
        ),
        (
            "published before there is a timeline: told when there is one",
            [(1, .publish(snapshot("A", elapsed: 0, at: 1)), nil), (1, .line(line(0, at: 1, rate: 0)), 0)]
        ),
        (
            "the start is awaited: time stands, and the item begins where the sound does",
            [
                (1, .line(line(0, at: 1, rate: 0)), nil),
                (1, .publish(snapshot("A", elapsed: 0, at: 1)), 0),
                (1, .line(line(0, at: 2.5)), nil),
                // A tenth of a second after the sound has begun.
                (2.6, .publish(snapshot("A", elapsed: 0.1, at: 2.6)), nil),
            ]
        ),
        (
            "a pause and a resume change nothing",
            [
                (0, .line(line(0, at: 0)), nil), (1, .publish(snapshot("A", elapsed: 1, at: 1)), 0),
                (10, .line(line(10, at: 10, rate: 0)), nil), (60, .line(line(10, at: 61)), nil),
            ]
        ),
        (
            "a program that seeks says so before or after the jump",
            [
                (0, .line(line(0, at: 0)), nil), (1, .publish(snapshot("A", elapsed: 1, at: 1)), 0),
                // After: the timeline went from 10 to 0, and the item from 10 to 60.
                (10, .line(line(0, at: 10)), -10),
                (10.1, .publish(snapshot("A", elapsed: 60.1, at: 10.1)), -60),
                // Before: the program publishes 100, and then time jumps from 10.1 to 500.
                (20.1, .publish(snapshot("A", elapsed: 100, at: 20.1)), -89.9),
                (20.2, .line(line(500, at: 20.2)), 399.9),
            ]
        ),
        (
            "a seek that is waited for: the place stands while the line does",
            [
                (0, .line(line(0, at: 0)), nil), (1, .publish(snapshot("A", elapsed: 1, at: 1)), 0),
                (10, .line(line(10, at: 10, rate: 0)), nil),
                (10, .publish(snapshot("A", elapsed: 60, at: 10)), -50),
                // After three seconds of silence, the sound of 1:00 is at another place on the timeline.
                (13, .line(line(200, at: 13)), 140),
            ]
        ),
        (
            "the next item, at the moment it is heard",
            [
                (0, .line(line(0, at: 0)), nil), (1, .publish(snapshot("A", elapsed: 1, at: 1)), 0),
                (200, .publish(snapshot("B", elapsed: 0, at: 200)), 200),
            ]
        ),
        (
            "a place read a moment ago is the same place",
            [
                (0, .line(line(0, at: 0)), nil), (1, .publish(snapshot("A", elapsed: 1, at: 1)), 0),
                (50, .publish(snapshot("A", elapsed: 49.8, at: 50)), nil),
                (60, .publish(snapshot("A", elapsed: 59, at: 60)), 1),
            ]
        ),
        (
            "without a place: the item begins when it is published, and stays there",
            [
                (0, .line(line(0, at: 0)), nil), (5, .publish(snapshot("A", elapsed: nil, at: 5)), 5),
                (9, .publish(snapshot("A", elapsed: nil, at: 9, duration: 100)), 5),
                (9, .line(line(300, at: 9)), nil),
            ]
        ),
        (
            "no place is more than a day into an item",
            [
                (0, .line(line(0, at: 0)), nil),
                (1, .publish(snapshot("A", elapsed: 1e300, at: 1, duration: 1e301)), 1 - 86_400),
            ]
        ),
        (
            "nothing is shown of nothing",
            [(0, .line(line(0, at: 0)), nil), (1, .publish(.nothing(at: host(1))), nil)]
        ),
        (
            "at half speed",
            [
                (0, .line(line(0, at: 0, rate: 0.5)), nil),
                (10, .publish(snapshot("A", elapsed: 5, at: 10)), 0),
            ]
        ),
    ]

    @Test("each story places the item on the timeline", arguments: stories)
    func story(name: String, steps: [(Double, Step, Double?)]) throws {
        var presentation = SpeakerPresentation()
        for (second, step, expected) in steps {
            let now = Self.host(second)
            let isTold =
                switch step {
                case .publish(let snapshot): presentation.publish(snapshot, at: now)
                case .line(let line): presentation.lineDidChange(line, at: now)
                }
            #expect(isTold == (expected != nil), "\(name), at \(second)")
            guard let expected else { continue }
            let track = try #require(presentation.tracks.first)
            #expect(abs(track.start.seconds - expected) < 0.001, "\(name), at \(second)")
        }
    }

    @Test("a publication carries all metadata for displays, and without a picture clears the old one")
    func metadata() {
        var snapshot = Self.snapshot("Title", elapsed: 0, at: 0, duration: 61.5)
        (snapshot.artist, snapshot.album, snapshot.albumArtist) = ("Artist", "Album", "Album artist")
        (snapshot.genre, snapshot.composer) = ("Genre", "Composer")
        (snapshot.trackNumber, snapshot.trackCount, snapshot.discNumber) = (3, 12, 70_000)
        (snapshot.persistentID, snapshot.isLiveStream) = (.max, true)
        snapshot.artwork = [0xFF, 0xD8, 0xFF, 1]
        let metadata = TrackMetadata(snapshot)
        let dmap = metadata.dmap
        #expect(dmap.title == "Title" && dmap.artist == "Artist" && dmap.album == "Album")
        #expect(dmap.albumArtist == "Album artist" && dmap.genre == "Genre" && dmap.composer == "Composer")
        // A number that does not fit is omitted.
        #expect(dmap.trackNumber == 3 && dmap.trackCount == 12 && dmap.discNumber == nil)
        #expect(dmap.durationMilliseconds == 61_500 && dmap.persistentID == .max && dmap.songDataKind == 1)
        #expect(metadata.artwork?.kind == .jpeg && metadata.artwork?.bytes == [0xFF, 0xD8, 0xFF, 1])
        for bytes: [UInt8]? in [nil, [1, 2, 3], []] {
            snapshot.artwork = bytes
            #expect(TrackMetadata(snapshot).artwork == .cleared)
        }
    }

    @Test("a live or overlong stream has no duration")
    func live() {
        var presentation = SpeakerPresentation()
        _ = presentation.lineDidChange(Self.line(0, at: 0), at: Self.host(0))
        var snapshot = Self.snapshot("Radio", elapsed: 0, at: 0)
        _ = presentation.publish(snapshot, at: Self.host(0))
        #expect(presentation.tracks.first?.duration.seconds == 200)
        snapshot.duration = 90_000
        _ = presentation.publish(snapshot, at: Self.host(0))
        #expect(presentation.tracks.first?.duration.isNumeric == false)
        snapshot.duration = 100
        _ = presentation.publish(snapshot, at: Self.host(0))
        #expect(presentation.tracks.first?.duration.seconds == 100)
        snapshot.isLiveStream = true
        let isTold = presentation.publish(snapshot, at: Self.host(0))
        #expect(isTold)
        #expect(presentation.tracks.first?.duration.isNumeric == false)
    }

    @Test("clearing a publication empties the displays")
    func cleared() {
        var presentation = SpeakerPresentation()
        _ = presentation.lineDidChange(Self.line(0, at: 0), at: Self.host(0))
        _ = presentation.publish(Self.snapshot("A", elapsed: 0, at: 0), at: Self.host(0))
        let isTold = presentation.publish(.nothing(at: Self.host(3)), at: Self.host(3))
        #expect(isTold)
        let shown = presentation.tracks.first?.metadata
        // Empty rather than missing: a display keeps a text that a message omits.
        #expect(shown == .nothing && shown?.artwork == .cleared)
        #expect(shown?.dmap.title == "" && shown?.dmap.artist == "" && shown?.dmap.album == "")
    }
}
