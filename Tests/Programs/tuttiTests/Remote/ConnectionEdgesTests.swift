import Foundation
import Glibc
import Testing
import TuttiCommandLineInterface
import TuttiTestSupport

@testable import tutti

@Suite("Addresses, tokens and messages of the service")
struct ConnectionEdgesTests {
    static let addresses: [(text: String, shown: String, authority: String)] = [
        ("attic", "attic", "attic:8321"), ("attic:8321", "attic", "attic:8321"),
        ("attic:80", "attic:80", "attic:80"),
        ("192.0.2.7:81", "192.0.2.7:81", "192.0.2.7:81"), ("::1", "[::1]", "[::1]:8321"),
        ("[::1]:81", "[::1]:81", "[::1]:81"), ("[fe80::1%eth0]", "[fe80::1%eth0]", "[fe80::1%eth0]:8321"),
        ("http://attic/", "attic", "attic:8321"), ("http://[::1]:81/", "[::1]:81", "[::1]:81"),
        ("/run/a b.sock", "/run/a b.sock", "localhost"),
    ]

    @Test("an address is shown as it can be typed again", arguments: addresses)
    func address(text: String, shown: String, authority: String) throws {
        let address = try #require(ServiceAddress(text))
        #expect(address.text == shown && address.authority == authority)
        #expect(ServiceAddress(shown) == address)
    }

    @Test(
        "a text that could change a request is no address",
        arguments: [
            "attic/path", "a\tb", "at\u{301}tic", "attic\u{7F}", "http://attic/x", "http://", "[::1]x", "[",
            ":80",
        ])
    func noAddress(text: String) { #expect(ServiceAddress(text) == nil) }

    @Test("an empty TUTTI_HOST is none, and --host is stronger than it")
    func host() throws {
        let environment = ["HOME": "/home/none", "TUTTI_HOST": "cellar"]
        #expect(
            try ServiceAddress.candidates(host: "attic", config: nil, environment: environment)
                == [.tcp(host: "attic", port: 8321)])
        let empty = environment.merging(["TUTTI_HOST": ""]) { $1 }
        #expect(try ServiceAddress.candidates(host: nil, config: nil, environment: empty).count > 1)
        let error = #expect(throws: RemoteFailure.self) {
            try ServiceAddress.candidates(host: "a\u{1B} b", config: nil, environment: [:])
        }
        #expect(error?.kind == .usage && error?.description.contains("\u{1B}") == false)
    }

    @Test("each service has a token of its own, in a file for its user alone")
    func tokens() throws {
        let folder = try MusicFolder()
        let environment = ["XDG_STATE_HOME": folder.path]
        func token(_ host: String) throws -> DeviceToken {
            let address = try #require(ServiceAddress(host))
            return try #require(DeviceToken(of: address, environment: environment))
        }
        #expect(try token("attic").read() == nil)
        try token("attic").store("first")
        try token("attic:80").store("second")
        try token("attic").store("third")
        #expect(try token("attic").read() == "third")
        #expect(try token("attic:8321").read() == "third")
        #expect(try token("attic:80").read() == "second")
        #expect(try token("[::1]").read() == nil)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/tutti/tokens")
        #expect(files.count == 2)
        for file in files {
            var status = stat()
            let result = stat(folder.path + "/tutti/tokens/" + file, &status)
            #expect(result == 0 && status.st_mode & 0o777 == 0o600)
        }
        #expect(DeviceToken(of: .tcp(host: "attic", port: 80), environment: [:]) == nil)
    }

    @Test("a token is the printable beginning of its file")
    func edited() throws {
        let folder = try MusicFolder()
        let token = try #require(
            DeviceToken(of: .tcp(host: "attic", port: 8321), environment: ["XDG_STATE_HOME": folder.path]))
        for (text, expected) in [("abc\nX: y", "abc"), ("abc def", "abc"), ("\n", nil)] as [(String, String?)]
        {
            try token.store(text)
            #expect(try token.read() == expected)
        }
    }

    static let requests: [(ServiceRequest, String)] = [
        (
            ServiceRequest(method: "GET", path: "/house"),
            "GET /api/v1/house HTTP/1.0\r\nHost: h\r\nConnection: close\r\n\r\n"
        ),
        (
            ServiceRequest(method: "DELETE", path: "/alarms/3"),
            "DELETE /api/v1/alarms/3 HTTP/1.0\r\nHost: h\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        ),
        (
            ServiceRequest(method: "GET", path: "/events", fields: ["Last-Event-ID: e-1"]),
            "GET /api/v1/events HTTP/1.0\r\nHost: h\r\nConnection: close\r\nLast-Event-ID: e-1\r\n\r\n"
        ),
    ]

    @Test("a request has a length where it may have a body", arguments: requests.indices)
    func request(index: Int) {
        let (request, text) = Self.requests[index]
        #expect(String(decoding: request.bytes(host: "h", token: nil), as: UTF8.self) == text)
    }

    static let heads: [(String, AnswerReader.Head, String)] = [
        ("HTTP/1.1 204\r\n\r\n", .init(status: 204, length: nil), ""),
        (
            "HTTP/1.0 500 Oh no\r\nCONTENT-LENGTH:  7 \r\n\r\nabc\r\n\r\n", .init(status: 500, length: 7),
            "abc\r\n\r\n"
        ),
        ("HTTP/1.1 200 OK\r\nX\r\nContent-Length: 0\r\n\r\n", .init(status: 200, length: 0), ""),
        ("HTTP/1.1 200 OK\r\n\r\n\r\n\r\n", .init(status: 200, length: nil), "\r\n\r\n"),
    ]

    @Test("a head ends at the first empty line, and its fields in any capitals", arguments: heads)
    func head(text: String, head: AnswerReader.Head, body: String) throws {
        var reader = AnswerReader()
        var found: [UInt8] = []
        for byte in text.utf8 { found += try reader.receive([byte]) }
        #expect(reader.head == head)
        #expect(String(decoding: found, as: UTF8.self) == body)
    }

    static let streams: [(String, [ServiceEvent])] = [
        ("event: a\ndata:  x\n\n", [ServiceEvent(name: "a", id: nil, data: " x")]),
        ("event:a\ndata\n\n", [ServiceEvent(name: "a", id: nil, data: "")]),
        (
            "event: a\n\nevent: b\nid: 1\n\n",
            [
                ServiceEvent(name: "a", id: nil, data: ""), ServiceEvent(name: "b", id: "1", data: ""),
            ]
        ),
        ("event: a\nevent: b\ndata: é:\n\n", [ServiceEvent(name: "b", id: nil, data: "é:")]),
        ("retry: 5\nevent: a\n:data: no\n\n\n\n", [ServiceEvent(name: "a", id: nil, data: "")]),
        ("event: a\ndata: unfinished\n", []),
    ]

    @Test("the fields of an event end with it", arguments: streams)
    func events(text: String, events: [ServiceEvent]) throws {
        var reader = EventReader()
        var found: [ServiceEvent] = []
        for byte in text.utf8 { found += try reader.receive([byte]) }
        #expect(found == events)
    }
}

