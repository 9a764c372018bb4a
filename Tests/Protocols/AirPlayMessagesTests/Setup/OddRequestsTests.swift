import AirPlayMessages
import Testing
import TuttiMediaTime

@Suite("Requests with unusual values")
struct OddRequestsTests {
    private static func stream(_ fields: [String: PropertyList]) throws -> StreamSetupRequest {
        let all: [String: PropertyList] = ["type": 103]
        let stream = PropertyList.dictionary(all.merging(fields) { $1 })
        return try StreamSetupRequest(propertyList: ["streams": [stream, ["type": 96]]])
    }

    @Test("a stream's numbers are read up to their limits")
    func limits() throws {
        let request = try Self.stream([
            "spf": 65_536, "ct": .integer(Int64(Int32.max)), "latencyMin": 0,
            "latencyMax": .integer(Int64(UInt32.max)), "controlPort": -1,
            "streamConnectionID": .integer(.min), "audioFormat": .integer(.min), "seed": -1,
        ])
        #expect(request.kind == .buffered && request.key == nil && request.format == nil)
        #expect(request.framesPerPacket == 65_536 && request.codec == Int64(Int32.max))
        #expect(request.latencyMin == 0 && request.latencyMax == Int64(UInt32.max))
        #expect(request.controlPort == 65_535)
        #expect(request.streamConnectionID == UInt64(1) << 63 && request.seed == .max)
        #expect(request.audioFormat.rawValue == UInt64(1) << 63)
    }

    static let beyond: [(key: String, value: Int64)] = [
        ("spf", 0), ("spf", 65_537), ("ct", -1), ("ct", 1 << 31), ("sr", 0), ("sr", 1_536_001),
        ("latencyMin", -1), ("latencyMax", 1 << 32), ("type", -1), ("type", 65_536), ("controlPort", 65_536),
    ]

    @Test("a number beyond its limit is refused with its key", arguments: beyond)
    func beyondLimits(key: String, value: Int64) {
        #expect(throws: MessageError.outOfRange(key: key, value: value)) {
            try Self.stream([key: .integer(value)])
        }
    }

    @Test("a number of another type is refused, and text of another type is none")
    func types() throws {
        for key in ["type", "spf", "ct", "sr", "latencyMin", "controlPort"] {
            #expect(throws: MessageError.wrongType(key: key, expected: "integer")) {
                try Self.stream([key: "1"])
            }
            #expect(throws: MessageError.wrongType(key: key, expected: "integer")) {
                try Self.stream([key: 1.5])
            }
        }
        let odd = try Self.stream(["audioMode": 1, "clientID": true, "isMedia": "yes", "shk": "key"])
        #expect(odd.audioMode == nil && odd.clientID == nil && odd.isMedia == nil && odd.key == nil)
    }

    @Test("a request for streams needs one, in a list")
    func streams() {
        #expect(throws: MessageError.missing(key: "streams")) { try StreamSetupRequest(propertyList: [:]) }
        #expect(throws: MessageError.missing(key: "streams")) {
            try StreamSetupRequest(propertyList: ["streams": []])
        }
        #expect(throws: MessageError.wrongType(key: "streams", expected: "array")) {
            try StreamSetupRequest(propertyList: ["streams": ["type": 103]])
        }
        #expect(throws: MessageError.wrongType(key: "body", expected: "dictionary")) {
            try StreamSetupRequest(propertyList: ["streams": [103]])
        }
        #expect(throws: MessageError.missing(key: "type")) {
            try StreamSetupRequest(propertyList: ["streams": [[:]]])
        }
    }

    @Test("the end of a session, and of a stream, are told apart by the list of streams")
    func teardown() throws {
        #expect(try Teardown(propertyList: ["streams": []]) == .session)
        #expect(try Teardown(propertyList: ["other": 1]) == .session)
        let real: PropertyList = ["streams": [["type": 103.0, "streamID": 2.0]]]
        #expect(try Teardown(propertyList: real) == .stream(.buffered, streamID: 2))
        let text: PropertyList = ["streams": [["type": 96, "streamID": "x"]]]
        #expect(try Teardown(propertyList: text) == .stream(.realtime, streamID: nil))
        #expect(throws: MessageError.missing(key: "type")) {
            try Teardown(propertyList: ["streams": [["streamID": 1]]])
        }
        #expect(throws: MessageError.outOfRange(key: "type", value: 65_536)) {
            try Teardown(propertyList: ["streams": [["type": 65_536]]])
        }
        #expect(throws: MessageError.wrongType(key: "streams", expected: "array")) {
            try Teardown(propertyList: ["streams": 1])
        }
    }

    @Test("more addresses, peers and streams than any house has are left out")
    func many() throws {
        let texts = (0..<1000).map { PropertyList.string("10.0.\($0 / 250).\($0 % 250)") }
        let mixed: [PropertyList] = [1, .data([1]), ["a"]]
        let addresses = try PeerList(propertyList: .array(mixed + texts)).addresses
        #expect(addresses.count == 256 && addresses.first == "10.0.0.0" && addresses.last == "10.0.1.5")
        let peer: PropertyList = ["ID": "a", "Addresses": .array(texts)]
        let peers = try ExtendedPeerList(propertyList: .array(Array(repeating: peer, count: 300))).peers
        #expect(peers.count == 256 && peers.allSatisfy { $0.addresses.count == 256 })
        let streams = Array(repeating: ["type": 96, "sr": 44_100] as PropertyList, count: 100)
        #expect(try FeedbackResponse(propertyList: ["streams": .array(streams)]).streams.count == 64)
    }

    @Test("a peer of odd values is read as far as it goes")
    func oddPeer() throws {
        let peer = try TimingPeerInfo(propertyList: [
            "ID": 7, "Addresses": "10.0.0.1", "ClockID": "x", "DeviceType": 1.0,
            "ClockPorts": ["a": -1, "b": 70_000, "c": "d"], "SupportsClockPortMatchingOverride": 2,
        ])
        #expect(peer.id.isEmpty && peer.addresses.isEmpty && peer.clockIdentity == nil)
        #expect(peer.clockPorts == ["a": 65_535, "b": 4464])
        #expect(peer.deviceType == 1 && peer.supportsClockPortMatchingOverride == true)
        #expect(throws: MessageError.wrongType(key: "body", expected: "dictionary")) {
            try ExtendedPeerList(propertyList: ["10.0.0.1"])
        }
    }

    @Test("a fraction is rounded to the nearest nanosecond, also into the next second")
    func fractions() {
        #expect(NetworkTimeFields(seconds: 1, fraction: .max).networkTime?.nanoseconds == 2_000_000_000)
        #expect(NetworkTimeFields(seconds: 1, fraction: 1 << 63).networkTime?.nanoseconds == 1_500_000_000)
        // Half a nanosecond is 2⁶⁴ / (2 · 10⁹) and a little more.
        #expect(NetworkTimeFields(seconds: 0, fraction: 9_223_372_036).networkTime?.nanoseconds == 0)
        #expect(NetworkTimeFields(seconds: 0, fraction: 9_223_372_037).networkTime?.nanoseconds == 1)
        #expect(NetworkTimeFields(seconds: 9_223_372_036, fraction: .max).networkTime == nil)
        #expect(NetworkTimeFields(seconds: .min, fraction: 0).networkTime == nil)
        let before = NetworkTimeFields(NetworkTime(nanoseconds: -1))
        #expect(before.seconds == -1 && before.networkTime?.nanoseconds == -1)
    }
}
