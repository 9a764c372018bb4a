import Foundation
import HomeKitPairing
import Synchronization
import Testing
import TuttiCryptography
import TuttiTestSupport

@testable import AirPlaySender

@Suite("The file of pairings with speakers")
struct SpeakerPairingsTests {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("tutti-tests-\(UUID().uuidString)").path
    let reports = Recorder<[String]>([])
    let sender = SenderIdentity(name: "Host", clock: HandshakeRun.clock)

    var path: String { folder + "/pairings.json" }

    func open() -> SpeakerPairings {
        SpeakerPairings(folder: folder) { [reports] message in reports.update { $0.append(message) } }
    }

    func speaker(_ number: UInt8, name: String = "Kitchen", key: UInt8 = 1) throws -> PairedSpeaker {
        let peer = try #require(
            PairedPeer(identifier: [number], key: AccessSpeaker.key(key).verifyingKey))
        return try #require(
            PairedSpeaker(id: "02:00:00:00:00:0\(number)", name: name, accessory: peer))
    }

    private func mode(_ path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    private func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

    @Test("identity and speakers survive, in one file that only the user can read")
    func survives() throws {
        defer { removeFolder() }
        let first = open()
        #expect(first.all.isEmpty && first.identity == nil)
        let identity = try first.identity(createdBy: sender)
        try first.keep(speaker(1), createdBy: sender)
        try first.keep(speaker(2, name: "Bath \"2\""), createdBy: sender)
        let old = try #require(PairedSpeaker(id: "02:00:00:00:00:03", name: "Old TV", accessory: nil))
        try first.keep(old, createdBy: sender)
        #expect(try mode(path) == 0o600 && mode(folder) == 0o700)
        let second = open()
        #expect(try second.all == [speaker(1), speaker(2, name: "Bath \"2\""), old])
        #expect(second.identity?.pairing.identifier == identity.pairing.identifier)
        #expect(second.identity?.pairing.key.bytes == identity.pairing.key.bytes)
        #expect(second.identity?.deviceID == sender.deviceID && second.identity?.dacpID == sender.dacpID)
        #expect(reports.value.isEmpty)
    }

    @Test("pairing again replaces the speaker, and the identity stays")
    func replaces() throws {
        defer { removeFolder() }
        let pairings = open()
        try pairings.keep(speaker(1), createdBy: sender)
        let identity = try #require(pairings.identity)
        try pairings.keep(speaker(2), createdBy: sender)
        try pairings.keep(speaker(1, key: 9), createdBy: SenderIdentity(name: "x", clock: .init(rawValue: 7)))
        #expect(try pairings.all == [speaker(2), speaker(1, key: 9)])
        #expect(pairings.identity?.pairing.identifier == identity.pairing.identifier)
        let credentials = try #require(pairings.credentials(for: "02:00:00:00:00:01"))
        #expect(credentials.speaker.accessory?.key == AccessSpeaker.key(9).verifyingKey)
        #expect(
            pairings.credentials(for: "02:00:00:00:00:03") == nil && pairings.credentials(for: nil) == nil)
    }

    @Test("a forgotten speaker is gone for all programs, unless it has paired anew meanwhile")
    func forgets() throws {
        defer { removeFolder() }
        let (one, other) = (open(), open())
        try one.forget(speaker(1))
        #expect(!FileManager.default.fileExists(atPath: path))
        try one.keep(speaker(1), createdBy: sender)
        try other.keep(speaker(1, key: 9), createdBy: sender)
        try one.forget(speaker(1))
        #expect(try one.all == [speaker(1, key: 9)])
        try one.forget(speaker(1, key: 9))
        #expect(other.credentials(for: "02:00:00:00:00:01") != nil)
        other.refresh()
        #expect(other.credentials(for: "02:00:00:00:00:01") == nil)
    }

    @Test("programs that pair at the same time do not undo each other's pairings")
    func concurrent() async throws {
        defer { removeFolder() }
        await withTaskGroup(of: Void.self) { group in
            for number in UInt8(1)...8 {
                let pairings = open()
                group.addTask {
                    do { try pairings.keep(self.speaker(number), createdBy: self.sender) } catch {
                        Issue.record("\(error)")
                    }
                }
            }
        }
        #expect(Set(open().all.map(\.id)).count == 8)
    }

    @Test("the number of speakers is limited; the oldest goes")
    func limit() throws {
        defer { removeFolder() }
        let pairings = open()
        let peer = try speaker(1).accessory
        for number in 0...PairingsFile.speakerLimit {
            // One character of a million bytes, and all that a JSON text has to escape.
            let name =
                number.isMultiple(of: 2)
                ? "e" + String(repeating: "\u{301}", count: 500_000)
                : String(repeating: "\"\u{1}\\", count: 500)
            let speaker = try #require(PairedSpeaker(id: "id-\(number)", name: name, accessory: peer))
            try pairings.keep(speaker, createdBy: sender)
        }
        #expect(pairings.all.count == PairingsFile.speakerLimit && pairings.all.first?.id == "id-1")
        #expect(reports.value.isEmpty)
    }

    @Test("a speaker without a plain id is not stored", arguments: ["", "a\"b", "ä", "a b", "\u{0}"])
    func ids(id: String) throws {
        #expect(try PairedSpeaker(id: id, name: "x", accessory: speaker(1).accessory) == nil)
        let long = String(repeating: "0", count: 65)
        #expect(try PairedSpeaker(id: long, name: "x", accessory: speaker(1).accessory) == nil)
    }

    @Test("a broken file is set aside with a message that shows no key", arguments: ["{", "", "[1]"])
    func broken(text: String) throws {
        defer { removeFolder() }
        try open().keep(speaker(1), createdBy: sender)
        let before = open()
        before.refresh()
        let secret = try #require(before.identity?.pairing.key.bytes)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let pairings = open()
        #expect(pairings.all.isEmpty)
        try pairings.keep(speaker(2), createdBy: sender)
        #expect(try open().all == [speaker(2)])
        #expect(FileManager.default.fileExists(atPath: path + ".broken"))
        #expect(reports.value.contains { $0.contains("broken") })
        #expect(!reports.value.contains { $0.contains("\(secret)") })
    }

    @Test("a file that others could read is restricted with a message; another user's link is not followed")
    func permissions() throws {
        defer { removeFolder() }
        try open().keep(speaker(1), createdBy: sender)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(open().all.count == 1)
        #expect(try mode(path) == 0o600)
        #expect(reports.value.contains { $0.contains("readable by others") })
        try FileManager.default.moveItem(atPath: path, toPath: path + ".real")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".real")
        #expect(open().all.isEmpty)
        let failure = #expect(throws: SpeakerFailure.self) {
            try open().keep(speaker(2), createdBy: sender)
        }
        #expect(failure?.code == .notStored)
    }

    @Test("the folder follows the XDG variables; without a home the pairings last for one run")
    func places() throws {
        defer { removeFolder() }
        let pairings = SpeakerPairings(environment: ["XDG_DATA_HOME": folder]) { _ in }
        try pairings.keep(speaker(1), createdBy: sender)
        #expect(FileManager.default.fileExists(atPath: folder + "/tutti/pairings.json"))
        let memory = SpeakerPairings(environment: [:]) { _ in }
        try memory.keep(speaker(1), createdBy: sender)
        #expect(memory.all.count == 1)
    }

    @Test("printing identity, credentials and pairings shows no key")
    func redacted() throws {
        let pairings = SpeakerPairings()
        let identity = try pairings.identity(createdBy: sender)
        let credentials = SpeakerAccess.Credentials(identity: identity.pairing, speaker: try speaker(1))
        var sender = sender
        sender.usePairings(pairings)
        for value: Any in [identity, credentials, sender] {
            var text = "\(value)"
            dump(value, to: &text)
            #expect(!text.contains(identity.pairing.key.bytes.map { "\($0)" }.joined(separator: ", ")))
        }
    }
}
