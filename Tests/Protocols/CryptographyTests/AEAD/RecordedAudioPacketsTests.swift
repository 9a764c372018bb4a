import Testing
import TuttiCryptography
import TuttiTestSupport

@Suite("Recorded audio packets")
struct RecordedAudioPacketsTests {
    struct Packet {
        let key: SymmetricKey
        let nonce: ChaChaPolyNonce
        let clear: [UInt8]
        let plaintext: [UInt8]
        let header: [UInt8]
        let onWire: [UInt8]

        init(_ fields: [String: Any]) throws {
            func bytes(_ name: String) throws -> [UInt8] {
                [UInt8](hex: try #require(fields[name] as? String))
            }
            key = try SymmetricKey(bytes("shk"))
            nonce = try ChaChaPolyNonce(trailing: bytes("nonce8_LE_counter")[...])
            clear = try bytes("aad")
            plaintext = try bytes("plaintext_alac")
            header = try bytes("header12")
            onWire = try bytes("on_wire")
            #expect(try nonce.bytes == bytes("nonce12"))
        }
    }

    static func packets() throws -> [Packet] {
        let file = try Vectors.dictionary("airplay/rtp-packets.json")
        return try #require(file["packets"] as? [[String: Any]]).map(Packet.init)
    }

    @Test("recorded packets are sealed byte for byte")
    func seal() throws {
        let packets = try Self.packets()
        #expect(packets.count == 3)
        for packet in packets {
            let sealed = try ChaChaPoly.seal(
                packet.plaintext, key: packet.key, nonce: packet.nonce, authenticating: packet.clear)
            #expect(
                Array(packet.onWire.dropFirst(2)) == packet.header + sealed + packet.nonce.trailingBytes)
        }
    }

    @Test("recorded packets open to their audio")
    func open() throws {
        for packet in try Self.packets() {
            let sealed = Array(packet.onWire.dropFirst(14).dropLast(8))
            #expect(
                try ChaChaPoly.open(
                    sealed, key: packet.key, nonce: packet.nonce, authenticating: packet.clear)
                    == packet.plaintext)
        }
    }
}
