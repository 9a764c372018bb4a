import Testing

@testable import TuttiMusicLibrary

@Suite("Words, keys and paths")
struct SearchWordsTests {
    @Test("user text becomes words of letters and digits, each a prefix, and is never syntax")
    func queries() {
        #expect(SearchWords("Love me").query() == "\"Love\"* AND \"me\"*")
        #expect(SearchWords("a").query(column: "title") == "title : (\"a\"*)")
        #expect(
            SearchWords("a\" OR title:b* NEAR(c) -d ^e").words == [
                "a", "OR", "title", "b", "NEAR", "c", "d", "e",
            ])
        for text in ["", "\"", "***", "\0", "()", "- -", "\u{1F600}"] { #expect(SearchWords(text).isEmpty) }
        #expect(SearchWords(String(repeating: "a ", count: 5000)).words.count == 10)
    }

    @Test("short texts match by the beginnings of words, without case and diacritics")
    func matching() {
        #expect(SearchWords("bjo MUS").matches("Music of Björk"))
        #expect(!SearchWords("ork").matches("Björk"))
    }

    @Test("sort keys ignore The, case and diacritics")
    func keys() {
        #expect(SortKey.order("The Beatles") == "beatles" && SortKey.order("Émile") == "emile")
        #expect(SortKey.order("The ") == "the" && SortKey.order("Theo") == "theo")
        #expect(SortKey.identity(" The BEATLES ") == "the beatles")
    }

    @Test("paths lose dots and doubled slashes, and never leave the root")
    func paths() {
        #expect(PathText.standard("/a//b/./../c/") == "/a/c" && PathText.standard("/../..") == "/")
        #expect(PathText.standard("a") == nil && PathText.standard("/a\0b") == nil)
        #expect(PathText.isInside("/a/b", "/a") && !PathText.isInside("/ab", "/a"))
        #expect(PathText.split("/x.y/name") == ("/x.y/name", "") && PathText.split(".hidden").ending.isEmpty)
        #expect(PathText.folder("/a") == "/" && PathText.name("/a/b.mp3") == "b.mp3")
    }

    @Test("a folder inside another one is no library folder of its own")
    func roots() {
        let configuration = LibraryConfiguration(
            databasePath: "/s/library.sqlite", folders: ["/b/c/", "/b", "/a/../a", "relative", "/a"])
        #expect(configuration.roots == ["/a", "/b"])
        #expect(
            configuration.ownPath == "/s/library-own.sqlite"
                && configuration.picturesPath == "/s/library.pictures")
    }

    static let discs: [(String, Int?, String)] = [
        ("/m/Album/CD1", 1, "/m/Album"), ("/m/Album/disc 02", 2, "/m/Album"),
        ("/m/A/Disk-3 (live)", 3, "/m/A"),
        ("/m/CD 101", nil, "/m/CD 101"), ("/m/Discography", nil, "/m/Discography"), ("/m/cd", nil, "/m/cd"),
        ("/m/CD1a", nil, "/m/CD1a"),
    ]

    @Test("a folder that is named like a disc is part of the album above", arguments: discs)
    func discFolders(path: String, number: Int?, album: String) {
        #expect(DiscFolder(path).number == number && DiscFolder(path).album == album)
    }
}
