import Testing

@testable import CoreMedia

@Suite("CMTime: kinds, seconds, fields")
struct CMTimeTests {
    static let specials: [(CMTime, String)] = [
        (.invalid, "{INVALID}"), (.indefinite, "{INDEFINITE}"), (.positiveInfinity, "{+INFINITY}"),
        (.negativeInfinity, "{-INFINITY}"), (CMTime(value: 1, timescale: 2), "{1/2 = 0.500}"),
        (CMTime(seconds: 1.0 / 3, preferredTimescale: 1000), "{333/1000 = 0.333, rounded}"),
        (.zero, "{0/1 = 0.000}"),
    ]

    @Test("the description matches Apple's", arguments: specials)
    func words(time: CMTime, text: String) {
        #expect(
            CMTimeCopyDescription(allocator: kCFAllocatorDefault, time: time).map { $0 as String } == text)
    }

    @Test("each kind reports its flags")
    func kinds() {
        let claims: [(CMTime, [Bool])] = [
            (.invalid, [false, false, false, false, false]),
            (.indefinite, [true, false, true, false, false]),
            (.positiveInfinity, [true, false, false, true, false]),
            (.negativeInfinity, [true, false, false, false, true]),
            (.zero, [true, true, false, false, false]),
            (CMTime(value: 5, timescale: 0), [false, false, false, false, false]),
            (CMTime(value: 5, timescale: -3), [false, false, false, false, false]),
        ]
        for (time, expected) in claims {
            let found = [
                time.isValid, time.isNumeric, time.isIndefinite, time.isPositiveInfinity,
                time.isNegativeInfinity,
            ]
            #expect(found == expected)
            #expect(CMTIME_IS_VALID(time) == expected[0])
            #expect(CMTIME_IS_INVALID(time) != expected[0])
            #expect(CMTIME_IS_NUMERIC(time) == expected[1])
            #expect(CMTIME_IS_INDEFINITE(time) == expected[2])
            #expect(CMTIME_IS_POSITIVE_INFINITY(time) == expected[3])
            #expect(CMTIME_IS_NEGATIVE_INFINITY(time) == expected[4])
        }
    }

    @Test("flags without the valid flag mean nothing")
    func flagsOfInvalid() {
        let time = CMTime(value: 1, timescale: 1, flags: [.positiveInfinity, .hasBeenRounded], epoch: 0)
        #expect(!time.isValid && !time.isPositiveInfinity && !time.hasBeenRounded)
        #expect(time == .invalid)
    }

    @Test("a time has 24 bytes, as in C")
    func layout() {
        #expect(MemoryLayout<CMTime>.size == 24 && MemoryLayout<CMTime>.stride == 24)
        #expect(MemoryLayout<CMTime>.offset(of: \.timescale) == 8)
        #expect(MemoryLayout<CMTime>.offset(of: \.flags) == 12)
        #expect(MemoryLayout<CMTime>.offset(of: \.epoch) == 16)
        #expect(CMTimeFlags.impliedValueFlagsMask.rawValue == 0x1C)
        #expect(kCMTimeMaxTimescale == 2_147_483_647)
    }

    @Test("times convert to seconds")
    func toSeconds() {
        #expect(CMTime(value: 3, timescale: 2).seconds == 1.5)
        #expect(CMTimeGetSeconds(CMTime(value: -1, timescale: 4)) == -0.25)
        #expect(CMTimeMakeWithEpoch(value: 3, timescale: 2, epoch: 9).seconds == 1.5)
        #expect(CMTime.positiveInfinity.seconds == .infinity)
        #expect(CMTime.negativeInfinity.seconds == -.infinity)
        #expect(CMTime.invalid.seconds.isNaN && CMTime.indefinite.seconds.isNaN)
    }

    static let secondsCases: [(Double, Int32, Int64, Int32, Bool)] = [
        (0.5, 600, 300, 600, false), (1.0 / 3, 600, 200, 600, false), (0.1, 10, 1, 10, false),
        (0.29, 100, 29, 100, false), (0.001, 600, 1, 600, true), (0.0005, 1000, 1, 1000, true),
        (-0.0005, 1000, -1, 1000, true), (0, 7, 0, 7, false), (1e10, 1_000_000_000, 5 << 61, 0, false),
        (9e18, 1, 9_000_000_000_000_000_000, 1, false), (4e18, 4, 8_000_000_000_000_000_000, 2, false),
    ]

    @Test("times are made from seconds", arguments: secondsCases)
    func fromSeconds(seconds: Double, scale: Int32, value: Int64, newScale: Int32, rounded: Bool) {
        let time = CMTime(seconds: seconds, preferredTimescale: scale)
        if newScale == 0 {
            #expect(time.timescale == 500_000_000 && time.value == 5_000_000_000_000_000_000)
            return
        }
        #expect(time.value == value && time.timescale == newScale && time.hasBeenRounded == rounded)
        #expect(time.epoch == 0 && time.isNumeric)
    }

    @Test("non-numeric and excessive seconds have defined results")
    func fromOddSeconds() {
        #expect(CMTime(seconds: .nan, preferredTimescale: 600) == .invalid)
        #expect(CMTime(seconds: 1, preferredTimescale: 0) == .invalid)
        #expect(CMTime(seconds: 1, preferredTimescale: -5) == .invalid)
        #expect(CMTime(seconds: .infinity, preferredTimescale: 600) == .positiveInfinity)
        #expect(CMTime(seconds: -.infinity, preferredTimescale: 600) == .negativeInfinity)
        #expect(CMTime(seconds: 1e30, preferredTimescale: 600) == .positiveInfinity)
        #expect(CMTimeMakeWithSeconds(-1e30, preferredTimescale: 1) == .negativeInfinity)
    }

    @Test("a time round-trips through a dictionary", arguments: specials.map(\.0))
    func dictionary(time: CMTime) throws {
        let dictionary = try #require(CMTimeCopyAsDictionary(time, allocator: nil))
        let back = CMTimeMakeFromDictionary(dictionary)
        #expect(back == time && back.flags == time.flags && back.value == time.value)
        #expect(back.timescale == time.timescale && back.epoch == time.epoch)
    }

    @Test("a dictionary with a missing or foreign field is an invalid time")
    func oddDictionaries() {
        #expect(CMTimeMakeFromDictionary(nil) == .invalid)
        #expect(CMTimeMakeFromDictionary([:] as CFDictionary) == .invalid)
        let incomplete = ["value": 1, "timescale": 2, "epoch": 0] as CFDictionary
        #expect(CMTimeMakeFromDictionary(incomplete) == .invalid)
        let plain = ["value": 1, "timescale": 2, "epoch": 0, "flags": 1] as CFDictionary
        #expect(CMTimeMakeFromDictionary(plain) == CMTime(value: 1, timescale: 2))
        let foreign = ["value": "x", "timescale": 2, "epoch": 0, "flags": 1] as CFDictionary
        #expect(CMTimeMakeFromDictionary(foreign) == .invalid)
    }
}
