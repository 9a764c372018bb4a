import HomeKitPairing
import Testing
import TuttiCryptography
import TuttiTestSupport

@Suite("Recorded encrypted connections")
struct RecordedFramesTests {
    struct Recording {
        var name: String
        /// Blocks from the sender and blocks from the receiver, in order.
        var sent: [(plaintext: [UInt8], frame: [UInt8])] = []
        var received: [(plaintext: [UInt8], frame: [UInt8])] = []
        var keys: ChannelKeys

        init(_ name: String, sendingKey: String, receivingKey: String) throws {
            self.name = name
            let file = try Vectors.dictionary("airplay/\(name).json")
            func key(_ name: String) throws -> SymmetricKey {
                try SymmetricKey(Vectors.bytes(hex: #require(file[name] as? String)))
            }
            keys = ChannelKeys(sending: try key(sendingKey), receiving: try key(receivingKey))
            for frame in try #require(file["frames"] as? [[String: Any]]) {
                func bytes(_ name: String) throws -> [UInt8] {
                    Vectors.bytes(hex: try #require(frame[name] as? String))
                }
                let block = (plaintext: try bytes("plaintext"), frame: try bytes("frame"))
                let isOut = frame["dir"] as? String == "out"
                let counter = try #require(frame["counter"] as? Int)
                #expect(counter == (isOut ? sent.count : received.count))
                if isOut { sent.append(block) } else { received.append(block) }
            }
            #expect(!sent.isEmpty && !received.isEmpty)
        }
    }

    static func recordings() throws -> [Recording] {
        [
            try Recording(
                "rtsp-encrypted-frames", sendingKey: "control_write_key",
                receivingKey: "control_read_key"),
            try Recording(
                "event-channel-frames", sendingKey: "events_read_key_sender_to_receiver",
                receivingKey: "events_write_key_receiver_to_sender"),
        ]
    }

    @Test("the sender's end seals and opens the recorded frames")
    func controller() throws {
        for recording in try Self.recordings() {
            var channel = SecureChannel(keys: recording.keys)
            for block in recording.sent { #expect(channel.seal(block.plaintext) == block.frame) }
            for block in recording.received { #expect(try channel.open(block.frame) == block.plaintext) }
            #expect(channel.blockCounts.sent == UInt64(recording.sent.count))
            #expect(channel.blockCounts.received == UInt64(recording.received.count))
        }
    }

    @Test("the receiver's end seals and opens the recorded frames")
    func accessory() throws {
        for recording in try Self.recordings() {
            var channel = SecureChannel(keys: recording.keys.reversed)
            for block in recording.received { #expect(channel.seal(block.plaintext) == block.frame) }
            for block in recording.sent { #expect(try channel.open(block.frame) == block.plaintext) }
        }
    }

    @Test("consecutive blocks of one message are opened in one call")
    func longMessage() throws {
        let recording = try #require(Self.recordings().last)
        #expect(recording.received.map(\.plaintext.count) == [1024, 329])
        var channel = SecureChannel(keys: recording.keys.reversed)
        #expect(
            channel.seal(recording.received.flatMap(\.plaintext)) == recording.received.flatMap(\.frame))
    }
}
