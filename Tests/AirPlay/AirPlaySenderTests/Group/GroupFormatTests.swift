import AirPlayMessages
import Testing

@testable import AirPlaySender

@Suite("The format of a group whose speakers all take realtime streams")
struct GroupFormatTests {
    private typealias Member = (SessionChoice.Stream?, SessionChoice.RealtimeFormat?)

    private static func format(of members: [Member]) -> AudioWireFormat? {
        members.enumerated().map { index, member in
            var target = SpeakerTarget(name: "Speaker \(index)", addresses: [])
            target.override.format = member.1
            let made = GroupMember(
                id: MemberID(number: index), target: target, sound: SpeakerSound(of: PacketStore()),
                timing: SenderTiming())
            made.choice = member.0.map { SessionChoice($0, .ntp, "test") }
            return made
        }
        .realtimeFormat
    }

    @Test("the packets have the format that all streams have, else the usual one")
    func formats() {
        let rows: [([Member], AudioWireFormat?)] = [
            ([], nil), ([(nil, nil)], nil), ([(.buffered, .alac48000x24)], nil),
            ([(.realtime, nil)], .alac44100x16), ([(.airPlay1, .alac48000x24)], .alac44100x16),
            ([(.realtime, .alac48000x24)], .alac48000x24), ([(.realtime, .pcm)], .alac44100x16),
            ([(.realtime, .alac48000x24), (nil, nil)], .alac48000x24),
            ([(.realtime, .alac48000x24), (.realtime, .alac48000x24)], .alac48000x24),
            ([(.realtime, .alac48000x24), (.realtime, nil)], .alac44100x16),
            ([(.realtime, .alac44100x24), (.airPlay1, nil)], .alac44100x16),
            ([(.realtime, .alac48000x24), (.buffered, nil)], nil), ([(.realtime, nil), (.local, nil)], nil),
        ]
        for (members, expected) in rows { #expect(Self.format(of: members) == expected, "\(members)") }
    }

    @Test("only a buffered stream makes a group do without ALAC")
    func playsALAC() {
        func members(_ stream: SessionChoice.Stream?, model: String?) -> [GroupMember] {
            let made = GroupMember(
                id: MemberID(number: 1), target: SpeakerTarget(name: "Speaker", addresses: []),
                sound: SpeakerSound(of: PacketStore()), timing: SenderTiming())
            made.choice = stream.map { SessionChoice($0, .ptp, "test") }
            made.receiver = model.map {
                ReceiverDescription(airPlay: AirPlayTXTRecord([(key: "model", value: $0)]))
            }
            return [made]
        }
        #expect(!members(.buffered, model: "Shairport Sync").playsALAC)
        #expect(members(.buffered, model: "ShairportSync").playsALAC)
        #expect(members(.realtime, model: "Shairport Sync").playsALAC)
        #expect(members(nil, model: nil).playsALAC)
    }
}
