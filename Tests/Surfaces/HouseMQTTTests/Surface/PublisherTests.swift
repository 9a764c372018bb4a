import Testing
import TuttiHouse
import TuttiMQTT

@testable import TuttiHouseMQTT

@Suite("The state of the house as messages")
struct PublisherTests {
    private let time = TestTime()
    private static let zone = "tutti/my_house/zone/1/"
    private static let room = "tutti/my_house/room/aabbccddeeff/"

    @Test("a broker that knows nothing gets every value, retained")
    func everything() {
        var publisher = TestState.publisher()
        let messages = publisher.everything(at: time.at(0))
        #expect(messages.allSatisfy { $0.isRetained && MQTTTopic.isName($0.topic) })
        #expect(messages.first?.topic == "tutti/my_house/status" && messages.first?.text == "online")
        let found = messages.byTopic
        let zone = [
            "name": "Music", "activity": "playing", "title": "Song", "artist": "Ada", "album": "Best",
            "duration": "200", "position": "10", "position_time": "1000", "volume": "30", "shuffle": "off",
            "repeat": "off", "sleep": "off", "rooms": "aabbccddeeff", "trouble": "", "depth": "0",
            "rate": "1",
            "length": "2", "index": "0",
        ]
        for (name, value) in zone { #expect(found[Self.zone + name] == value, "\(name)") }
        let room = [
            "name": "Kitchen", "present": "on", "activity": "idle", "zone": "1", "zone_name": "Music",
            "volume": "30", "delay": "0", "trouble": "", "depth": "0",
        ]
        for (name, value) in room { #expect(found[Self.room + name] == value, "\(name)") }
        #expect(found["tutti/my_house/room/bath/zone"] == "none")
        #expect(
            found[Self.zone + "state"]
                == #"{"album":"Best","artist":"Ada","crossfade":0,"depth":0,"duration":200,"id":1,"index":0,"#
                + #""input":null,"inputs":[],"length":2,"levelling":"off","#
                + #""name":"Music","position":10,"positionTime":1000,"rate":1,"repeat":"off","#
                + #""roomNames":["Kitchen"],"rooms":["aabbccddeeff"],"shuffle":false,"sleep":null,"#
                + #""sleepFade":0,"state":"playing","station":null,"title":"Song","trouble":null,"volume":30}"#
        )
        for name in ZoneFields.names { #expect(found[Self.zone + name] != nil, "\(name)") }
        for name in RoomFields.names { #expect(found[Self.room + name] != nil, "\(name)") }
    }

    @Test("alarms and announcements are published as they change, and removed")
    func alarms() {
        var publisher = TestState.publisher()
        let first = publisher.everything(at: time.at(0))
        #expect(first.byTopic["tutti/my_house/announcements"] == "[]")
        #expect(first.byTopic["tutti/my_house/alarm/4/on"] == "on")
        #expect(
            first.byTopic["tutti/my_house/alarm/4/state"]
                == #"{"days":["monday","friday"],"fadeSeconds":0,"id":4,"isOn":true,"items":[{"album":7}],"#
                + #""minute":390,"name":"Alarm 6:30 Music","volume":30,"zone":1}"#)
        var alarm = TestState.alarm
        alarm.isOn = false
        let found = publisher.apply(.alarms([alarm]), at: time.at(1))
        #expect(found.byTopic.keys.sorted() == ["tutti/my_house/alarm/4/on", "tutti/my_house/alarm/4/state"])
        #expect(publisher.apply(.alarms([alarm]), at: time.at(2)).isEmpty)
        let gone = publisher.apply(.alarms([]), at: time.at(3)).filter { $0.payload.isEmpty }
        #expect(gone.map(\.topic).contains("homeassistant/switch/tutti_my_house/alarm_4_on/config"))
        #expect(gone.map(\.topic).contains("tutti/my_house/alarm/4/state"))
        let announcement = AnnouncementSnapshot(
            id: AnnouncementID(rawValue: 2), title: "Bell", rooms: [TestState.kitchen], state: .playing)
        let told = publisher.apply(.announcements([announcement]), at: time.at(4)).byTopic
        #expect(
            told["tutti/my_house/announcements"]
                == #"[{"id":2,"pausesMusic":false,"rooms":["aabbccddeeff"],"state":"playing","title":"Bell","volume":null}]"#
        )
    }

    @Test("a value is published only when it has changed")
    func changes() {
        var publisher = TestState.publisher()
        _ = publisher.everything(at: time.at(0))
        #expect(publisher.apply(.zone(TestState.playing()), at: time.at(1)).isEmpty)
        var zone = TestState.playing(position: 12, time: 1_002)
        (zone.volume, zone.shuffle) = (31.25, true)
        let found = publisher.apply(.zone(zone), at: time.at(2)).byTopic
        #expect(Set(found.keys) == Set(["volume", "shuffle", "state"].map { Self.zone + $0 }))
        #expect(found[Self.zone + "volume"] == "31.3" && found[Self.zone + "shuffle"] == "on")
        #expect(publisher.apply(.queue(zone.id, revision: 1, length: 1), at: time.at(3)).isEmpty)
    }

    @Test("a position that subscribers can calculate is published every ten seconds, by the depths")
    func position() {
        var publisher = TestState.publisher()
        _ = publisher.everything(at: time.at(0))
        let depths = HouseChange.Body.depths([TestState.kitchen: .init(seconds: 60, fraction: 0.5)])
        var published: [Double] = []
        for tick in 1...100 {
            let seconds = Double(tick) / 2
            let found = publisher.apply(depths, at: time.at(seconds)).byTopic
            if let position = found[Self.zone + "position"] {
                published.append(seconds)
                #expect(position == Decimals.text(10 + seconds, 2))
                #expect(found[Self.zone + "state"]?.contains("\"position\":\(position)") == true)
            }
        }
        #expect(published == [10, 20, 30, 40, 50])
    }

    @Test("jumps are published at most once a second, and the last one is not lost")
    func jumps() {
        var publisher = TestState.publisher()
        _ = publisher.everything(at: time.at(0))
        let positions = Self.zone + "position"
        func jump(to position: Double, at seconds: Double) -> String? {
            let zone = TestState.playing(position: position, time: 1_000 + seconds)
            return publisher.apply(.zone(zone), at: time.at(seconds)).byTopic[positions]
        }
        #expect(jump(to: 100, at: 0.25) == nil)
        #expect(publisher.deadline == time.at(1).instant)
        #expect(jump(to: 50, at: 0.5) == nil)
        #expect(publisher.tick(at: time.at(1)).byTopic[positions] == "50.5")
        #expect(publisher.deadline == nil)
        #expect(jump(to: 150, at: 3) == "150")
    }

    @Test("a paused zone is silent")
    func paused() {
        var publisher = TestState.publisher()
        _ = publisher.everything(at: time.at(0))
        var zone = TestState.playing(position: 15, time: 1_005)
        zone.state = .paused
        #expect(publisher.apply(.zone(zone), at: time.at(5)).byTopic[Self.zone + "position"] == "15")
        // The time of a position that stands still says nothing.
        for second in 6...60 {
            zone.positionTime = 1_000 + Double(second)
            #expect(publisher.apply(.zone(zone), at: time.at(Double(second))).isEmpty)
        }
    }

    @Test("depths are published every five seconds, and 0 at once when the session ends")
    func depths() {
        var publisher = TestState.publisher()
        _ = publisher.everything(at: time.at(0))
        var published: [Double] = []
        for tick in 1...40 {
            let depth = RoomSnapshot.Depth(seconds: 60 + Double(tick), fraction: 0.5)
            let found = publisher.apply(.depths([TestState.kitchen: depth]), at: time.at(Double(tick) / 2))
                .byTopic
            if found[Self.room + "depth"] != nil { published.append(Double(tick) / 2) }
            #expect(found[Self.room + "depth"] == found[Self.zone + "depth"])
        }
        #expect(published == [5, 10, 15, 20])
        var room = TestState.room()
        room.depth = nil
        let found = publisher.apply(.room(room), at: time.at(21)).byTopic
        #expect(found[Self.room + "depth"] == "0" && found[Self.zone + "depth"] == "0")
    }

    @Test("a zone that is removed takes its topics and its announcement with it")
    func removal() {
        var publisher = TestState.publisher()
        let before = Set(publisher.everything(at: time.at(0)).map(\.topic))
        let removed = publisher.apply(.zoneRemoved(TestState.zone), at: time.at(1)).filter {
            $0.payload.isEmpty
        }
        let expected = before.filter { $0.contains("/zone/1/") || $0.contains("zone_1_") }
        #expect(expected.count == ZoneFields.names.count + 17)
        // The rooms' names of their zone are empty too.
        #expect(Set(removed.map(\.topic).filter { !$0.contains("/room/") }) == expected)
        #expect(removed.allSatisfy { $0.isRetained })
        // The same zone comes back whole.
        let after = publisher.apply(.zone(TestState.playing()), at: time.at(2))
        #expect(Set(after.map(\.topic)).isSuperset(of: expected))
    }

    @Test("a renamed zone is announced anew, with the choices of all rooms")
    func renaming() {
        var publisher = TestState.publisher()
        _ = publisher.everything(at: time.at(0))
        let messages = publisher.apply(.zone(TestState.playing("Garden")), at: time.at(1))
        let selects = messages.filter { $0.topic.contains("/select/") && $0.topic.contains("/room_") }
        #expect(
            selects.count == 2 && selects.allSatisfy { $0.text.contains(#""options":["No zone","Garden"]"#) })
        #expect(messages.byTopic[Self.room + "zone_name"] == "Garden")
        #expect(
            messages.contains { $0.topic.hasSuffix("zone_1_title/config") && $0.text.contains("Zone Garden") }
        )
    }

    @Test("troubles of the house are a text, and removed when they end")
    func troubles() {
        var publisher = TestState.publisher()
        _ = publisher.everything(at: time.at(0))
        let topic = "tutti/my_house/trouble"
        let trouble = Trouble(code: "c", message: "The disk is full.")
        #expect(publisher.apply(.troubles([trouble]), at: time.at(1)).byTopic[topic] == "The disk is full.")
        #expect(publisher.apply(.troubles([]), at: time.at(2)).byTopic[topic] == "")
    }

    @Test("numbers that JSON lacks, and clocks that were set, do no harm")
    func strange() {
        var publisher = TestState.publisher()
        var zone = TestState.playing(position: .infinity, time: .nan)
        (zone.volume, zone.rate) = (.nan, .infinity)
        _ = publisher.apply(.zone(zone), at: time.at(0))
        let found = publisher.everything(at: Moment(unix: -1e300, instant: time.begin)).byTopic
        #expect(
            found[Self.zone + "volume"] == ""
                && found[Self.zone + "state"]?.contains("\"volume\":null") == true)
    }
}
