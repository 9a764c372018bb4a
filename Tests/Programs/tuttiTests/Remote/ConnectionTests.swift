import Foundation
import Testing
import TuttiCommandLineInterface
import TuttiServiceHost
import TuttiTestSupport

@testable import tutti

@Suite("Answers and events of the service")
struct ConnectionTests {
    static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: y\r\n\r\n{}".utf8)

    @Test("an answer is read however it is cut", arguments: 1...48)
    func cutAnswer(size: Int) throws {
        var (reader, body) = (AnswerReader(), [UInt8]())
        for start in stride(from: 0, to: Self.answer.count, by: size) {
            body += try reader.receive(Array(Self.answer[start..<min(start + size, Self.answer.count)]))
        }
        #expect(reader.head == AnswerReader.Head(status: 200, length: 2))
        #expect(body == Array("{}".utf8))
    }

    @Test(
        "bytes that are no answer are refused",
        arguments: [
            "\r\n\r\n", "SSH-2.0-x\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
            "HTTP/1.1 9999999999999999999 x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
            "HTTP/1.1 099 OK\r\n\r\n",
        ])
    func noAnswer(text: String) {
        var reader = AnswerReader()
        #expect(throws: AnswerReader.Malformed.self) { try reader.receive(Array(text.utf8)) }
    }

