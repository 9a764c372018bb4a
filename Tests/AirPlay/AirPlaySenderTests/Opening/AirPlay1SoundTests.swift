import AirPlayMessages
import Testing

@testable import AirPlaySender

@Suite("The form of the sound for an AirPlay 1 speaker")
struct AirPlay1SoundTests {
    private typealias Row = (
        types: String?, codecs: String?, encryption: AirPlay1Sound.Encryption, format: AudioWireFormat
    )

    private static func record(_ types: String?, _ codecs: String?) -> RAOPTXTRecord {
        RAOPTXTRecord(
            [("et", types), ("cn", codecs)].compactMap { key, value in value.map { (key: key, value: $0) } })
    }

    @Test("a speaker gets the plainest sound that it announces: in the clear before RSA, ALAC before PCM")
    func choice() throws {
        let rows: [Row] = [
            (nil, nil, .none, .alac44100x16), ("", "", .none, .alac44100x16),
            ("0,1", "0,1", .none, .alac44100x16), ("0,4", "0,1,2,3", .none, .alac44100x16),
            ("0,3,5", "1", .none, .alac44100x16), ("1", "0,1", .rsa, .alac44100x16),
            ("1,3", "1", .rsa, .alac44100x16), ("1,4", "0", .rsa, .pcm44100x16),
            ("0", "0", .none, .pcm44100x16), ("0", "0,2,3", .none, .pcm44100x16),
        ]
        for row in rows {
            let sound = try AirPlay1Sound(Self.record(row.types, row.codecs))
            #expect(sound.encryption == row.encryption && sound.format == row.format, "\(row)")
        }
        #expect(try AirPlay1Sound(nil).format == .alac44100x16)
    }

    @Test("the user's choice of ALAC or PCM counts, and one of AirPlay 2 does not")
    func chosen() throws {
        let rows: [(String?, SessionChoice.RealtimeFormat, AudioWireFormat)] = [
            ("0,1", .pcm, .pcm44100x16), (nil, .pcm, .pcm44100x16), ("0", .alac44100x16, .alac44100x16),
            ("2,3", .alac44100x16, .alac44100x16), ("0,1", .alac48000x24, .alac44100x16),
            ("0", .alac44100x24, .pcm44100x16),
        ]
        for (codecs, choice, format) in rows {
            #expect(try AirPlay1Sound(Self.record("0", codecs), choice).format == format, "\(choice)")
        }
    }

    @Test("a speaker that takes only Apple's encryptions or codecs is refused with their names")
    func refused() {
        let refusals = HandshakeRefusals(SpeakerTarget(name: "Kitchen", addresses: []))
        let rows: [(String, String, AirPlay1Sound.Obstacle, String)] = [
            ("3,5", "1", .encryption([3, 5]), "FairPlay or FairPlay SAP 2.5"),
            ("4", "1", .encryption([4]), "MFi-SAP"), ("9", "0,1", .encryption([9]), "encryption 9"),
            ("0", "2,3", .codecs([2, 3]), "2, 3"),
        ]
        for (types, codecs, obstacle, words) in rows {
            #expect(throws: obstacle) { try AirPlay1Sound(Self.record(types, codecs)) }
            let failure = refusals.airPlay1(obstacle)
            #expect(failure.code == .unsupported && failure.message.contains("Kitchen"))
            #expect(failure.message.contains(words), "\(failure.message)")
        }
    }
}
