import Testing
import TuttiHouse
import TuttiMQTT
import TuttiMusicLibrary
import TuttiTestSupport

@testable import TuttiHouseMQTT

@Suite("Messages as commands")
struct CommandReaderTests {
    private static let zone = TestState.zone
    private static let room = TestState.kitchen
    private static let entry = EntryID(rawValue: 4)

    private static let reader = {
        let publisher = TestState.publisher()
        return CommandReader(scheme: publisher.scheme, house: publisher.house)
    }()

    static let commands: [(String, String, HouseCommand)] = [
        ("zone/1/play", "", .play(zone)), ("zone/1/pause", "PRESS", .pause(zone)),
        ("zone/1/toggle", "x", .toggle(zone)),
        ("zone/1/stop", "", .stop(zone)), ("zone/1/next", "", .next(zone)),
        ("zone/1/previous", "", .previous(zone)),
        ("zone/1/position", "12.5", .seek(zone, seconds: 12.5)),
        ("zone/1/seek", #"{"seconds": 3}"#, .seek(zone, seconds: 3)),
        ("zone/1/position", #"{"by": -10}"#, .skip(zone, seconds: -10)),
        ("zone/1/rate", "1.5", .setRate(zone, 1.5)), ("zone/1/volume", " 40\n", .setZoneVolume(zone, 40)),
        ("zone/1/volume", #"{"percent": 7}"#, .setZoneVolume(zone, 7)),
        ("zone/1/shuffle", "ON", .setShuffle(zone, true)),
        ("zone/1/shuffle", "false", .setShuffle(zone, false)),
        ("zone/1/shuffle", #"{"on": true}"#, .setShuffle(zone, true)),
        ("zone/1/repeat", "All", .setRepeat(zone, .all)),
        ("zone/1/repeat", #"{"mode":"one"}"#, .setRepeat(zone, .one)),
        ("zone/1/sleep", "600", .sleep(zone, afterSeconds: 600)),
        ("zone/1/sleep", "0", .sleep(zone, afterSeconds: nil)),
        ("zone/1/sleep", "off", .sleep(zone, afterSeconds: nil)),
        ("zone/1/sleep", "{}", .sleep(zone, afterSeconds: nil)),
        ("zone/1/sleep", #"{"seconds":60}"#, .sleep(zone, afterSeconds: 60)),
        ("zone/1/sleep", "endOfTrack", .sleepAtEndOfTrack(zone)),
        ("zone/1/sleep", #"{"endOfTrack":true}"#, .sleepAtEndOfTrack(zone)),
        ("zone/1/add", "http://radio/stream", .add(zone, [.location("http://radio/stream")], .end)),
        ("zone/1/queue", #"{"album": 3, "place": "now"}"#, .add(zone, [.album(3)], .now)),
        (
            "zone/1/queue", #"{"items":[{"track":1},{"folder":"/m"}],"place":{"before":4}}"#,
            .add(zone, [.track(1), .folder("/m")], .before(entry))
        ),
        ("zone/1/queue", #"{"station": 2, "place": "replace"}"#, .add(zone, [.station(2)], .replace)),
        ("zone/1/transfer", "2", .transfer(zone, to: ZoneID(rawValue: 2))),
        ("room/aabbccddeeff/volume", "55", .setRoomVolume(room, 55)),
        ("room/aabbccddeeff/delay", "-20", .setRoomDelay(room, milliseconds: -20)),
        ("room/aabbccddeeff/delay", #"{"milliseconds":5}"#, .setRoomDelay(room, milliseconds: 5)),
        ("room/aabbccddeeff/zone", "1", .moveRoom(room, to: zone)),
        ("room/aabbccddeeff/zone", "Music", .moveRoom(room, to: zone)),
        ("room/aabbccddeeff/zone", "No zone", .moveRoom(room, to: nil)),
        ("room/aabbccddeeff/zone", "None", .moveRoom(room, to: nil)),
        ("room/aabbccddeeff/zone", #"{"zone":1}"#, .moveRoom(room, to: zone)),
        ("room/aabbccddeeff/zone", #"{"zone":null}"#, .moveRoom(room, to: nil)),
        ("zone/1/input", "Desk", .playInput(zone, "Desk")),
        ("zone/1/levelling", "Album", .setLevelling(zone, .album)),
        ("zone/1/crossfade", "5", .setCrossfade(zone, seconds: 5)),
        ("zone/1/sleep-fade", #"{"seconds": 30}"#, .setSleepFade(zone, seconds: 30)),
        ("room/aabbccddeeff/night", "on", .setRoomNightMode(room, true)),
        ("room/aabbccddeeff/maximum", "60", .setRoomMaximumVolume(room, 60)),
        ("room/aabbccddeeff/equalizer", "off", .setRoomEqualizer(room, nil)),
        ("room/aabbccddeeff/equalizer", #"{"gains": null}"#, .setRoomEqualizer(room, nil)),
        ("room/aabbccddeeff/equalizer", "flat", .setRoomEqualizer(room, flat)),
        ("room/aabbccddeeff/equalizer", #"{"preset": "flat"}"#, .setRoomEqualizer(room, flat)),
        ("room/aabbccddeeff/equalizer", "[0,0,0,0,0,0,0,0,0,0]", .setRoomEqualizer(room, flat)),
        (
            "room/aabbccddeeff/announce", "http://x/bell.mp3",
            .announce(AnnouncementRequest(location: "http://x/bell.mp3", rooms: [room]))
        ),
        (
            "zone/1/announce", #"{"location": "/m/a.wav", "volume": 30, "rooms": ["bath"]}"#,
            .announce(AnnouncementRequest(location: "/m/a.wav", rooms: [room], volume: 30))
        ),
        ("alarm/4/on", "off", .setAlarm(changed(alarm) { $0.isOn = false })),
        ("alarm/4/remove", "", .removeAlarm(AlarmID(rawValue: 4))),
    ]
    private static let flat = Equalizer(gains: Array(repeating: 0, count: 10))
    private static let alarm = TestState.alarm

    private static func changed(_ alarm: Alarm, _ body: (inout Alarm) -> Void) -> Alarm {
        var alarm = alarm
        body(&alarm)
        return alarm
    }

    static let houseCommands: [(String, String, HouseCommand)] = [
        ("announce", "/m/bell.wav", .announce(AnnouncementRequest(location: "/m/bell.wav"))),
        (
            "announce",
            #"{"location":"/m/b.wav","title":"B","rooms":["aabbccddeeff","x"],"pausesMusic":true}"#,
            .announce(
                AnnouncementRequest(
                    location: "/m/b.wav", title: "B", rooms: [room, RoomID(rawValue: "x")], pausesMusic: true)
            )
        ),
        ("cancel", "7", .cancelAnnouncement(AnnouncementID(rawValue: 7))),
        ("alarm", #"{"zone":1,"minute":390}"#, .setAlarm(Alarm(zone: zone, minute: 390))),
        (
            "alarm", #"{"id":4,"zone":1,"minute":5,"days":["monday"],"items":[{"station":2}],"isOn":false}"#,
            .setAlarm(
                Alarm(
                    id: AlarmID(rawValue: 4), zone: zone, minute: 5, days: [.monday], items: [.station(2)],
                    isOn: false))
        ),
    ]

    @Test("the house itself takes announcements and alarms", arguments: houseCommands)
    func ofHouse(word: String, payload: String, command: HouseCommand) throws {
        let (found, errors) = try Self.reader.read(
            MQTTMessage(topic: "tutti/my_house/\(word)/set", text: payload))
        #expect(found == command && errors == "tutti/my_house/error")
    }

    @Test(
        "an announcement or an alarm without sense is refused, and never one for all rooms by mistake",
        arguments: [
            ("announce", ""), ("announce", "{"), ("announce", #"{"rooms":["a"]}"#), ("cancel", "x"),
            ("cancel", "1.5"), ("alarm", "6:30"), ("alarm", #"{"zone":1}"#), ("zone/2/announce", "/m/a.wav"),
            ("room/aabbccddeeff/equalizer", "[1]x"), ("alarm/9/on", "on"), ("alarm/4/on", "maybe"),
            ("zone/9/announce", "/m/a.wav"), ("room/zz/announce", "/m/a.wav"), ("other", "1"),
        ])
    func refusedCalls(topic: String, payload: String) {
        var house = TestState.house
        house.zones.append(ZoneSnapshot(id: ZoneID(rawValue: 2), name: "Empty"))
        let reader = CommandReader(scheme: Self.reader.scheme, house: HouseMirror(house))
        #expect(throws: CommandProblem.self) {
            try reader.read(MQTTMessage(topic: "tutti/my_house/\(topic)/set", text: payload))
        }
    }

    @Test("each command has a plain form and that of the HTTP interface", arguments: commands)
    func forms(topic: String, payload: String, command: HouseCommand) throws {
        let message = MQTTMessage(topic: "tutti/my_house/\(topic)/set", text: payload)
        let (found, errors) = try Self.reader.read(message)
        #expect(found == command)
        #expect(
            errors == "tutti/my_house/" + topic.split(separator: "/").prefix(2).joined(separator: "/")
                + "/error")
    }

    @Test(
        "a room moves to the zone of the label or of the exact number",
        arguments: [
            ("2.6", nil), (#"{"zone":2.6}"#, nil), (#"{"zone":1e300}"#, nil), ("2.0", 2), ("0x2", 2),
            (#"{"zone":3}"#, 3), (#"{"zone":"3"}"#, 3), (#"{"zone":"2.6"}"#, nil), ("1e0 (4)", 4),
            (#"{"zone":"1e0 (4)"}"#, 4), ("1e0", 1), ("{Hall}", 5),
        ] as [(String, Int?)])
    func zoneChoice(payload: String, expected: Int?) {
        var house = TestState.house
        house.zones = [(1, "Music"), (2, "Garden"), (3, "Attic"), (4, "1e0"), (5, "{Hall}")].map {
            ZoneSnapshot(id: ZoneID(rawValue: $0.0), name: $0.1)
        }
        let reader = CommandReader(scheme: Self.reader.scheme, house: HouseMirror(house))
        // Only the command matters; the refusal's sentence has its own test.
        let found = try? reader.read(
            MQTTMessage(topic: "tutti/my_house/room/aabbccddeeff/zone/set", text: payload))
        #expect(found?.command == expected.map { .moveRoom(Self.room, to: ZoneID(rawValue: $0)) })
    }

    static let refused: [(String, String, String)] = [
        ("zone/1/volume", "loud", "volume/set must be a number, not “loud”."),
        ("zone/1/volume", "nan", "volume/set must be a number, not “nan”."),
        ("zone/1/volume", #"{"percent":"x"}"#, #"volume/set must be a number, not “{"percent":"x"}”."#),
        ("zone/1/shuffle", "maybe", "shuffle/set must be “on” or “off”, not “maybe”."),
        ("zone/1/repeat", "twice", "repeat/set must be “off”, “one” or “all”, not “twice”."),
        ("zone/1/sleep", "soon", "sleep/set must be seconds, “endOfTrack” or “off”, not “soon”."),
        ("zone/1/position", "", "position/set must be seconds, or {\"by\": seconds}, not “”."),
        (
            "room/aabbccddeeff/zone", "Attic",
            "zone/set must be the number or the name of a zone, or “none”, not “Attic”."
        ),
        (
            "room/aabbccddeeff/zone", "{}",
            "zone/set must be the number or the name of a zone, or “none”, not “{}”."
        ),
        ("room/aabbccddeeff/delay", "a\u{1}\nb", "delay/set must be a number, not “a  b”."),
    ]

    @Test("a payload that makes no sense is a sentence on the topic of errors", arguments: refused)
    func refusals(topic: String, payload: String, sentence: String) {
        #expect {
            try Self.reader.read(MQTTMessage(topic: "tutti/my_house/\(topic)/set", text: payload))
        } throws: { error in
            let problem = error as? CommandProblem
            return problem?.sentence == sentence && problem?.topic.hasSuffix("/error") == true
        }
    }

    @Test(
        "strange items are refused with the form",
        arguments: [
            "", "{", "{}", #"{"album": "x"}"#, #"{"album":1,"track":2}"#, #"{"items":[]}"#,
            #"{"items":[{}]}"#,
            #"{"album":1,"place":"somewhere"}"#, #"{"album":1,"place":{}}"#, #"{"album":1,"place":7}"#,
            #"{"album":99999999999999999999}"#, String(repeating: "[", count: 60_000),
            "{\"a\":" + String(repeating: "[", count: 60_000),
        ])
    func items(payload: String) {
        #expect(throws: CommandProblem.self) {
            try Self.reader.read(MQTTMessage(topic: "tutti/my_house/zone/1/queue/set", text: payload))
        }
    }

    @Test("zones, rooms and words that are unknown are told on the house's topic or the target's")
    func unknown() {
        let topics = [
            ("zone/9/play/set", "tutti/my_house/error", "There is no zone 9."),
            ("room/attic/volume/set", "tutti/my_house/error", "There is no room “attic”."),
            ("zone/x/play/set", "tutti/my_house/error", "There is no such zone, room or alarm."),
            (
                "room/bath/play/set", "tutti/my_house/room/bath/error",
                "A room has no command “play”; it has volume, delay, zone, night, maximum, equalizer, announce."
            ),
        ]
        for (topic, errors, sentence) in topics {
            let problem = #expect(throws: CommandProblem.self) {
                try Self.reader.read(MQTTMessage(topic: "tutti/my_house/" + topic, text: "1"))
            }
            #expect(problem == CommandProblem(topic: errors, sentence: sentence))
        }
    }

    @Test("a retained command is not carried out")
    func retained() {
        let problem = #expect(throws: CommandProblem.self) {
            try Self.reader.read(
                MQTTMessage(topic: "tutti/my_house/zone/1/next/set", payload: [], isRetained: true))
        }
        #expect(problem?.sentence.contains("must not be retained") == true)
    }

    @Test("a long topic is short in the sentence", arguments: ["x", "\u{301}"])
    func longTopic(piece: String) {
        // The second one is a single character of 60 KB.
        let word = "x" + String(repeating: piece, count: 30_000)
        for isRetained in [true, false] {
            let problem = #expect(throws: CommandProblem.self) {
                try Self.reader.read(
                    MQTTMessage(
                        topic: "tutti/my_house/zone/1/\(word)/set", payload: [], isRetained: isRetained))
            }
            #expect((problem?.sentence.utf8.count ?? .max) < 600)
        }
    }

    @Test("control characters of a topic are spaces in the sentence")
    func controlCharacters() {
        let topic = "tutti/my_house/zone/1/a\u{9B}b\u{2028}c/set"
        let problem = #expect(throws: CommandProblem.self) {
            try Self.reader.read(MQTTMessage(topic: topic, payload: [], isRetained: true))
        }
        #expect(problem?.sentence.hasPrefix("a b c/set: ") == true)
    }

    @Test("random topics and payloads are commands or sentences, and nothing else")
    func random() {
        var generator = SeededGenerator(seed: 11)
        let words = [
            "zone", "room", "1", "9", "bath", "volume", "queue", "sleep", "set", "", "{", "…", "play",
        ]
        let parts = [
            "{", "}", "[", "]", ":", ",", "\"", "items", "album", "place", "1", "-", "e9", "null", "\u{0}",
            "ü",
        ]
        for _ in 0..<3_000 {
            let levels = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                words.randomElement(using: &generator) ?? ""
            }
            let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }
            let topic =
                "tutti/my_house/" + levels.joined(separator: "/")
                + (Bool.random(using: &generator) ? "/set" : "")
            do {
                _ = try Self.reader.read(MQTTMessage(topic: topic, text: text.joined()))
            } catch {
                #expect(error.sentence.hasSuffix(".") && MQTTTopic.isName(error.topic))
            }
        }
    }

    @Test("bytes that are no text are refused")
    func bytes() {
        for count in [0, 1, 1_024, 65_536] {
            let message = MQTTMessage(
                topic: "tutti/my_house/zone/1/volume/set", payload: [UInt8](repeating: 0xFF, count: count))
            let problem = #expect(throws: CommandProblem.self) { try Self.reader.read(message) }
            #expect((problem?.sentence.count ?? 0) < 200)
        }
    }
}
