import Foundation
import Testing
import TuttiTestSupport

@testable import TuttiMusicLibrary

@Suite("Queries of the library", .timeLimit(.minutes(5)))
struct LibraryQueryTests {
    private static let files = [
        "Björk/Debut/01.flac":
            "title=Human Behaviour\nartist=Björk\nalbum=Debut\ntrack=1\nyear=1993\npicture=1",
        "Björk/Debut/02.flac": "title=Crying\nartist=Björk\nalbum=Debut\ntrack=2\nyear=1993",
        "The Band/Live/CD1/a.mp3": "title=Intro\nartist=The Band\nalbum=Live\ntrack=1",
        "The Band/Live/CD2/a.mp3": "title=Human\nartist=The Band;Björk\nalbum=Live\ntrack=1",
        "Mix/x.mp3": "title=Debutant\nartist=C\nalbum=Mix\ntrack=2",
        "Mix/y.mp3": "title=Behaviour\nartist=D\nalbum=Mix\ntrack=1",
    ]

    private func house() async throws -> LibraryHouse {
        let house = try LibraryHouse(Self.files)
        try await house.scanned()
        return house
    }

    // MARK: Lists

    @Test("albums are grouped by folder, discs and album artist, and sorted without The and diacritics")
    func albums() async throws {
        let house = try await house()
        let all = try await house.library.albums(sort: .artist)
        #expect(all.total == 3 && all.items.map(\.artist) == ["The Band", "Björk", "Various Artists"])
        #expect(all.items.map(\.title) == ["Live", "Debut", "Mix"] && all.items.map(\.tracks) == [2, 2, 2])
        #expect(all.items[1].year == 1993 && all.items[1].picture != nil && all.items[1].duration == 200)
        #expect(try await house.library.albums(start: 1, count: 1).items.map(\.title) == ["Live"])
        let live = try await house.library.album(all.items[0].id)
        #expect(live.tracks.map(\.title) == ["Intro", "Human"] && live.tracks.map(\.disc) == [1, 2])
        let mix = try await house.library.album(all.items[2].id)
        #expect(mix.tracks.map(\.title) == ["Behaviour", "Debutant"])
    }

    @Test("an artist has the own albums, and those with a track")
    func artists() async throws {
        let house = try await house()
        let all = try await house.library.artists()
        #expect(all.items.map(\.name) == ["The Band", "Björk", "C", "D", "Various Artists"])
        #expect(all.items[1].albums == 2 && all.items[1].tracks == 3 && all.items[1].picture != nil)
        let bjork = try await house.library.artist(all.items[1].id)
        #expect(bjork.albums.map(\.title) == ["Debut", "Live"])
        #expect(try await house.library.albums(artist: all.items[1].id, count: 1).total == 2)
        let both = try await house.library.search("human").tracks.first
        #expect(both?.artist == "The Band, Björk")
        let tracks = try await house.library.tracks(of: [.artist(all.items[1].id)])
        #expect(tracks.map(\.title) == ["Human", "Human Behaviour", "Crying"])
    }

    @Test("pages are parts of one order, whatever the numbers", arguments: LibraryTrackSort.allCases)
    func pages(sort: LibraryTrackSort) async throws {
        let house = try await house()
        let all = try await house.library.tracks(sort: sort)
        #expect(all.total == 6 && all.items.count == 6)
        for start in 0..<7 {
            let page = try await house.library.tracks(sort: sort, start: start, count: 2)
            #expect(page.items == Array(all.items.dropFirst(start).prefix(2)) && page.start == start)
        }
        #expect(try await house.library.tracks(sort: sort, start: -5, count: -1).items.isEmpty)
        #expect(try await house.library.tracks(sort: sort, start: .max, count: .max).items.isEmpty)
    }

