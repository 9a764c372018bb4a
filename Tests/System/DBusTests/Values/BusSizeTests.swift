import Testing
import TuttiTestSupport

@testable import TuttiDBus

@Suite("Sizes, names and replies on D-Bus")
struct BusSizeTests {
    /// Sizes by D-Bus's rules of alignment, from the beginning of a message's arguments.
    static let sizes: [(BusValue, Int)] = [
        (.byte(1), 1), (.boolean(true), 4), (.int16(1), 2), (.uint32(1), 4), (.int64(1), 8), (.double(1), 8),
        (.string(""), 5), (.string("abc"), 8), (.string("é"), 7), (.objectPath("/"), 6), (.signature(""), 2),
        (.signature("a{sv}"), 7),
        // An array's elements are aligned, also if there are none.
        (.strings([]), 4), (.array(of: "x", []), 8), (.properties([:]), 8), (.array(of: "(i)", []), 8),
        (.array(of: "as", []), 4), (.array(of: "v", []), 4), (.array(of: "g", [.signature("s")]), 7),
        (.array(of: "y", [.byte(1), .byte(2), .byte(3)]), 7), (.array(of: "q", [.uint16(1)]), 6),
        (.array(of: "d", [.double(1)]), 16), (.strings(["a", "b"]), 18),
        (.array(of: "as", [.strings(["a"]), .strings([])]), 20),
        (.structure([.byte(1), .int64(2)]), 16), (.structure([.byte(1), .string("a")]), 10),
        // A variant has its type before it.
        (.variant(.byte(1)), 4), (.variant(.int32(1)), 8), (.variant(.double(1)), 16),
        (.variant(.string("a")), 10), (.variant(.strings([])), 8), (.variant(.variant(.byte(1))), 7),
        (.properties(["a": .int32(1)]), 24), (.properties(["a": .byte(1), "b": .byte(2)]), 34),
    ]

    @Test("a value has the size that it takes in a message", arguments: sizes)
    func size(value: BusValue, bytes: Int) {
        #expect(value.byteCount == bytes)
    }

    @Test("the place of an argument depends on those before it")
    func arguments() {
        #expect(BusValue.byteCount([]) == 0)
        #expect(BusValue.byteCount([.byte(1), .string("a")]) == 10)
        #expect(BusValue.byteCount([.string("a"), .byte(1)]) == 7)
        #expect(BusValue.byteCount([.byte(1), .byte(1), .double(1)]) == 16)
        #expect(BusValue.byteCount([.byte(1), .properties([:])]) == 8)
    }

    @Test(
        "a path with other than ASCII letters, digits and underscores anywhere is none",
        arguments: [
            "/\u{301}a", "/a/\u{301}b", "/a\u{301}", "/\u{301}", "/a\u{0}", "/a\n", "/\u{FF41}", "///",
            "/a//b",
            "/ ", "\u{301}/a",
        ])
    func noPath(text: String) {
        #expect(!BusName.isObjectPath(text))
    }

    @Test("a path is limited")
    func longPath() {
        #expect(BusName.isObjectPath("/" + String(repeating: "a", count: 4095)))
        #expect(!BusName.isObjectPath("/" + String(repeating: "a", count: 4096)))
    }

    @Test(
        "a part of a path made of any text is one",
        arguments: [
            "", "7", "Küche", "a/b", "\u{301}", "客厅", " ", "\u{0}", "-", String(repeating: "9", count: 99),
        ])
    func part(text: String) {
        let part = BusName.part(text)
        #expect(BusName.isObjectPath("/" + part))
        #expect(part.utf8.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true)
        #expect(part.utf8.count <= 65)
    }

    @Test("different names have different parts where their letters differ")
    func parts() {
        #expect(BusName.part("Küche") == "K__che")
        #expect(BusName.part("a_b") == "a_b")
        #expect(BusName.part("9") == "_9")
    }

    @Test("a call has the types of its arguments")
    func call() {
        let call = BusCall(
            path: "/a", interface: nil, member: "M",
            arguments: [.objectPath("/b"), .int64(1), .strings([]), .structure([.byte(1)])])
        #expect(call.signature == "oxas(y)")
        #expect(BusCall(path: "/a", interface: nil, member: "M").signature.isEmpty)
    }

    @Test("a refusal has D-Bus's name")
    func refusal() {
        let failure = BusFailure(.invalidArguments, "No.")
        #expect(failure.name == "org.freedesktop.DBus.Error.InvalidArgs" && failure.message == "No.")
    }

    @Test("only the first reply of a responder counts, and one that is released refuses")
    func responder() {
        let replies = Recorder<[BusReply]>([])
        var responder: BusResponder? = BusResponder { reply in replies.update { $0.append(reply) } }
        responder?.reply(.values([.byte(1)]))
        responder?.reply(.values([.byte(2)]))
        responder = nil
        #expect(replies.value == [.values([.byte(1)])])
        responder = BusResponder { reply in replies.update { $0.append(reply) } }
        responder = nil
        guard case .failure(let failure)? = replies.value.last else {
            Issue.record("no refusal")
            return
        }
        #expect(replies.value.count == 2 && failure.name == "org.freedesktop.DBus.Error.Failed")
    }

    @Test(
        "a list of addresses keeps those of sockets, in their order",
        arguments: [
            ("unix:path=/a;tcp:host=b;unix:abstract=/c", "unix:path=/a;unix:abstract=/c"),
            (";;unix:path=/a;;", "unix:path=/a"), ("UNIX:path=/a", nil), ("unix", nil), ("", nil),
            (" unix:path=/a", nil), ("unixexec:path=/bin/sh", nil),
        ] as [(String, String?)])
    func addresses(text: String, kept: String?) {
        #expect(BusAddress.address(text).resolved { _ in nil } == kept)
        let session = BusAddress.session.resolved { $0 == "DBUS_SESSION_BUS_ADDRESS" ? text : nil }
        #expect(session == kept)
    }

    @Test("a runtime folder of any name becomes an address in D-Bus's spelling")
    func runtimeFolder() {
        func resolved(_ folder: String) -> String? {
            BusAddress.session.resolved { $0 == "XDG_RUNTIME_DIR" ? folder : "" }
        }
        #expect(resolved("/run/~x%ü") == "unix:path=/run/%7Ex%25%C3%BC/bus")
        #expect(resolved("/a=b,c") == "unix:path=/a%3Db%2Cc/bus")
        #expect(resolved("/A_z.0-9") == "unix:path=/A_z.0-9/bus")
        #expect(resolved("") == nil)
    }
}
