import AirPlayMessages
import Testing

@testable import TuttiDeviceManners

@Suite("Families of stand-ins")
struct FamilyTests {
    @Test("the sender recognises every family by its description", arguments: Family.all)
    func recognised(family: Family) {
        let expected: [String: DeviceFamily] = [
            "sonos": .sonos, "wiim": .linkPlay, "jbl": .linkPlay, "edifier": .edifier, "bose": .bose,
            "samsung": .samsung, "sony": .sony, "apple-tv": .appleTV, "apple-tv-3": .appleTV,
            "homepod": .homePod, "homepod-alone": .homePod, "airport-express": .airPortExpress,
            "denon": .denon, "roku": .roku, "shairport-sync-4": .shairportSync,
        ]
        #expect(DeviceFamily(model: family.model, manufacturer: family.manufacturer) == expected[family.name])
        #expect(family.features.contains(.audio))
    }

    @Test("names are unique, and the unknown family has no manners")
    func names() {
        #expect(Set(Family.all.map(\.name)).count == Family.all.count)
        #expect(Family.unknown.manners.names.isEmpty)
        #expect(Family.named("sonos") == .sonos)
        #expect(Family.named("nobody") == nil)
    }

    @Test(
        "a manner is read with or without its seconds",
        arguments: [
            ("locks-late", 2.0), ("locks-late=0.5", 0.5), ("wrong-cseq", 0), ("wrong-cseq=1", nil),
            ("locks-late=much", nil), ("locks-late=-1", nil), ("polite", nil), ("", nil),
        ] as [(String, Double?)])
    func parsing(text: String, seconds: Double?) {
        var set = MannerSet()
        #expect(set.add(parsing: text) == (seconds != nil))
        let times = Manner.allCases.compactMap { set.time($0) }
        #expect(times == (seconds.map { [.seconds($0)] } ?? []))
    }
}
