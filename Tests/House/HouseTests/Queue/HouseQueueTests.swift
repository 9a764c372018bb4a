import Playback
import Testing
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("The queue of a zone")
struct HouseQueueTests {
    private func entries(_ ids: ClosedRange<Int64>) -> [QueueEntry] {
        ids.map {
            QueueEntry(id: EntryID(rawValue: $0), track: PlayableTrack(location: "\($0)", title: "\($0)"))
        }
    }

    private func ids(_ entries: [QueueEntry]) -> [Int64] { entries.map(\.id.rawValue) }
    private func id(_ value: Int64) -> EntryID { EntryID(rawValue: value) }

    @Test("an entry that cannot be played is passed over, and all of them end the order")
    func failures() {
        var queue = HouseQueue(entries: entries(1...3), current: id(1), repeatMode: .all)
        queue.setFailure("no", of: id(2))
        #expect(ids(queue.upcoming(4)) == [1, 3, 1, 3])
        #expect(queue.following == id(3))
        queue.setFailure("no", of: id(1))
        queue.setFailure("no", of: id(3))
        #expect(queue.upcoming(4).isEmpty)
        #expect(queue.following == nil)
        queue.clearFailures()
        #expect(ids(queue.upcoming(4)) == [1, 2, 3, 1])
    }

    @Test("only new facts about an entry raise the revision, also where its length is no number")
    func revision() {
        var queue = HouseQueue(entries: entries(1...2), revision: 7)
        queue.complete(id(1)) { $0.title = "1" }
        queue.complete(id(9)) { $0.title = "nine" }
        queue.setFailure(nil, of: id(1))
        #expect(queue.revision == 7)
        queue.complete(id(1)) { $0.duration = .nan }
        #expect(queue.revision == 8)
        queue.setFailure(nil, of: id(1))
        queue.clearFailures()
        #expect(queue.revision == 8)
        queue.setFailure("no", of: id(1))
        #expect(queue.revision == 9 && queue.entry(id(1))?.failure == "no")
    }

    @Test("a refused edit is told in the house's words")
    func refusals() {
        let full = HouseError(.limit, "A queue holds 20000 entries; remove some first.")
        #expect(HouseError(.full(limit: HouseQueueLimits.entries)) == full)
        let missing = HouseError(.notFound, "The queue has no entry 77; somebody may have removed it.")
        #expect(HouseError(.noSuchEntry(id(77))) == missing)
    }
}
