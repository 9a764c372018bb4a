import Testing

@testable import TuttiDiscovery

@Suite("Names of announced speakers")
struct ServiceNameTests {
    @Test("taken names get a number")
    func numbers() {
        var name = ServiceName("Kitchen", prefixByteCount: 13)
        #expect(name.text == "Kitchen")
        name.next()
        #expect(name.text == "Kitchen #2")
        name.next()
        #expect(name.text == "Kitchen #3")
    }

    @Test("names fit into a label with the longest prefix, in whole characters")
    func length() {
        for text in [
            String(repeating: "a", count: 200), String(repeating: "ü", count: 60),
            String(repeating: "👩‍👩‍👧", count: 9),
        ] {
            var name = ServiceName(text, prefixByteCount: 13)
            for _ in 0..<120 {
                #expect(name.text.utf8.count <= 50)
                #expect(text.hasPrefix(name.text.prefix { $0 != " " }))
                name.next()
            }
        }
        #expect(ServiceName(String(repeating: "ü", count: 60), prefixByteCount: 13).text.count == 25)
    }

    @Test(
        "names are never empty and have no control characters",
        arguments: [("", "Tutti"), ("\n", "Tutti"), ("a\tb\u{7F}", "ab")])
    func odd(text: String, expected: String) {
        #expect(ServiceName(text, prefixByteCount: 0).text == expected)
    }
}