    @Test("a head without an end does not grow without limit")
    func endlessHead() {
        var reader = AnswerReader()
        #expect(throws: AnswerReader.Malformed.self) {
            for _ in 0..<100 { _ = try reader.receive([UInt8](repeating: 0x61, count: 1024)) }
        }
    }

    static let events = Array(
        ": \n\nid: e-1\nevent: zone\ndata: {\"a\":1}\n\nevent:x\r\ndata: 1\r\ndata: 2\r\n\r\ndata: nameless\n\n"
            .utf8)

    @Test(
        "events are read however they are cut; comments and events without a name are skipped",
        arguments: 1...20)
    func cutEvents(size: Int) throws {
        var (reader, found) = (EventReader(), [ServiceEvent]())
        for start in stride(from: 0, to: Self.events.count, by: size) {
            found += try reader.receive(Array(Self.events[start..<min(start + size, Self.events.count)]))
        }
        #expect(
            found == [
                ServiceEvent(name: "zone", id: "e-1", data: "{\"a\":1}"),
                ServiceEvent(name: "x", id: nil, data: "1\n2"),
            ])
    }

    @Test("an event without an end does not grow without limit", arguments: ["data: x", "data: x\n"])
    func endlessEvent(piece: String) {
        var reader = EventReader(limit: 50_000)
        let bytes = Array(String(repeating: piece, count: 1_000).utf8)
        #expect(throws: EventReader.Overlong.self) { for _ in 0..<100 { _ = try reader.receive(bytes) } }
    }

    @Test("random bytes are refused or read, and never more")
    func randomBytes() {
        var generator = SeededGenerator(seed: 3)
        let pieces = [
            "HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "\r\n\r\n", "event: a\n", "data: {}\n", "\n", ":",
            "\u{0}", "é",
        ]
        for _ in 0..<2_000 {
            let (count, text) = (Int.random(in: 1...12, using: &generator), pieces)
            let joined = (0..<count).compactMap { _ in text.randomElement(using: &generator) }.joined()
            var bytes = Array(joined.utf8)
            if !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            var (answer, events) = (AnswerReader(), EventReader())
            if let body = try? answer.receive(bytes) { _ = try? events.receive(body) }
            _ = try? events.receive(bytes)
        }
    }

    @Test("events change the house; those that make no sense change nothing")
    func apply() {
        var house = TestHouse.house
        func apply(_ name: String, _ data: String) -> Bool {
            house.apply(ServiceEvent(name: name, id: nil, data: data))
        }
        let zone =
            #"{"id":3,"name":"Bath","state":"paused","position":1,"positionTime":2,"rate":1,"length":0,"shuffle":true,"#
            + #""repeatMode":"all","future":{"x":1}}"#
        #expect(apply("zone", zone) && house.zones.map(\.name) == ["Kitchen", "Living Room", "Bath"])
        #expect(!apply("zone", zone))
        #expect(apply("zone", zone.replacing("Bath", with: "Spa")) && house.zones[2].name == "Spa")
        #expect(apply("zoneRemoved", #"{"zone":2}"#) && house.zones.map(\.id) == [1, 3])
        #expect(apply("room", #"{"id":"d","name":"Attic","isPresent":false,"state":"lost","kind":"x"}"#))
        #expect(house.rooms.map(\.name) == ["Attic", "Kitchen", "Liv", "Shelf"])
        #expect(apply("roomRemoved", #"{"room":"d"}"#) && house.rooms.count == 3)
        #expect(apply("depths", #"{"depths":{"a":{"seconds":9,"fraction":0.1},"?":{"seconds":1}}}"#))
        #expect(house.rooms.first { $0.id == "a" }?.depth?.seconds == 9)
        #expect(
            apply("troubles", #"{"troubles":[{"code":"web","message":"No."}]}"#) && house.troubles?.count == 1
        )
        for (name, data) in [
            ("zone", "{"), ("room", "[]"), ("queue", "{}"), ("future", "1"), ("zoneRemoved", "{}"),
        ] {
            #expect(!apply(name, data))
        }
    }

    @Test("a request has one line for each field, and its body's length")
    func request() {
        let request = ServiceRequest(method: "PUT", path: "/a", body: .members(["x": "ü"]))
        let text = String(decoding: request.bytes(host: "h:1", token: "t"), as: UTF8.self)
        #expect(
            text == "PUT /api/v1/a HTTP/1.0\r\nHost: h:1\r\nConnection: close\r\nAuthorization: Bearer t\r\n"
                + "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{\"x\":\"ü\"}")
    }

    @Test("parts of a path are encoded")
    func encoded() { #expect(RemoteService.encoded("a:b/c ü-1%") == "a%3Ab%2Fc%20%C3%BC-1%25") }

    @Test(
        "a host is a name, a name with a port, or the path of a socket",
        arguments: [
            ("attic", .tcp(host: "attic", port: 8321)),
            ("attic.local:80", .tcp(host: "attic.local", port: 80)),
            ("[::1]:81", .tcp(host: "::1", port: 81)), ("::1", .tcp(host: "::1", port: 8321)),
            ("/run/x.sock", .socket("/run/x.sock")),
            ("", nil), ("a b", nil), ("a\r\nX: y", nil), ("attic:0", nil), ("attic:x", nil),
            ("http://attic:80/", .tcp(host: "attic", port: 80)), ("http:///x", nil), ("https://attic", nil),
        ] as [(String, ServiceAddress?)])
    func addresses(text: String, address: ServiceAddress?) { #expect(ServiceAddress(text) == address) }

    @Test("the socket of the user's own service is tried first, then the port of one of this machine")
    func candidates() throws {
        let environment = ["HOME": "/home/none", "TUTTI_WEB_PORT": "8500"]
        #expect(
            try ServiceAddress.candidates(host: nil, config: nil, environment: environment) == [
                .socket("/home/none/.local/state/tutti/house/control.sock"),
                .tcp(host: "127.0.0.1", port: 8500),
            ])
        #expect(
            try ServiceAddress.candidates(host: nil, config: nil, environment: ["TUTTI_HOST": "attic"])
                == [.tcp(host: "attic", port: 8321)])
        #expect(throws: RemoteFailure.self) {
            try ServiceAddress.candidates(host: "a/b", config: nil, environment: [:])
        }
    }

    @Test("the socket of the machine's service is tried where this user sees one, and has named no settings")
    func machineSocket() throws {
        let environment = ["HOME": "/home/none"]
        let settings = try HouseSettings.read(path: nil, environment: environment).settings
        let own = ServiceAddress.socket("/home/none/.local/state/tutti/house/control.sock")
        let here = #filePath
        #expect(ServiceAddress.sockets(of: settings, config: nil, machine: here) == [own, .socket(here)])
        #expect(ServiceAddress.sockets(of: settings, config: "other.toml", machine: here) == [own])
        #expect(ServiceAddress.sockets(of: settings, config: nil, machine: here + ".none") == [own])
    }

    @Test("attempts to connect again become slower, to one every three seconds")
    func pauses() {
        var pause = FollowerPause()
        let pauses = (0..<6).map { _ in pause.next() / .milliseconds(1) }
        #expect(pauses == [200, 400, 800, 1600, 3000, 3000])
    }
}
