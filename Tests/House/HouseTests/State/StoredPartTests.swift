import Foundation
import Playback
import Testing
import TuttiMusicLibrary

@testable import TuttiHouse

@Suite("Stored parts of a house")
struct StoredPartTests {
    private func zone(_ wish: StoredZone.Wish, _ sleep: SleepTimer? = nil) -> StoredZone {
        var zone = StoredZone(id: ZoneID(rawValue: 1), name: "Z")
        (zone.wish, zone.sleep) = (wish, sleep)
        return zone
    }

    @Test("a zone that played plays again, unless it shall not, or its sleep timer has ended meanwhile")
    func restart() {
        let rows: [(StoredZone, Bool, StoredZone.Wish, SleepTimer?)] = [
            (zone(.playing), true, .playing, nil), (zone(.playing), false, .paused, nil),
            (zone(.paused), true, .paused, nil), (zone(.stopped), true, .stopped, nil),
            (zone(.playing, .at(1000)), true, .paused, nil),
            (zone(.playing, .at(1001)), true, .playing, .at(1001)),
            (zone(.stopped, .at(999)), true, .stopped, nil),
            (zone(.playing, .endOfTrack), true, .playing, .endOfTrack),
        ]
        for (stored, resumes, wish, sleep) in rows {
            var zone = stored
            zone.restart(resumesPlaying: resumes, at: 1000)
            #expect(zone.wish == wish && zone.sleep == sleep, "\(stored.wish) \(resumes)")
        }
    }

    @Test("settings at their limits are taken, those beyond are refused and change nothing")
    func limits() throws {
        var zone = zone(.stopped)
        let rates = [try zone.setRate(0.5), try zone.setRate(2), try zone.setRate(2)]
        #expect(rates == [true, true, false])
        // Tenths of a second count.
        let crossfades = [
            try zone.setCrossfade(12), try zone.setCrossfade(11.96), try zone.setCrossfade(0.04),
        ]
        #expect(crossfades == [true, false, true] && zone.crossfade == 0)
        let fades = [try zone.setSleepFade(600), try zone.setSleepFade(600)]
        #expect(fades == [true, false])
        try zone.setSleep(after: 1, at: 50)
        #expect(zone.sleep == .at(51))
        try zone.setSleep(after: 86_400, at: 50)
        let before = zone
        for value in [-1, 0, 0.49, 2.01, .nan, .infinity, -.infinity] as [Double] {
            #expect(throws: HouseError.self, "\(value)") { try zone.setRate(value) }
        }
        for value in [-0.01, 12.01, .nan, .infinity] as [Double] {
            #expect(throws: HouseError.self, "\(value)") { try zone.setCrossfade(value) }
        }
        for value in [0.99, 0, -5, 86_400.5, .nan, .infinity] as [Double] {
            #expect(throws: HouseError.self, "\(value)") { try zone.setSleep(after: value, at: 50) }
        }
        #expect(zone == before)
        try zone.setSleep(after: nil, at: 50)
        #expect(zone.sleep == nil)
    }

    @Test("numbers that JSON lacks are stored, and parts that cannot be read are counted in words")
    func coding() throws {
        let coder = StateCoder()
        for duration in [Double.infinity, -Double.infinity, 1e300, 0] {
            let track = PlayableTrack(location: "/é \"x\"\n", title: "\u{0}", duration: duration)
            let entry = QueueEntry(id: EntryID(rawValue: .max), track: track, failure: "no")
            let content = try #require(coder.content(of: entry))
            #expect(coder.part(QueueEntry.self, content) == entry)
        }
        #expect(coder.trouble == nil)
        #expect(coder.part(StoredRoom.self, Data("{}".utf8)) == nil)
        #expect(coder.trouble?.message.hasPrefix("1 part of the stored state") == true)
        #expect(coder.part(StoredRoom.self, Data()) == nil && coder.part(Int.self, Data([0xFF])) == nil)
        #expect(coder.unreadCount == 3)
        #expect(coder.trouble?.message.hasPrefix("3 parts of the stored state") == true)
    }

