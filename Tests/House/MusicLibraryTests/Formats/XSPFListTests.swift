import Testing
import TuttiTestSupport

@testable import TuttiMusicLibrary

@Suite("A playlist in XSPF")
struct XSPFListTests {
    private static let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- a comment with <tags> -->
        <!DOCTYPE playlist [ <!ENTITY x SYSTEM "file:///etc/passwd"> ]>
        <playlist version="1" xmlns="http://xspf.org/ns/0/" note="a > b">
          <title>Mine &amp; yours</title>
          <trackList>
            <track><location>file:///music/a%20b.mp3</location>
                <title>A &lt;b&gt; &#233;&#x21; &x;</title></track>
            <track><title/><location>sub/../c.mp3</location></track>
            <track><location> https://radio.example/live?a=1&amp;b=2 </location></track>
            <track><location>ftp://example/x</location></track>
            <track><title><![CDATA[no <location>]]></title></track>
          </trackList>
        </playlist>
        """

    @Test("locations are resolved, entities of XML and numbers are read, and no others")
    func whole() throws {
        let list = try #require(XSPFList(Self.text, folder: "/lists"))
        #expect(list.title == "Mine & yours")
        #expect(
            list.entries == [
                XSPFList.Entry(location: "/music/a b.mp3", title: "A <b> é! &x;"),
                XSPFList.Entry(location: "/lists/c.mp3"),
                XSPFList.Entry(location: "https://radio.example/live?a=1&b=2"),
            ])
    }

    static let others = [
        "", "text", "<html></html>", "<playlist", "<playlist><trackList></playlist></trackList>",
        "</playlist>",
        "<trackList><track><location>/a</location></track></trackList>",
    ]

    @Test("another document is no playlist", arguments: others)
    func refusals(text: String) { #expect(XSPFList(text, folder: "/") == nil) }

    @Test("a document that is nested too deeply ends there")
    func depth() {
        let text = "<playlist>" + String(repeating: "<a>", count: 100_000)
        #expect(XSPFList(text, folder: "/")?.entries.isEmpty == true)
    }

    @Test("entries beyond the limit are ignored")
    func count() {
        let track = "<track><location>/a</location></track>"
        let text = "<playlist><trackList>" + String(repeating: track, count: 10_500)
        #expect(XSPFList(text, folder: "/")?.entries.count == XSPFList.entryLimit)
    }

    @Test("no cut or changed document is a crash, or makes a location that is neither a path nor an address")
    func junk() {
        let bytes = Array(Self.text.utf8)
        var random = SeededGenerator(seed: 9)
        for length in 0...bytes.count { check(Array(bytes.prefix(length))) }
        for _ in 0..<300 {
            var changed = bytes
            for _ in 0..<8 {
                changed[Int.random(in: changed.indices, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            check(changed)
        }
    }

    private func check(_ bytes: [UInt8]) {
        for entry in XSPFList(PlainText.decode(bytes), folder: "/lists")?.entries ?? [] {
            #expect(entry.location.hasPrefix("/") || PathText.isAddress(entry.location))
        }
    }
}
