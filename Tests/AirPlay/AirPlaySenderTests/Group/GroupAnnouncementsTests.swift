import Testing

@testable import AirPlaySender

@Suite("Places of a group's announcements")
struct GroupAnnouncementsTests {
    /// Two announcements, one behind the other.
    private static func two() -> GroupAnnouncements {
        var announcements = GroupAnnouncements()
        for id in [Int64(1), 2] {
            announcements.add(
                RunningAnnouncement(
                    id: Int(id), frame: id * 1000, soundEnd: id * 1000 + 500, endFrame: id * 1000 + 900,
                    speakers: ["kitchen"]))
        }
        return announcements
    }

    @Test("an announcement is found by its number until it is removed")
    func number() {
        var announcements = Self.two()
        #expect(announcements[2]?.frame == 2000 && announcements[3] == nil)
        announcements.remove(2)
        #expect(announcements[2] == nil && announcements[1] != nil)
    }

    @Test(
        "an announcement that is ended keeps its place until the music has its own level",
        arguments: [(1200, 1200, 1250), (900, 1000, 950), (1480, 1480, 1530), (1880, 1500, 1900)]
            as [(Int64, Int64, Int64)])
    func end(frame: Int64, soundEnd: Int64, endFrame: Int64) {
        var announcements = Self.two()
        announcements.end(1, at: frame, fade: 50)
        #expect(announcements[1]?.frame == 1000)
        #expect(announcements[1]?.soundEnd == soundEnd && announcements[1]?.endFrame == endFrame)
        #expect(announcements[2] == Self.two()[2])
    }

    @Test("announcements that were heard are removed, and the others stay")
    func heard() {
        var announcements = Self.two()
        #expect(announcements.removeAll(endingBefore: 1900).count == 0)
        #expect(announcements.removeAll(endingBefore: 1901).map(\.id) == [1])
        #expect(announcements[1] == nil && announcements[2] != nil)
        #expect(announcements.removeAll().map(\.id) == [2])
        #expect(announcements.removeAll().count == 0)
    }
}
