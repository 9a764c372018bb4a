import Foundation
import Testing
import TuttiHouse
import TuttiMusicLibrary
import TuttiTestSupport

@testable import TuttiHouseWeb

@Suite("Routes that read", .tags(.machine))
struct ReadingRoutesTests {
    @Test("the house has plain ids, no absent values, and sleep timers of two forms")
    func house() async throws {
        let test = try await TestSurface()
        var zone = ZoneSnapshot(id: ZoneID(rawValue: 2), name: "Up")
        zone.rooms = [RoomID(rawValue: "a")]
        zone.sleep = .at(1_764_110_000)
        zone.current = QueueEntry(id: EntryID(rawValue: 5), track: PlayableTrack(location: "/x", title: "X"))
        var other = ZoneSnapshot(id: ZoneID(rawValue: 3), name: "Down")
        other.sleep = .endOfTrack
        test.house.state.withLock { [zone, other] in $0.snapshot.zones = [zone, other] }
        let json = try await test.ask("GET", "/house").json
        let zones = json["zones"] as? [[String: Any]] ?? []
        #expect(json["revision"] as? Int == 17 && zones.count == 2)
        #expect(zones[0]["id"] as? Int == 2 && zones[0]["rooms"] as? [String] == ["a"])
        #expect((zones[0]["current"] as? [String: Any])?["id"] as? Int == 5)
        #expect(zones[0]["sleep"] as? [String: Double] == ["at": 1_764_110_000])
        #expect(zones[1]["sleep"] as? [String: Bool] == ["endOfTrack": true])
        #expect(zones[1]["current"] == nil && zones[1]["repeatMode"] as? String == "off")
        await test.surface.stop()
    }

    @Test("a number that JSON lacks does not make the house unreadable")
    func notANumber() async throws {
        let test = try await TestSurface()
        test.house.state.withLock { $0.snapshot.time = .nan }
        #expect(try await test.ask("GET", "/house").json["time"] as? String == "NaN")
        await test.surface.stop()
    }

    @Test("a queue is read in parts, and stored whole as a playlist")
    func queue() async throws {
        let test = try await TestSurface()
        test.house.state.withLock { state in
            state.entries = (0..<2_500).map {
                QueueEntry(id: EntryID(rawValue: $0), track: PlayableTrack(location: "/\($0)", title: "T"))
            }
        }
        let page = try await test.ask("GET", "/zones/2/queue?start=10&count=2").json
        #expect(page["length"] as? Int == 2_500 && page["start"] as? Int == 10)
        #expect((page["entries"] as? [[String: Any]])?.map { $0["id"] as? Int } == [10, 11])
        let saved = try await test.ask("POST", "/zones/2/queue/save", #"{"name":"Mine"}"#)
        #expect(saved.text == #"{"playlist":8}"#)
        let expected = "save Mine \((0..<2_500).map { "/\($0)" })"
        #expect(test.library.takeCalls() == [expected])
        await test.surface.stop()
    }

    static let library: [(String, String, String?, String, String)] = [
        ("GET", "/library/search?q=a+b&limit=3", nil, "search a b 3", #""albums":[{"#),
        (
            "GET", "/library/albums?start=1&count=2&sort=year&artist=5", nil, "albums year 5 1 2",
            #""total":1"#
        ),
        ("GET", "/library/albums", nil, "albums title 0 0 200", #""items":[{"#),
        ("GET", "/library/albums/1", nil, "", #""tracks":[{"#),
        ("GET", "/library/artists?count=7", nil, "artists 0 7", #""name":"B""#),
        ("GET", "/library/artists/1", nil, "", #""albums":[{"#),
        ("GET", "/library/tracks?sort=added", nil, "tracks added 0 200", #""location":"/m/t.flac""#),
        ("GET", "/library/folders", nil, "folder -", #""folders":[]"#),
        ("GET", "/library/folders?path=%2Fm%2F..a", nil, "folder /m/..a", #""path":"/m/..a""#),
        ("GET", "/library/playlists", nil, "", #"{"items":[{"#),
        ("GET", "/library/playlists/1", nil, "", #""isOwn":true"#),
        (
            "POST", "/library/playlists", #"{"name":"P","tracks":[1,2]}"#, "makePlaylist P [1, 2]",
            #"{"playlist":9}"#
        ),
        ("PUT", "/library/playlists/1", #"{"name":"Q"}"#, "changePlaylist Q []", "{}"),
        ("PUT", "/library/playlists/1", #"{"tracks":[3]}"#, "changePlaylist - [3]", "{}"),
        ("DELETE", "/library/playlists/1", nil, "deletePlaylist", "{}"),
        ("GET", "/library/stations", nil, "", #"{"items":[{"#),
        (
            "POST", "/library/stations", #"{"name":"S","address":"http://s"}"#, "makeStation S http://s -",
            #"{"station":7}"#
        ),
        (
            "PUT", "/library/stations/1", #"{"name":"S","address":"http://s","picture":"http://p"}"#,
            "changeStation S http://s http://p", "{}"
        ),
        ("DELETE", "/library/stations/1", nil, "deleteStation", "{}"),
        ("POST", "/library/scan", nil, "rescan", "{}"), ("GET", "/library", nil, "", #""isScanning":false"#),
    ]

    @Test("each route of the library calls it and answers with what it has")
    func libraryRoutes() async throws {
        let test = try await TestSurface()
        let client = try WebClient(port: test.port)
        for (method, path, body, call, part) in Self.library {
            let response = try await client.ask(method, "/api/v1" + path, body)
            #expect(response.status == 200 && response.text.contains(part), "\(path): \(response.text)")
            #expect(test.library.takeCalls().joined() == call, "\(path)")
        }
        // Seven edits and the scan: pages read their lists again.
        #expect(test.house.state.withLock { $0.libraryChanges } == 8)
        let missing = try await client.ask("GET", "/api/v1/library/albums/5")
        #expect(missing.status == 404 && missing.json["detail"] as? String == "There is no album 5.")
        await test.surface.stop()
    }

    @Test("a picture is kept for ever by its client, and asked for again it is not sent")
    func picture() async throws {
        let test = try await TestSurface()
        let picture = try await test.ask("GET", "/pictures/abc")
        #expect(picture.body == FakeLibrary.picture && picture.headers["content-type"] == "image/jpeg")
        #expect(picture.headers["cache-control"] == "private, max-age=31536000, immutable")
        let tag = try #require(picture.headers["etag"])
        let again = try await test.ask(
            "GET", "/pictures/abc", headers: ["Host: localhost", "If-None-Match: \(tag)"])
        #expect(again.status == 304 && again.body.isEmpty)
        #expect(try await test.ask("GET", "/pictures/none").status == 404)
        await test.surface.stop()
    }
}
