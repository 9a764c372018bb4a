import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiTestSupport

@Suite("SETRATEANCHORTIME")
struct RateAnchorTests {
    @Test("recorded times round-trip")
    func recordedTimes() throws {
        let entries = try #require(try Vectors.json("airplay/anchor-time.json") as? [[String: Any]])
        #expect(entries.count == 4)
        for entry in entries {
            let nanoseconds = try #require(entry["ptp_ns"] as? Int64)
            let signed = try #require(entry["networkTimeFrac_as_signed"] as? Int64)
            let fields = NetworkTimeFields(NetworkTime(nanoseconds: nanoseconds))
            #expect(fields.seconds == entry["networkTimeSecs"] as? Int64)
            #expect(fields.fraction == UInt64(bitPattern: signed))
            #expect(fields.networkTime?.nanoseconds == nanoseconds)
        }
    }

    @Test("every nanosecond round-trips")
    func roundTrip() {
        var random = SeededGenerator(seed: 3)
        let edges: [Int64] = [
            0, 1, 999_999_999, 1_000_000_000, -1, -1_000_000_000, .max, .min + 1_000_000_000,
        ]
        for nanoseconds in edges + (0..<1000).map({ _ in Int64.random(in: 0...(.max), using: &random) }) {
            let time = NetworkTime(nanoseconds: nanoseconds)
            #expect(NetworkTimeFields(time).networkTime == time)
        }
        #expect(NetworkTimeFields(seconds: 1, fraction: .max).networkTime?.nanoseconds == 2_000_000_000)
        #expect(NetworkTimeFields(seconds: .max, fraction: 0).networkTime == nil)
        #expect(NetworkTimeFields(seconds: 9_223_372_036, fraction: .max).networkTime == nil)
    }

    @Test("the recorded play and pause round-trip")
    func recorded() throws {
        let body = try RecordedBodies.bytes("request: SETRATEANCHORTIME", 0)
        let play = try RateAnchor(body: body)
        #expect(play.isPlaying)
        #expect(play.anchor?.rtpTime == RTPTime(rawValue: 3_221_225_472))
        #expect(play.timelineID == ClockIdentity(rawValue: 0xF200_AAFF_FE00_00FF))
        #expect(play.body == body)
        let pauseBody = try RecordedBodies.bytes("request: SETRATEANCHORTIME", 1)
        #expect(try RateAnchor(body: pauseBody) == .pause)
        #expect(RateAnchor.pause.body == pauseBody)
    }

    @Test("every form that peers write is read")
    func forms() throws {
        var fields: [String: PropertyList] = [
            "rate": 1.0, "rtpTime": -1, "networkTimeSecs": 10, "networkTimeFrac": .integer(.min),
            "networkTimeTimelineID": -2,
        ]
        let anchor = try RateAnchor(propertyList: .dictionary(fields))
        #expect(anchor.anchor?.rtpTime.rawValue == .max)
        #expect(anchor.anchor?.networkTime.nanoseconds == 10_500_000_000)
        #expect(anchor.timelineID?.rawValue == UInt64.max - 1)
        for key in ["rtpTime", "networkTimeFrac", "networkTimeTimelineID", "rate"] {
            var partial = fields
            partial[key] = nil
            #expect(throws: MessageError.missing(key: key)) {
                try RateAnchor(propertyList: .dictionary(partial))
            }
        }
        fields["networkTimeSecs"] = .integer(.max)
        #expect(throws: MessageError.outOfRange(key: "networkTimeSecs", value: .max)) {
            try RateAnchor(propertyList: .dictionary(fields))
        }
        fields["networkTimeSecs"] = nil
        #expect(try RateAnchor(propertyList: .dictionary(fields)).anchor == nil)
        #expect(throws: MessageError.wrongType(key: "rate", expected: "integer")) {
            try RateAnchor(propertyList: ["rate": 0.5])
        }
    }

    @Test("the from-the-beginning flag round-trips, and is absent where not set")
    func beginning() throws {
        let anchor = Anchor(rtpTime: RTPTime(rawValue: 7), networkTime: NetworkTime(nanoseconds: 9))
        var message = RateAnchor.play(anchor, on: ClockIdentity(rawValue: 3))
        let plain = message.body
        message.needsBeginning = true
        #expect(message.body != plain)
        #expect(try RateAnchor(body: message.body) == message)
        #expect(try RateAnchor(body: plain).needsBeginning == false)
    }

    @Test("a start's lateness is rounded up, and read within limits")
    func lateness() {
        for (time, text) in [
            (Duration.nanoseconds(1), "1"), (.milliseconds(3), "3001"), (.seconds(2), "2000001"),
        ] {
            #expect(LateStart.headerValue(time) == text)
            #expect(LateStart.lateness(headerValue: text).map { $0 >= time } == true)
        }
        for text in ["", "-1", "x", "60000001", "99999999999999999999"] {
            #expect(LateStart.lateness(headerValue: text) == nil)
        }
    }
}