    @Test("folders show what is directly below")
    func folders() async throws {
        let house = try await house()
        let roots = try await house.library.folder()
        #expect(
            roots.path.isEmpty && roots.folders == [LibraryFolder.Entry(name: "music", path: house.music)])
        let root = try await house.library.folder(house.music)
        #expect(root.parent == nil && root.folders.map(\.name) == ["Björk", "Mix", "The Band"])
        let mix = try await house.library.folder(house.music + "/Mix")
        #expect(mix.parent == house.music && mix.tracks.map(\.title) == ["Debutant", "Behaviour"])
        for path in ["/", "/etc", house.music + "/none", house.music + "/../state", "'"] {
            #expect(await refusal { _ = try await house.library.folder(path) } == .notFound)
        }
    }

    @Test("an id that does not exist is not found")
    func missing() async throws {
        let house = try await house()
        let library = house.library
        for body: @Sendable () async throws -> Void in [
            { _ = try await library.album(99) }, { _ = try await library.artist(-1) },
            { _ = try await library.playlist(.max) }, { _ = try await library.tracks(of: [.track(0)]) },
            { _ = try await library.tracks(of: [.station(5)]) }, { try await library.deletePlaylist(3) },
        ] {
            #expect(await refusal(body) == .notFound)
        }
        #expect(await library.picture("../x") == nil)
    }

    // MARK: Search

    @Test("all words count, as beginnings, in any field; titles come first")
    func search() async throws {
        let house = try await house()
        let human = try await house.library.search("human")
        #expect(human.tracks.map(\.title) == ["Human", "Human Behaviour"])
        let debut = try await house.library.search("DEBUT")
        #expect(debut.tracks.map(\.title) == ["Debutant", "Crying", "Human Behaviour"])
        #expect(debut.albums.map(\.title) == ["Debut"])
        let bjork = try await house.library.search("bjo hum")
        #expect(bjork.tracks.map(\.title) == ["Human", "Human Behaviour"] && bjork.artists.isEmpty)
        #expect(try await house.library.search("bjork").artists.map(\.name) == ["Björk"])
        #expect(try await house.library.search("the band").artists.map(\.name) == ["The Band"])
        #expect(try await house.library.search("human", limit: 1).tracks.count == 1)
    }

    @Test("no text is a syntax error")
    func syntax() async throws {
        let house = try await house()
        var random = SeededGenerator(seed: 3)
        let parts = [
            "\"", "*", "(", ")", "NEAR", "OR", "NOT", ":", "^", "-", "a", " ", "title", "'", ";", "\0", "é",
            "{", "+",
        ]
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                parts[Int.random(in: parts.indices, using: &random)]
            }
            _ = try await house.library.search(text.joined())
        }
        #expect(try await house.library.search("", limit: 5) == SearchResults())
    }

    // MARK: Items

    @Test("items become tracks in their order")
    func items() async throws {
        let house = try await house()
        let live = try #require(try await house.library.search("live").albums.first)
        let crying = try #require(try await house.library.search("crying").tracks.first?.id)
        let station = try await house.library.makeStation(name: "Radio", address: "http://radio.example/x")
        let found = try await house.library.tracks(of: [
            .album(live.id), .track(crying), .station(station), .location("https://a.example/b.mp3"),
            .folder(house.music + "/Mix"), .location(house.music + "/Mix/x.mp3"),
        ])
        #expect(
            found.map(\.title) == [
                "Intro", "Human", "Crying", "Radio", "b.mp3", "Debutant", "Behaviour", "Debutant",
            ])
        #expect(found[3].isLive && found[3].location == "http://radio.example/x" && found[3].libraryID == nil)
        #expect(found[2].libraryID == crying && found[2].duration == 100)
    }

    @Test("a refusal does not repeat a text that may be an address with a password")
    func secrets() async throws {
        let house = try await house()
        let items: [LibraryItem] = [
            .location("me:hunter2@r.example/live?key=hunter2"), .location("ftp://me:hunter2@r.example/"),
            .location("http:///live?key=hunter2"), .folder("http://me:hunter2@r.example/"),
        ]
        for item in items {
            do {
                _ = try await house.library.tracks(of: [item])
                Issue.record("\(item) has tracks")
            } catch {
                #expect(!"\(error)".contains("hunter2"))
            }
        }
    }

    @Test("a path outside of the library's folders is refused, also through links")
    func locations() async throws {
        let house = try await house()
        let secret = try house.folder.add("secret.mp3", [1])
        try FileManager.default.createSymbolicLink(
            atPath: house.music + "/link.mp3", withDestinationPath: secret)
        try house.folder.add("music/unknown.mp3", [1])
        #expect(
            try await house.library.tracks(of: [.location(house.music + "/unknown.mp3")]).map(\.title) == [
                "unknown"
            ])
        for path in [
            secret, house.music + "/link.mp3", house.music + "/../secret.mp3", house.music, "/etc/passwd",
            "x.mp3",
            "file:///etc/passwd", "", "http://",
        ] {
            #expect(await refusal { _ = try await house.library.tracks(of: [.location(path)]) } != nil)
        }
    }
}
