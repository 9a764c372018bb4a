import AirPlayMessages
import Testing
import TuttiMediaTime

@Suite("SETUP, SETPEERS and their answers")
struct SetupTests {
    @Test("the recorded session SETUP round-trips")
    func session() throws {
        let body = try RecordedBodies.bytes("request: SETUP", 0)
        let request = try SessionSetupRequest(body: body)
        #expect(request.timingProtocol == .ptp)
        #expect(request.timingPeerInfo?.clockIdentity == ClockIdentity(rawValue: 0xF200_AAFF_FE00_00FF))
        #expect(request.timingPeerInfo?.addresses == ["10.77.0.1"])
        #expect(request.timingPeerList == [request.timingPeerInfo])
        #expect(request.groupUUID == "99689B48-0F15-4E55-B0F0-B493D2E9C85F")
        #expect(request.name == "Golden Sender")
        #expect(request.body == body)
    }

    @Test("the recorded session answer is read")
    func sessionResponse() throws {
        let response = try SessionSetupResponse(body: RecordedBodies.bytes("response: SETUP", 0))
        #expect(response.eventPort == 47_915)
        #expect(response.timingPort == nil)
        #expect(response.timingPeerInfo?.id == "10.77.0.11")
        #expect(response.timingPeerInfo?.addresses.count == 3)
        #expect(response.timingPeerInfo?.clockIdentity == nil)
        #expect(try SessionSetupResponse(body: response.body) == response)
    }

