import Foundation
import HomeKitPairing
import Testing
import TuttiCryptography
import TuttiSystemIO

@testable import AirPlayReceiver

@Suite("Speaker files")
struct SpeakerStoreTests {
    let folder: TemporaryFolder
    let reports = Reports()

    init() throws { folder = try TemporaryFolder() }

    var place: String { folder.path + "/speakers" }

    func open(_ name: String = "Kitchen", instance: String? = nil) -> SpeakerStore {
        SpeakerStore(name: name, instance: instance, folder: place, machine: SystemMachine()) { [reports] in
            reports.add($0)
        }
    }

    static func peer(_ number: Int) throws -> PairedPeer {
        let key = try Ed25519SigningKey([UInt8](repeating: UInt8(number), count: 32))
        return try #require(PairedPeer(identifier: Array("controller \(number)".utf8), key: key.verifyingKey))
    }

    @Test("an identity persists across runs, readable only by its user")
    func kept() throws {
        let first: SpeakerIdentity
        do {
            let store = open()
            first = store.identity
            #expect(store.isKept)
        }
        let again = open()
        #expect(again.identity == first)
        #expect(reports.all.isEmpty)
        #expect(try folder.names("speakers") == ["Kitchen.json", "Kitchen.lock"])
        #expect(try folder.mode("speakers") == 0o700)
        #expect(try folder.mode("speakers/Kitchen.json") == 0o600)
    }

    @Test("an identity has a random hardware address, UUIDs and a key")
    func form() throws {
        let one = SpeakerIdentity(machine: SystemMachine())
        let other = SpeakerIdentity(machine: SystemMachine())
        #expect(one != other && one.deviceID != other.deviceID && one.publicID != other.publicID)
        let first = try #require(UInt8(one.deviceID.prefix(2), radix: 16))
        #expect(first & 0x03 == 0x02)
        #expect(one.deviceID.wholeMatch(of: /[0-9a-f]{2}(:[0-9a-f]{2}){5}/) != nil)
        #expect(UUID(uuidString: one.publicID) != nil && UUID(uuidString: one.publicSystemID) != nil)
        #expect(one.publicKey.count == 32)
        #expect(one.pairing.identifier == Array(one.publicID.utf8))
        for text in ["\(one)", String(reflecting: one)] {
            #expect(!text.contains(Hex.text(one.key.bytes)) && !text.contains("\(one.key.bytes)"))
        }
        var dumped = ""
        dump(one, to: &dumped)
        #expect(!dumped.contains("key"))
    }

    @Test("two running speakers of one name are two speakers, each stable across runs")
    func sameName() throws {
        var first: SpeakerStore? = open()
        var second: SpeakerStore? = open()
        let third = open("Bath")
        let identities = try #require([first?.identity, second?.identity] as? [SpeakerIdentity])
        #expect(identities[0] != identities[1])
        #expect(third.identity != identities[0])
        (first, second) = (nil, nil)
        first = open()
        second = open()
        #expect([first?.identity, second?.identity] == identities)
        #expect(try folder.names("speakers").contains("Kitchen@2.json"))
    }

    @Test("an instance keeps its identity whatever the start order")
    func instances() throws {
        let one = open(instance: "127.0.0.2").identity
        let other = open(instance: "127.0.0.3").identity
        #expect(one != other)
        #expect(open(instance: "127.0.0.3").identity == other)
        let running = open(instance: "127.0.0.2")
        #expect(running.identity == one)
        let clash = open(instance: "127.0.0.2")
        #expect(!clash.isKept && clash.identity != one)
        #expect(reports.all.count == 1)
    }

    @Test("a corrupt file is set aside with a warning", arguments: ["", "{", "{}", "[1]", "\u{0}"])
    func broken(text: String) throws {
        let first = open().identity
        try folder.write(text, "speakers/Kitchen.json")
        try folder.setMode(0o600, "speakers/Kitchen.json")
        let second = open().identity
        #expect(first != second)
        #expect(reports.all.count == 1 && reports.all[0].contains("Kitchen.json.broken"))
        #expect(try folder.text("speakers/Kitchen.json.broken") == text)
        #expect(open().identity == second)
        #expect(reports.all.count == 1)
    }

    @Test(
        "an identity with an invalid field is corrupt",
        arguments: [
            ("deviceID", "02:00:00:00:00"), ("deviceID", "02:00:00:00:00:+1"), ("publicID", "x"),
            ("publicSystemID", ""), ("privateKey", "00"), ("privateKey", String(repeating: "g", count: 64)),
        ])
    func wrongPart(key: String, value: String) throws {
        let first = open().identity
        let data = Data(try folder.text("speakers/Kitchen.json").utf8)
        var object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        object[key] = value
        let changed = try JSONSerialization.data(withJSONObject: object)
        try folder.write(String(decoding: changed, as: UTF8.self), "speakers/Kitchen.json")
        #expect(open().identity != first)
        #expect(reports.all.contains { $0.contains("broken") })
    }

    @Test("every truncation of a file is corrupt or equivalent")
    func cut() throws {
        let first = open().identity
        let text = try folder.text("speakers/Kitchen.json")
        for count in stride(from: 0, to: text.utf8.count - 2, by: 7) {
            try folder.write(String(text.prefix(count)), "speakers/Kitchen.json")
            #expect(open().identity != first)
        }
    }