    @Test("a room of which anything was set is not untouched, however it was found")
    func untouched() {
        let room = StoredRoom(id: RoomID(rawValue: "a"), name: "A", model: "M", kind: .airPlay)
        #expect(room.isUntouched)
        let changes: [(inout StoredRoom) -> Void] = [
            { $0.zone = ZoneID(rawValue: 1) }, { $0.volume = 30 }, { $0.delay = 1 }, { $0.password = "x" },
            { $0.equalizer = Equalizer(gains: []) }, { $0.maximumVolume = 100 }, { $0.nightMode = false },
        ]
        for (place, change) in changes.enumerated() {
            var changed = room
            change(&changed)
            #expect(!changed.isUntouched, "change \(place)")
        }
    }

    @Test("numbers go on after those that were given before")
    func numbers() {
        let numbers = HouseNumbers()
        numbers.restore(HouseCounters(lastEntry: 41, lastZone: 2, lastAlarm: 7))
        #expect(numbers.newEntry().rawValue == 42 && numbers.newEntry().rawValue == 43)
        #expect(numbers.newZone().rawValue == 3 && numbers.newAlarm().rawValue == 8)
        #expect(numbers.counters == HouseCounters(lastEntry: 43, lastZone: 3, lastAlarm: 8))
    }

    @Test("the loudest room gets a zone's volume, and the others keep their share, also from silence")
    func volumes() {
        let (a, b, c) = (RoomID(rawValue: "a"), RoomID(rawValue: "b"), RoomID(rawValue: "c"))
        let rows: [([RoomID: Double], Double, [RoomID: Double])] = [
            ([a: 40, b: 20], 60, [a: 60, b: 30, c: 60]), ([a: 40, b: 20], 0, [a: 0, b: 0, c: 0]),
            ([a: 0, b: 0], 25, [a: 25, b: 25, c: 25]), ([:], 10, [a: 10, b: 10, c: 10]),
            ([a: 100, b: 0, c: 50], 50, [a: 50, b: 0, c: 25]),
        ]
        for (volumes, percent, expected) in rows {
            #expect(ZoneVolume.scaled(volumes, known: [a, b, c], to: percent) == expected)
        }
    }

    @Test("a queue that moves keeps its random order and its current entry, under new identities")
    func copies() throws {
        let old = [5, 6, 7].map {
            QueueEntry(id: EntryID(rawValue: $0), track: PlayableTrack(location: "\($0)", title: ""))
        }
        let order = [7, 5, 6].map { EntryID(rawValue: $0) }
        let queue = HouseQueue(
            entries: old, order: order, current: EntryID(rawValue: 5), isShuffled: true, repeatMode: .all,
            revision: 9)
        let new = old.map { QueueEntry(id: EntryID(rawValue: $0.id.rawValue + 10), track: $0.track) }
        let copy = HouseQueue(copying: queue, as: new, revision: 3)
        #expect(copy.entries == new && copy.order.map(\.rawValue) == [17, 15, 16])
        #expect(
            copy.currentID?.rawValue == 15 && copy.isShuffled && copy.repeatMode == .all && copy.revision == 3
        )
    }

    @Test(
        "the log has paths as they are, and addresses without what may be secret",
        arguments: [
            ("/music/a@b?.mp3", "/music/a@b?.mp3"), ("a b.mp3", "a b.mp3"), ("a?key=1", "an address"),
            ("http://h.example/a%20b", "http://h.example/a b"), ("http://u@h.example/", "http://h.example/"),
            ("http://h.example/?", "http://h.example/?…"),
        ])
    func locations(text: String, expected: String) { #expect(CommandWords.location(text) == expected) }

    @Test("no location fills the log")
    func longLocation() {
        for start in ["/", "http://h.example/", "x"] {
            #expect(CommandWords.location(start + String(repeating: "y", count: 5000)).count == 200)
        }
    }
}
