import AirPlaySender
import Testing

@testable import Playback

@Suite("Volumes of several speakers")
struct SpeakerVolumesTests {
    enum Step: Sendable {
        case all(Double)
        case one(String, Double)
    }

    static let cases: [(String, [Step], [Double?])] = [
        ("nothing is set", [], [nil, nil]),
        ("unknown volumes take the volume for all", [.all(40)], [40, 40]),
        ("the loudest gets the volume for all", [.one("a", 80), .one("b", 40), .all(40)], [40, 20]),
        ("proportions hold upwards", [.one("a", 40), .one("b", 20), .all(100)], [100, 50]),
        ("an unknown volume beside a known one", [.one("a", 80), .all(40)], [40, 40]),
        (
            "silence for all keeps the proportions", [.one("a", 80), .one("b", 40), .all(0), .all(60)],
            [60, 30]
        ),
        ("twice silence", [.one("a", 80), .one("b", 40), .all(0), .all(0), .all(60)], [60, 30]),
        ("a silent speaker stays silent", [.one("a", 80), .one("b", 0), .all(40)], [40, 0]),
        ("one alone changes nothing else", [.all(50), .one("b", 10)], [50, 10]),
        ("beyond the ends", [.one("a", 500), .one("b", -5), .all(200)], [100, 0]),
    ]

    @Test("changes", arguments: cases)
    func changes(name: String, steps: [Step], expected: [Double?]) {
        var volumes = SpeakerVolumes()
        for step in steps {
            switch step {
            case .all(let percent): volumes.setAll(percent, of: ["a", "b"])
            case .one(let name, let percent): volumes.set(percent, of: name)
            }
        }
        #expect(["a", "b"].map(volumes.volume(of:)) == expected, "\(name)")
    }

    @Test("a member begins with its own volume, the one that it had, or the one for all")
    func begins() {
        var volumes = SpeakerVolumes(common: 50)
        var target = SpeakerTarget(name: "a", addresses: [])
        #expect(volumes.begin(target).volume == 50)
        target.volume = 20
        #expect(volumes.begin(target).volume == 20)
        volumes.set(70, of: "a")
        #expect(volumes.begin(target).volume == 70)
        #expect(volumes.loudest(of: ["a", "b"]) == 70)
    }

    @Test("two speakers of one name have volumes of their own")
    func twins() {
        let twins = ["02:00:00:AA:00:01", "02:00:00:AA:00:02"].map { id in
            var target = SpeakerTarget(name: "Kitchen", addresses: [])
            target.id = id
            return target
        }
        var volumes = SpeakerVolumes()
        volumes.set(80, of: twins[0].key)
        volumes.set(40, of: twins[1].key)
        volumes.setAll(40, of: twins.map(\.key))
        let begun = twins.map { volumes.begin($0).volume }
        #expect(begun == [40, 20])
    }
}
