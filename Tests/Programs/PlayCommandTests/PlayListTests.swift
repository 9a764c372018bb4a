import AVFoundation
import Testing

@testable import TuttiPlayCommand

@Suite("The tracks of one play, and those of them that the player has")
struct PlayListTests {
    var list = PlayList([])
    /// The items that the player's queue would hold.
    var player: [AVPlayerItem] = []

    init() { begin(6) }

    private mutating func begin(_ count: Int) {
        list = PlayList((0..<count).map { PlayInput(path: "\($0)") })
        player = []
    }

    private static func missing(_ name: String) -> AVError {
        AVError(.contentIsUnavailable, userInfo: [NSLocalizedDescriptionKey: "\(name) does not exist"])
    }

    /// Gives the player what it is to have.
    private mutating func fill() {
        for addition in list.fill({ QueuedItem(item: AVPlayerItem(tuttiLocation: $0.path)) }) {
            let place = addition.after.flatMap { after in player.firstIndex { $0 === after } }
            player.insert(addition.item, at: place.map { $0 + 1 } ?? 0)
        }
    }

    /// The player's queue, as paths; always those of the list in its order.
    private func queue() -> String {
        let paths = player.map { item in list.index(of: item).map { list.tracks[$0].path } ?? "?" }
        return paths.joined(separator: " ")
    }

    private mutating func open(_ indices: Int...) {
        for index in indices { list.open(index, nil) }
    }

    /// The player plays on to its next item.
    private mutating func advance() {
        player.removeFirst()
        if let item = player.first { list.begin(item) }
        fill()
    }

    @Test("three wait to be opened, however many there are")
    mutating func window() {
        fill()
        #expect(queue() == "0 1 2")
        open(0, 1)
        fill()
        #expect(queue() == "0 1 2 3 4")
        fill()
        #expect(queue() == "0 1 2 3 4")
        begin(100_000)
        fill()
        #expect(player.count == 3 && list.tracks.count == 100_000)
    }

    @Test("those that are passed over can be asked how they ended, until they go")
    mutating func passed() {
        fill()
        let items = player
        #expect(
            list.items(before: items[2]).map(ObjectIdentifier.init) == items[..<2].map(ObjectIdentifier.init))
        #expect(list.items(before: items[0]).isEmpty)
        advance()
        #expect(list.items(before: items[2]).count == 1 && list.items(before: items[0]).isEmpty)
    }

    @Test("a track that was heard is over, and has no item any more")
    mutating func heard() {
        fill()
        open(0)
        advance()
        #expect(list.current == 1 && queue() == "1 2 3")
        #expect(list.tracks[0].item == nil && list.isOver(0))
        for _ in 0..<5 { advance() }
        #expect(list.current == 5 && list.hasMore)
        list.finish(5)
        #expect(!list.hasMore && !list.isAllFailed)
    }

    @Test("a track that cannot be played is skipped; a list without a playable track fails")
    mutating func failures() {
        begin(3)
        fill()
        player.remove(at: 1)
        list.fail(1, "bad")
        #expect(queue() == "0 2")
        fill()
        #expect(queue() == "0 2")
        list.fail(0, "bad")
        #expect(list.hasMore && !list.isAllFailed)
        list.fail(2, "bad")
        #expect(!list.hasMore && list.isAllFailed)
    }

    @Test("a jump back makes the queue anew, and gives what failed another chance")
    mutating func restart() {
        fill()
        open(0, 1)
        list.fail(1, "bad")
        player.remove(at: 1)
        advance()
        #expect(list.current == 2)
        list.restart(at: 1)
        player = []
        fill()
        #expect(queue() == "1 2 3" && list.current == 1)
        #expect(list.tracks.indices.map { list.isOver($0) } == [true, false, false, false, false, false])
    }

    @Test("a jump back plays a track again that has ended")
    mutating func restartOfEnded() {
        fill()
        open(0)
        list.finish(0)
        advance()
        list.restart(at: 0)
        player = []
        fill()
        #expect(queue() == "0 1 2" && list.current == 0)
    }

    static let removals: [(index: Int, current: Int, queue: String)] = [
        (0, 1, "2 3 4"), (2, 2, "3 4"), (3, 2, "2 4"), (5, 2, "2 3 4"),
    ]

    @Test("a removed track leaves the queue; numbers count all tracks", arguments: removals)
    mutating func remove(index: Int, current: Int, queue: String) {
        fill()
        for _ in 0..<2 { advance() }
        #expect(list.current == 2 && self.queue() == "2 3 4")
        if let item = list.remove(index) { player.removeAll { $0 === item } }
        #expect(list.current == current && list.tracks.count == 5)
        #expect(self.queue() == queue)
        #expect(list.hasMore)
    }

    static let insertions: [(index: Int, current: Int, queue: String)] = [
        (0, 3, "2 3 4"), (2, 3, "2 3 4"), (3, 2, "2 new 3 4"), (4, 2, "2 3 new 4"), (5, 2, "2 3 4"),
    ]

    @Test(
        "an inserted track is put before what is queued, or waits its turn; before what is heard it is not heard",
        arguments: insertions)
    mutating func insert(index: Int, current: Int, queue: String) {
        fill()
        for _ in 0..<2 { advance() }
        list.insert(PlayInput(path: "new"), at: index)
        fill()
        #expect(list.current == current && list.tracks[index].path == "new")
        #expect(self.queue() == queue)
        #expect(list.isOver(index) == (index <= 2))
    }

    @Test("many that are inserted before what is queued are all there before it")
    mutating func insertMany() {
        fill()
        for number in 0..<5 { list.insert(PlayInput(path: "new\(number)"), at: 1) }
        fill()
        #expect(queue() == "0 new4 new3 new2 new1 new0 1 2")
    }

    @Test("a list gives its place to what it names; its item is that of the first that can be played")
    mutating func expand() {
        begin(2)
        fill()
        open(0)
        let entries = ["a", "b", "c"].map { TuttiPlaylist.Entry(location: $0, title: $0.uppercased()) }
        let found = TuttiPlaylist(entries: entries, failures: [Self.missing("a")])
        let (failed, played) = list.expand(0, to: found, isPlayable: true)
        #expect(failed == 0..<1 && played == 1 && list.current == 1)
        #expect(list.tracks.map(\.path) == ["a", "b", "c", "1"])
        #expect(list.tracks.map(\.title) == ["A", "B", "C", nil])
        #expect(list.tracks.map(\.isFromList) == [true, true, true, false])
        #expect(list.tracks[0].failure == "a does not exist")
        fill()
        #expect(queue() == "b c 1")
    }

    @Test("a list of which nothing can be played fails with all that was tried; the rest of it is tried then")
    mutating func expandBad() {
        begin(2)
        fill()
        let entries = ["a", "b", "c"].map { TuttiPlaylist.Entry(location: $0) }
        let found = TuttiPlaylist(
            entries: entries, failures: [Self.missing("a"), Self.missing("b")])
        let (failed, played) = list.expand(0, to: found, isPlayable: false)
        #expect(failed == 0..<2 && played == nil)
        player.removeFirst()
        fill()
        #expect(queue() == "c 1" && list.hasMore)
    }
}

extension PlayList {
    /// Whether a track was played or passed over.
    fileprivate func isOver(_ index: Int) -> Bool { index < current || tracks[index].hasEnded }
}
