import Testing

@testable import TuttiMPRIS

@Suite struct FileAddressTests {
    @Test("a path and its address lead to each other", arguments: ["/a", "/a b/ü%?#.mp3", "/x;y"])
    func roundTrip(_ path: String) {
        #expect(FileAddress.path(of: FileAddress.address(ofPath: path)) == path)
    }

    @Test(
        "addresses of files are read in their spellings",
        arguments: [
            ("file:///a%20b", "/a b"), ("FILE://localhost/a", "/a"), ("file:/a", "/a"),
            ("file://other/a", nil),
            ("file://", nil), ("file:a", nil), ("http://a/b", nil), ("file:///a%0", nil),
            ("file:///a%00b", nil),
            ("file:///%FF", nil), ("file:///a%+1", nil), ("file:///\u{301}a", "/\u{301}a"),
            ("file://localhost/\u{301}a", "/\u{301}a"),
        ])
    func spellings(_ address: String, _ path: String?) {
        #expect(FileAddress.path(of: address) == path)
    }

    @Test("a user's name and password do not leave an address")
    func user() {
        #expect(
            FileAddress.withoutUser("http://me:secret@radio.example:80/a@b") == "http://radio.example:80/a@b")
        #expect(FileAddress.withoutUser("https://radio.example/a@b") == "https://radio.example/a@b")
        #expect(FileAddress.withoutUser("http://me@x@radio.example?q=1") == "http://radio.example?q=1")
        // An at sign and a combining mark after it are one character.
        #expect(FileAddress.withoutUser("http://me:secret@\u{301}a.example") == "http://\u{301}a.example")
    }
}
