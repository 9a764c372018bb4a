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
}
