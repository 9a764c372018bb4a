import Testing
import TuttiHouse
import TuttiTestSupport

@testable import TuttiHouseWeb

@Suite("Routes of commands", .tags(.machine))
struct CommandRoutesTests {
    private static let zone = ZoneID(rawValue: 2)
    private static let room = RoomID(rawValue: "AA:BB/1")
    private static func entries(_ ids: Int64...) -> [EntryID] { ids.map { EntryID(rawValue: $0) } }

    static let table: [(String, String, String?, HouseCommand)] = [
        (
            "POST", "/zones", #"{"name":"Up","rooms":["a","b"]}"#,
            .makeZone(name: "Up", rooms: [RoomID(rawValue: "a"), RoomID(rawValue: "b")])
        ),
        ("POST", "/zones", #"{"name":"Up"}"#, .makeZone(name: "Up", rooms: [])),
        ("PATCH", "/zones/2", #"{"name":"New"}"#, .renameZone(zone, "New")),
        ("DELETE", "/zones/2", nil, .removeZone(zone)), ("POST", "/zones/2/play", "{}", .play(zone)),
        ("POST", "/zones/2/pause", nil, .pause(zone)), ("POST", "/zones/2/toggle", nil, .toggle(zone)),
        ("POST", "/zones/2/stop", nil, .stop(zone)), ("POST", "/zones/2/next", nil, .next(zone)),
        ("POST", "/zones/2/previous", nil, .previous(zone)),
        ("PUT", "/zones/2/position", #"{"seconds":61.5}"#, .seek(zone, seconds: 61.5)),
        ("PUT", "/zones/2/position", #"{"by":-10}"#, .skip(zone, seconds: -10)),
        ("PUT", "/zones/2/rate", #"{"rate":1.5}"#, .setRate(zone, 1.5)),
        ("PUT", "/zones/2/shuffle", #"{"on":true}"#, .setShuffle(zone, true)),
        ("PUT", "/zones/2/repeat", #"{"mode":"all"}"#, .setRepeat(zone, .all)),
        ("PUT", "/zones/2/sleep", #"{"seconds":600}"#, .sleep(zone, afterSeconds: 600)),
        ("PUT", "/zones/2/sleep", "{}", .sleep(zone, afterSeconds: nil)),
        ("PUT", "/zones/2/sleep", #"{"endOfTrack":true}"#, .sleepAtEndOfTrack(zone)),
        ("PUT", "/zones/2/volume", #"{"percent":35}"#, .setZoneVolume(zone, 35)),
        ("POST", "/zones/2/transfer", #"{"to":3}"#, .transfer(zone, to: ZoneID(rawValue: 3))),
        (
            "POST", "/zones/2/queue",
            #"{"items":[{"track":1},{"album":2},{"artist":3},{"folder":"/m"},{"playlist":4},{"station":5},{"location":"http://x"}],"place":"next"}"#,
            .add(
                zone,
                [
                    .track(1), .album(2), .artist(3), .folder("/m"), .playlist(4), .station(5),
                    .location("http://x"),
                ],
                .next)
        ),
        ("POST", "/zones/2/queue", #"{"items":[{"track":1}]}"#, .add(zone, [.track(1)], .end)),
        ("POST", "/zones/2/queue", #"{"items":[],"place":"replace"}"#, .add(zone, [], .replace)),
        (
            "POST", "/zones/2/queue", #"{"items":[],"place":{"before":7}}"#,
            .add(zone, [], .before(EntryID(rawValue: 7)))
        ),
        ("DELETE", "/zones/2/queue", nil, .clear(zone)),
        ("POST", "/zones/2/queue/remove", #"{"entries":[4,5]}"#, .remove(zone, entries(4, 5))),
        (
            "POST", "/zones/2/queue/move", #"{"entries":[4],"before":9}"#,
            .move(zone, entries(4), before: EntryID(rawValue: 9))
        ),
        (
            "POST", "/zones/2/queue/move", #"{"entries":[4],"before":null}"#,
            .move(zone, entries(4), before: nil)
        ),
        ("POST", "/zones/2/queue/12/play", nil, .jump(zone, EntryID(rawValue: 12))),
        ("PUT", "/rooms/AA:BB%2F1/zone", #"{"zone":2}"#, .moveRoom(room, to: zone)),
        ("PUT", "/rooms/AA:BB%2F1/zone", #"{"zone":null}"#, .moveRoom(room, to: nil)),
        ("PUT", "/rooms/AA:BB%2F1/volume", #"{"percent":10.5}"#, .setRoomVolume(room, 10.5)),
        ("PUT", "/rooms/AA:BB%2F1/delay", #"{"milliseconds":-20}"#, .setRoomDelay(room, milliseconds: -20)),
        ("PUT", "/rooms/AA:BB%2F1/password", #"{"password":"pw"}"#, .setRoomPassword(room, "pw")),
        ("DELETE", "/rooms/AA:BB%2F1", nil, .forgetRoom(room)),
        ("PUT", "/zones/2/input", #"{"name":"Desk"}"#, .playInput(zone, "Desk")),
        ("PUT", "/zones/2/levelling", #"{"mode":"album"}"#, .setLevelling(zone, .album)),
        ("PUT", "/zones/2/crossfade", #"{"seconds":4.5}"#, .setCrossfade(zone, seconds: 4.5)),
        ("PUT", "/zones/2/sleep-fade", #"{"seconds":60}"#, .setSleepFade(zone, seconds: 60)),
        ("PUT", "/rooms/AA:BB%2F1/maximum", #"{"percent":60}"#, .setRoomMaximumVolume(room, 60)),
        ("PUT", "/rooms/AA:BB%2F1/night", #"{"on":true}"#, .setRoomNightMode(room, true)),
        ("PUT", "/rooms/AA:BB%2F1/equalizer", #"{"gains":null}"#, .setRoomEqualizer(room, nil)),
        (
            "PUT", "/rooms/AA:BB%2F1/equalizer", #"{"gains":[1,2.5,0,0,0,0,0,0,0,-3]}"#,
            .setRoomEqualizer(room, Equalizer(gains: [1, 2.5, 0, 0, 0, 0, 0, 0, 0, -3]))
        ),
        (
            "PUT", "/rooms/AA:BB%2F1/equalizer", #"{"preset":"flat"}"#,
            .setRoomEqualizer(room, Equalizer(gains: Array(repeating: 0, count: 10)))
        ),
        (
            "POST", "/announcements", #"{"location":"/m/bell.wav"}"#,
            .announce(AnnouncementRequest(location: "/m/bell.wav"))
        ),
        (
            "POST", "/announcements",
            #"{"location":"http://x/y","title":"T","rooms":["a"],"volume":40,"pausesMusic":true,"isTemporary":true}"#,
            .announce(
                AnnouncementRequest(
                    location: "http://x/y", title: "T", rooms: [RoomID(rawValue: "a")], volume: 40,
                    pausesMusic: true))
        ),
        ("DELETE", "/announcements/7", nil, .cancelAnnouncement(AnnouncementID(rawValue: 7))),
        ("POST", "/alarms", #"{"zone":2,"minute":390}"#, .setAlarm(Alarm(zone: zone, minute: 390))),
        (
            "PUT", "/alarms/3",
            #"{"id":9,"zone":2,"minute":0,"days":["friday"],"items":[{"album":7}],"volume":30,"fadeSeconds":60,"isOn":false}"#,
            .setAlarm(
                Alarm(
                    id: AlarmID(rawValue: 3), zone: zone, minute: 0, days: [.friday], items: [.album(7)],
                    volume: 30, fadeSeconds: 60, isOn: false))
        ),
        ("DELETE", "/alarms/3", nil, .removeAlarm(AlarmID(rawValue: 3))),
    ]

    @Test("each route gives its command to the house, with the client as its author")
    func commands() async throws {
        let test = try await TestSurface()
        let client = try WebClient(port: test.port)
        for (method, path, body, command) in Self.table {
            let response = try await client.ask(method, "/api/v1" + path, body)
            #expect(response.status == 200 && response.text == #"{"revision":17}"#, "\(method) \(path)")
            #expect(test.house.takeCommands() == [command], "\(method) \(path)")
        }
        let origin = test.house.state.withLock { $0.origins.last }
        #expect(origin?.surface == "web" && origin?.author == "127.0.0.1")
        await test.surface.stop()
    }

    @Test("an outcome names the new zone and the new entries")
    func outcome() async throws {
        let test = try await TestSurface()
        test.house.state.withLock {
            $0.outcome = .success(CommandOutcome(revision: 18, zone: Self.zone, entries: Self.entries(4, 5)))
        }
        let json = try await test.ask("POST", "/zones", #"{"name":"x"}"#).json
        #expect(
            json["revision"] as? Int == 18 && json["zone"] as? Int == 2
                && json["entries"] as? [Int] == [4, 5])
        await test.surface.stop()
    }

    @Test(
        "a refusal of the house is a problem with its status and sentence",
        arguments: [
            (HouseError.Kind.notFound, 404), (.invalid, 400), (.conflict, 409), (.limit, 409),
            (.unavailable, 503),
        ])
    func refusals(kind: HouseError.Kind, status: Int) async throws {
        let test = try await TestSurface()
        test.house.state.withLock { $0.outcome = .failure(HouseError(kind, "A sentence.")) }
        let response = try await test.ask("POST", "/zones/2/play")
        #expect(response.status == status && response.json["status"] as? Int == status)
        #expect(
            response.json["detail"] as? String == "A sentence."
                && response.json["code"] as? String == kind.rawValue)
        #expect(response.headers["content-type"]?.hasPrefix("application/problem+json") == true)
        await test.surface.stop()
    }

    static let wrong: [(String, String, String?, Int, String)] = [
        ("PUT", "/zones/2/rate", nil, 400, "The body is missing. It must be {\"rate\": number}."),
        ("PUT", "/zones/2/rate", "{", 400, "The body cannot be read."),
        ("PUT", "/zones/2/rate", "{}", 400, "“rate” is missing."),
        ("PUT", "/zones/2/rate", #"{"rate":"fast"}"#, 400, "“rate” must be a number."),
        ("PUT", "/zones/2/rate", #"{"rate":null}"#, 400, "“rate” must be a number, not null."),
        ("PUT", "/zones/2/rate", "[1]", 400, "The body must be an object."),
        ("PUT", "/zones/2/shuffle", #"{"on":1}"#, 400, "“on” must be true or false."),
        ("PUT", "/zones/2/repeat", #"{"mode":"twice"}"#, 400, "“mode” has a value"),
        ("PUT", "/zones/2/position", "{}", 400, "The body must have either “seconds” or “by”."),
        ("PUT", "/zones/2/position", #"{"seconds":1,"by":1}"#, 400, "The body must have either"),
        (
            "POST", "/zones/2/queue/remove", #"{"entries":[1,"x"]}"#, 400,
            "“entries[1]” must be a whole number."
        ),
        ("POST", "/zones/2/queue/remove", #"{"entries":[1.5]}"#, 400, "The body cannot be read."),
        ("POST", "/zones/2/queue", #"{"items":[{}]}"#, 400, "Each of “items” must have one of"),
        ("POST", "/zones/2/queue", #"{"items":[{"track":1,"album":2}]}"#, 400, "Each of “items”"),
        (
            "POST", "/zones/2/queue", #"{"items":[{"track":"x"}]}"#, 400,
            "“items[0].track” must be a whole number."
        ),
        ("POST", "/zones/2/queue", #"{"items":[],"place":"top"}"#, 400, "“place” must be one of"),
        ("PUT", "/rooms/a/zone", "{}", 400, "“zone” is missing."),
        ("POST", "/zones/x/play", nil, 404, "There is no zone “x”."),
        ("POST", "/zones/-1/play", nil, 404, "There is no zone"),
        ("POST", "/zones/99999999999999999999/play", nil, 404, "There is no zone"),
        ("POST", "/zones/2/queue/0/play", nil, 404, "There is no entry"),
        ("GET", "/zones/200/queue", nil, 404, "There is no zone 200."),
        ("GET", "/zones/2/queue?count=1001", nil, 400, "“count” must be a whole number from 0 to 1000."),
        ("GET", "/zones/2/queue?start=-1", nil, 400, "“start” must be"),
        ("GET", "/zones/2/queue?start=99999999999999999999", nil, 400, "“start” must be"),
        ("GET", "/library/search?limit=no", nil, 400, "“limit” must be"),
        ("GET", "/library/albums?sort=size", nil, 400, "“sort” must be one of title, artist, year, added."),
        ("GET", "/nothing", nil, 404, "There is no such address."),
        ("POST", "/zones/2/dance", nil, 404, "There is no such address."),
    ]

    @Test("a wrong request is refused with a sentence that names the field, and reaches no house")
    func wrongRequests() async throws {
        let test = try await TestSurface()
        let client = try WebClient(port: test.port)
        for (method, path, body, status, sentence) in Self.wrong {
            let response = try await client.ask(method, "/api/v1" + path, body)
            let detail = response.json["detail"] as? String ?? ""
            #expect(
                response.status == status && detail.hasPrefix(sentence), "\(path) \(body ?? ""): \(detail)")
        }
        #expect(test.house.takeCommands().isEmpty)
        await test.surface.stop()
    }

    @Test("unknown fields are ignored, and a body of deep nesting is refused")
    func lenience() async throws {
        let test = try await TestSurface()
        #expect(try await test.ask("PUT", "/zones/2/rate", #"{"rate":1,"more":{}}"#).status == 200)
        let deep = String(repeating: "[", count: 100_000)
        #expect(try await test.ask("PUT", "/zones/2/rate", deep).status == 400)
        await test.surface.stop()
    }

    @Test("a wrong method gets 405 with the methods of the address, and OPTIONS names them")
    func methods() async throws {
        let test = try await TestSurface()
        let wrong = try await test.ask("GET", "/zones/2/play")
        #expect(wrong.status == 405 && wrong.headers["allow"] == "POST, OPTIONS")
        let options = try await test.ask("OPTIONS", "/zones/2/queue")
        #expect(options.status == 204 && options.headers["allow"]?.contains("DELETE") == true)
        await test.surface.stop()
    }
}
