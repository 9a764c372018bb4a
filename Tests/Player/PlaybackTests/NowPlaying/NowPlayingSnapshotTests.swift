import Playback
import Testing
import TuttiMediaTime

@Suite("A snapshot of the playing item")
struct NowPlayingSnapshotTests {
    typealias State = NowPlayingSnapshot.State

    private static let start = HostTime(nanoseconds: 5_000_000_000)

    static let places: [(String, Double?, Double, Double?, State, Double, Double?)] = [
        // name, elapsed, rate, duration, state, seconds later, expected
        ("runs", 10, 1, 100, .playing, 5, 15),
        ("runs by its rate alone", 10, 1, 100, .unknown, 5, 15),
        ("twice as fast", 10, 2, 100, .playing, 5, 20),
        ("backwards", 10, -1, 100, .playing, 4, 6),
        ("never before its start", 2, -1, 100, .playing, 5, 0),
        ("never behind its end", 98, 1, 100, .playing, 5, 100),
        ("without an end", 98, 1, nil, .playing, 5, 103),
        ("paused with a rate of 1", 10, 1, 100, .paused, 5, 10),
        ("stopped", 10, 1, 100, .stopped, 5, 10),
        ("interrupted", 10, 1, 100, .interrupted, 5, 10),
        ("rate 0", 10, 0, 100, .unknown, 5, 10),
        ("not told", nil, 1, 100, .playing, 5, nil),
    ]

    @Test("the position advances from the time at which it was published", arguments: places)
    func elapsed(
        name: String, elapsed: Double?, rate: Double, duration: Double?, state: State, later: Double,
        expected: Double?
    ) {
        var snapshot = NowPlayingSnapshot(at: Self.start)
        (snapshot.elapsed, snapshot.rate, snapshot.duration) = (elapsed, rate, duration)
        snapshot.state = state
        #expect(snapshot.elapsed(at: Self.start.advanced(by: .seconds(later))) == expected)
    }

    @Test("a snapshot of nothing is not playing; a new snapshot is")
    func isPlaying() {
        #expect(!NowPlayingSnapshot.nothing(at: Self.start).isPlaying)
        #expect(NowPlayingSnapshot(at: Self.start).isPlaying)
    }

    @Test("an item remains the same, whatever its position, artwork and rate")
    func sameItem() {
        var first = NowPlayingSnapshot(at: Self.start)
        first.title = "A"
        var second = first
        (second.elapsed, second.artwork, second.rate) = (7, [1], 0)
        #expect(second.isSameItem(as: first))
        second.queueIndex = 2
        #expect(!second.isSameItem(as: first))
        #expect(!first.isSameItem(as: .nothing(at: Self.start)))
    }
}