    @Test("the recorded stream SETUP is read; ours lacks the latencies")
    func stream() throws {
        let body = try RecordedBodies.bytes("request: SETUP", 1)
        let request = try StreamSetupRequest(body: body)
        #expect(request.kind == .buffered)
        #expect(request.format == .alac44100x16)
        #expect(request.codec == 2)
        #expect(request.framesPerPacket == 352)
        #expect(request.sampleRate == .hz44100)
        #expect(request.key?.bytes.prefix(2) == [0xC2, 0x66])
        #expect(request.latencyMax == 88_200)
        var expected = try #require(
            try PropertyList(parsing: body)["streams"]?.arrayValue?.first?.dictionaryValue)
        expected["latencyMin"] = nil
        expected["latencyMax"] = nil
        #expect(request.propertyList == ["streams": [.dictionary(expected)]])
        var realtime = request
        realtime.kind = .realtime
        #expect(realtime.propertyList["streams"]?.arrayValue?.first?["latencyMax"] == 88_200)
    }

    @Test(
        "our own stream SETUP round-trips",
        arguments: [AudioWireFormat.alac44100x16, .alac48000x24, .aac44100, .aac48000])
    func ownStream(format: AudioWireFormat) throws {
        let key = try #require(AudioKey(Array(repeating: 9, count: 32)))
        let request = StreamSetupRequest(format: format, key: key, streamConnectionID: .max)
        let read = try StreamSetupRequest(body: request.body)
        #expect(read == request)
        #expect(read.format == format)
        #expect(read.streamConnectionID == .max)
    }

    @Test("the recorded stream answer is read")
    func streamResponse() throws {
        let response = try StreamSetupResponse(body: RecordedBodies.bytes("response: SETUP", 1))
        #expect(
            response == StreamSetupResponse(dataPort: 56_253, controlPort: 43_557, audioBufferSize: 8_388_608)
        )
        #expect(try StreamSetupResponse(body: response.body) == response)
    }

    @Test("negative 16-bit ports are read, and so is a missing port")
    func ports() throws {
        func response(_ port: PropertyList) throws -> StreamSetupResponse {
            try StreamSetupResponse(propertyList: ["streams": [["dataPort": port]]])
        }
        #expect(try response(-1).dataPort == 65_535)
        #expect(try response(-32_768).dataPort == 32_768)
        #expect(try response(65_535).dataPort == 65_535)
        #expect(throws: MessageError.missing(key: "dataPort")) { try response(0) }
        #expect(throws: MessageError.outOfRange(key: "dataPort", value: 65_536)) { try response(65_536) }
        #expect(throws: MessageError.outOfRange(key: "dataPort", value: -32_769)) { try response(-32_769) }
        #expect(throws: MessageError.wrongType(key: "dataPort", expected: "integer")) { try response("7000") }
        #expect(throws: MessageError.missing(key: "eventPort")) {
            try SessionSetupResponse(propertyList: [:])
        }
        #expect(throws: MessageError.missing(key: "streams")) {
            try StreamSetupResponse(propertyList: ["streams": []])
        }
        #expect(throws: MessageError.malformedPropertyList(.noSignature)) {
            try StreamSetupResponse(body: [])
        }
    }

    @Test("a key must have 32 bytes, and is never printed")
    func key() throws {
        #expect(throws: MessageError.outOfRange(key: "shk", value: 31)) {
            try StreamSetupRequest(propertyList: [
                "streams": [["type": 103, "shk": .data(Array(repeating: 1, count: 31))]]
            ])
        }
        let key = try #require(AudioKey(Array(repeating: 171, count: 32)))
        let request = StreamSetupRequest(format: .aac44100, key: key, streamConnectionID: 1)
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped] {
            #expect(!text.contains("171"))
            #expect(text.contains("AudioKey"))
        }
    }

    @Test("the recorded SETPEERS round-trips")
    func peers() throws {
        let body = try RecordedBodies.bytes("request: SETPEERS")
        let peers = try PeerList(body: body)
        #expect(peers.addresses == ["10.77.0.11", "10.77.0.1"])
        #expect(peers.body == body)
        #expect(throws: MessageError.wrongType(key: "body", expected: "array")) {
            try PeerList(propertyList: [:])
        }
    }

    @Test("SETPEERSX round-trips")
    func extendedPeers() throws {
        let peer = TimingPeerInfo(
            id: "A", addresses: ["10.0.0.1", "fe80::1%2"], clockIdentity: ClockIdentity(rawValue: .max),
            clockPorts: ["B": 40_000], deviceType: 0, supportsClockPortMatchingOverride: true)
        let list = ExtendedPeerList(peers: [peer])
        #expect(try ExtendedPeerList(body: list.body) == list)
    }

    static let formats: [(AudioWireFormat, UInt64, UInt32)] = [
        (.alac44100x16, 0x40000, 0x1200_0000), (.alac48000x24, 0x20_0000, 0x1500_0000),
        (.aac44100, 0x40_0000, 0x1600_0000),
        (.aac48000, 0x80_0000, 0x1700_0000), (.aac48000x51, 0x80_0000_0000, 0x2700_0000),
        (.aac48000x71, 0x100_0000_0000, 0x2800_0000), (.pcm44100x16, 0x800, 0x0B00_0000),
    ]

    @Test("format masks and format codes match", arguments: formats)
    func masksAndCodes(format: AudioWireFormat, mask: UInt64, code: UInt32) {
        #expect(format.mask.rawValue == mask)
        #expect(format.formatCode == code)
        #expect(AudioWireFormat(mask: AudioFormatSet(rawValue: mask)) == format)
        #expect(AudioWireFormat(formatCode: code) == format)
    }

    @Test("the private code and unknown codes are read")
    func codes() {
        #expect(AudioWireFormat(formatCode: 0xFACE) == .alac44100x16)
        #expect(AudioWireFormat(formatCode: 0) == nil)
        #expect(AudioWireFormat(formatCode: 0x1600_0001) == nil)
        #expect(AudioWireFormat(mask: AudioFormatSet(rawValue: 0xC0_0000)) == nil)
        #expect(AudioWireFormat.alac48000x24.description == "ALAC 48000/24/2")
        #expect(AudioFormatSet(rawValue: 0x8000_0000_0040_0000).names == ["AAC-LC 44100/2", "bit 63"])
    }
}