    @Test("permissions that let others read are tightened with a warning")
    func tightened() throws {
        let first = open().identity
        try folder.setMode(0o644, "speakers/Kitchen.json")
        try folder.setMode(0o755, "speakers")
        #expect(open().identity == first)
        #expect(reports.all.count == 2)
        #expect(try folder.mode("speakers") == 0o700)
        #expect(try folder.mode("speakers/Kitchen.json") == 0o600)
        for line in reports.all { #expect(!line.contains(Hex.text(first.key.bytes))) }
    }

    @Test("a link, a folder and a giant in place of the file are left alone")
    func strange() throws {
        let first = open().identity
        let file = place + "/Kitchen.json"
        try FileManager.default.moveItem(atPath: file, toPath: folder.path + "/elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: file, withDestinationPath: folder.path + "/elsewhere")
        #expect(!open().isKept)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        #expect(!open().isKept)
        try FileManager.default.removeItem(atPath: file)
        try folder.write(String(repeating: " ", count: 100_000), "speakers/Kitchen.json")
        #expect(!open().isKept)
        #expect(reports.all.count == 3)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: folder.path + "/elsewhere", toPath: file)
        #expect(open().identity == first)
    }

    @Test("without a writable folder the identity is temporary, with a warning")
    func nowhere() throws {
        let noHome = SpeakerStore(name: "Kitchen", environment: [:], machine: SystemMachine()) { [reports] in
            reports.add($0)
        }
        #expect(!noHome.isKept && noHome.controllers.all.isEmpty)
        #expect(reports.all.count == 1)
        try folder.write("", "file")
        let under = SpeakerStore(
            name: "Kitchen", folder: folder.path + "/file/speakers", machine: SystemMachine()
        ) { [reports] in
            reports.add($0)
        }
        #expect(!under.isKept)
        #expect(reports.all.count == 2)
        #expect(noHome.identity != under.identity)
        try noHome.controllers.add(Self.peer(1))
        #expect(noHome.controllers.all.count == 1)
    }

    @Test("the default folder follows the standard")
    func usualFolder() {
        #expect(PrivateFolder.ofSpeakers(environment: [:]) == nil)
        #expect(
            PrivateFolder.ofSpeakers(environment: ["HOME": "/home/a"])?.path
                == "/home/a/.local/state/tutti/speakers")
        #expect(
            PrivateFolder.ofSpeakers(environment: ["HOME": "/home/a", "XDG_STATE_HOME": "/s"])?.path
                == "/s/tutti/speakers")
        #expect(
            PrivateFolder.ofSpeakers(environment: ["HOME": "/home/a", "XDG_STATE_HOME": "s"])?.path
                == "/home/a/.local/state/tutti/speakers")
    }

    static let names: [(String, String?, String)] = [
        ("Kitchen", nil, "Kitchen"), ("Kitchen", "2", "Kitchen@2"), ("Kitchen@2", nil, "Kitchen%402"),
        ("Living Room", nil, "Living%20Room"), ("../../etc/passwd", nil, "%2E.%2F..%2Fetc%2Fpasswd"),
        (".", nil, "%2E"), ("", nil, "%"), ("Küche", nil, "K%C3%BCche"), ("100%", nil, "100%25"),
    ]

    @Test("every speaker name has a distinct file name", arguments: names)
    func fileName(name: String, instance: String?, file: String) {
        #expect(PrivateFolder.fileName(of: name, instance: instance) == file)
    }

    @Test("long names stay distinct and short enough")
    func longNames() {
        let long = String(repeating: "ü", count: 300)
        let one = PrivateFolder.fileName(of: long + "a", instance: nil)
        let other = PrivateFolder.fileName(of: long + "b", instance: nil)
        #expect(one != other)
        #expect(one.utf8.count <= 160)
        #expect(one == PrivateFolder.fileName(of: long + "a", instance: nil))
    }

    @Test("controllers are stored, replaced, forgotten and limited")
    func controllers() throws {
        let peers = try (1...PairedControllers.limit + 1).map(Self.peer)
        do {
            let store = open()
            for peer in peers.dropLast() { try store.controllers.add(peer) }
            #expect(throws: PairingError.tooManyPeers) {
                try store.controllers.add(peers[PairedControllers.limit])
            }
            try store.controllers.add(peers[0])
            #expect(store.controllers.all.count == PairedControllers.limit)
        }
        #expect(try folder.mode("speakers/Kitchen.controllers.json") == 0o600)
        do {
            let store = open()
            #expect(store.controllers.all == Array(peers.dropLast()))
            #expect(store.controllers[peers[3].identifier] == peers[3])
            #expect(store.controllers[Array("nobody".utf8)] == nil)
            #expect(store.controllers.remove(peers[3].identifier))
            #expect(!store.controllers.remove(peers[3].identifier))
            let renewed = try #require(PairedPeer(identifier: peers[0].identifier, key: peers[9].key))
            try store.controllers.add(renewed)
        }
        let store = open()
        #expect(store.controllers.all.count == PairedControllers.limit - 1)
        #expect(store.controllers[peers[0].identifier]?.key == peers[9].key)
        #expect(reports.all.isEmpty)
    }

    @Test("corrupt controllers are set aside; the identity stays")
    func brokenControllers() throws {
        let first = open().identity
        try folder.write(
            "{\"version\":1,\"controllers\":[{\"identifier\":\"41\",\"publicKey\":\"00\"}]}",
            "speakers/Kitchen.controllers.json")
        let store = open()
        #expect(store.identity == first && store.controllers.all.isEmpty)
        #expect(reports.all.contains { $0.contains("Kitchen.controllers.json.broken") })
    }

    @Test("controllers of a lost identity do not carry over to the next one")
    func lostIdentity() throws {
        try open().controllers.add(Self.peer(1))
        try folder.write("", "speakers/Kitchen.json")
        _ = open()
        #expect(open().controllers.all.isEmpty)
    }
}