@Suite("State and events of the service")
struct RemoteHouseTests {
    private static func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try RemoteHouse.decoder.decode(type, from: Data(json.utf8))
    }

    private static let zone =
        #""id":1,"name":"K","state":"playing","positionTime":2,"length":0,"shuffle":false,"repeatMode":"off""#

    @Test("a number that JSON lacks comes as text, and unknown fields are skipped")
    func numbers() throws {
        let zone = try Self.decode(
            RemoteZone.self,
            #"{\#(Self.zone),"position":"NaN","rate":"Infinity","new":{"a":[1]},"volume":null}"#)
        #expect(zone.position.isNaN && zone.rate == .infinity && zone.volume == nil)
        var house = RemoteHouse(time: 0, zones: [zone], rooms: [])
        // The status has lines with any numbers.
        #expect(StatusText(house: house, time: 9).lines(limit: 80).count > 2)
        house.zones[0].current = TestHouse.entry(1, "Song")
        #expect(StatusText(house: house, time: 9).zones(nil)[1].contains("Song"))
    }

    @Test("an item is a kind with a number or a text, and nothing else")
    func items() throws {
        let album = try Self.decode(RemoteItem.self, #"{"album":7}"#)
        #expect(album.text == "album 7" && JSONLine(album.json).text == #"{"album":7}"#)
        let folder = try Self.decode(RemoteItem.self, #"{"folder":"/m/\"a\""}"#)
        #expect(folder.text == "/m/\"a\"" && JSONLine(folder.json).text == #"{"folder":"/m/\"a\""}"#)
        for json in ["{}", "[]", #"{"album":1.5}"#, #"{"album":null}"#, #"{"album":[1]}"#, "7"] {
            #expect(throws: DecodingError.self) { try Self.decode(RemoteItem.self, json) }
        }
    }

    @Test("an alarm is sent with all that it has, and without a volume for the one that rooms have")
    func alarm() {
        let alarm = RemoteAlarm(
            id: 3, zone: 1, minute: 390, days: ["monday"], items: [], volume: nil, fadeSeconds: 0.04,
            isOn: true)
        #expect(
            JSONLine(alarm.body).text
                == #"{"zone":1,"minute":390,"days":["monday"],"items":[],"fadeSeconds":0,"isOn":true}"#)
        var loud = alarm
        loud.volume = 33.333
        #expect(JSONLine(loud.body).text.contains(#""volume":33.33,"#))
    }

    @Test("an event that repeats what is known is no change, and a whole house replaces all")
    func events() {
        var house = TestHouse.house
        func apply(_ name: String, _ data: String) -> Bool {
            house.apply(ServiceEvent(name: name, id: nil, data: data))
        }
        let announcements = #"{"announcements":[{"id":1,"title":"a","rooms":[],"state":"waiting"}]}"#
        #expect(apply("announcements", announcements) && !apply("announcements", announcements))
        #expect(apply("announcements", #"{"announcements":[]}"#) && house.announcements == [])
        let alarm = #"{"id":1,"zone":1,"minute":0,"days":[],"items":[],"fadeSeconds":0,"isOn":true}"#
        #expect(apply("alarms", #"{"alarms":[\#(alarm)]}"#) && house.alarms?.first?.isOn == true)
        #expect(!apply("roomRemoved", #"{"room":"none"}"#) && !apply("zoneRemoved", #"{"zone":9}"#))
        #expect(!apply("depths", #"{"depths":{"none":{"seconds":1}}}"#))
        let room = #"{"id":"a","name":"zz","isPresent":true,"state":"idle","zone":1}"#
        #expect(apply("room", room) && house.rooms.map(\.id) == ["b", "c", "a"])
        #expect(!apply("room", room), "the order does not change either")
        #expect(apply("house", #"{"time":5,"zones":[],"rooms":[]}"#))
        #expect(house == RemoteHouse(time: 5, zones: [], rooms: []))
        #expect(!apply("house", "") && !apply("house", #"{"time":6}"#) && house.time == 5)
    }
}
