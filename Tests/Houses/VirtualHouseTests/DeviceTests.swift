import Foundation
import Testing
import TuttiDeviceManners
import TuttiHouseSimulation

/// Speakers of ours that stand in for other makers' devices. Some also play in real time: cases `standins` of Interop.
@Suite("Houses with other makers' devices")
struct DeviceTests {
    typealias Step = HouseScript.Step

    /// A device, and what its sender makes of it.
    struct Device: Sendable, CustomTestStringConvertible {
        var room: VirtualHouse.Room
        /// The beginning of the sender's choice.
        var choice: String
        /// The manners that the sender meets, and copes with.
        var met: Set<Manner> = []
        /// The manners that it never meets.
        var unmet: Set<Manner> = []
        /// Whether the first anchors are refused, so that the device comes onto the others' line.
        var comesLate = false

        var testDescription: String { "\(room.manners?.description ?? "ours"), \(room.kind)" }
    }

    private static func room(_ kind: RoomKind, _ words: String, as model: String? = nil) -> VirtualHouse.Room
    {
        var manners = RoomManners(words: words)
        manners.model = model
        return VirtualHouse.Room(kind: kind, manners: manners)
    }

    private static let ours = VirtualHouse.Room()

    static let devices: [Device] = [
        Device(
            room: room(.buffered, "sonos"), choice: "buffered, PTP: it announces",
            met: [.locksLate, .readsInBursts], unmet: [.wantsMetadata, .forgetsEarlyVolume, .withholdsRecord]),
        Device(
            room: room(.realtime, "sonos"), choice: "realtime, PTP: set",
            unmet: [.wantsMetadata, .forgetsEarlyVolume, .withholdsRecord]),
        Device(
            room: room(.buffered, "wiim"), choice: "buffered, PTP: it announces",
            met: [.locksLate, .readsInBursts]),
        Device(
            room: room(.buffered, "jbl"), choice: "buffered, PTP: it announces", met: [.refusesFirstAnchors],
            comesLate: true),
        Device(
            room: room(.realtime, "edifier"), choice: "realtime, PTP: set", unmet: [.wantsQueue]),
        Device(
            room: room(.buffered, "samsung"), choice: "buffered, PTP: it announces",
            unmet: [.wantsRecordFirst, .refusesNTP]),
        Device(
            room: room(.realtimeNTP, "sony"), choice: "realtime, NTP: BRAVIA 4K is not known",
            unmet: [.neverProbes]),
        Device(
            room: room(.realtime, "homepod"), choice: "realtime, PTP: AudioAccessory5,1 is not known",
            met: [.refusesEarlyVolume], unmet: [.mustNotBeFlushed, .neverStartsBuffered, .wantsUserAgent]),
        Device(
            room: room(.realtime, "homepod-alone"), choice: "realtime, the speaker's clock",
            met: [.keepsItsClock, .refusesEarlyVolume], unmet: [.mustNotBeFlushed, .neverStartsBuffered]),
        Device(
            room: room(.realtime, "shairport-sync-4"),
            choice: "realtime, PTP: its buffered stream plays AAC only", met: [.mutesBeginnings],
            unmet: [.silentAtBufferedALAC, .refusesNTP]),
        Device(room: room(.airPlay1, "denon"), choice: "AirPlay 1, NTP: it announces no AirPlay 2"),
        Device(room: room(.buffered, "bose"), choice: "buffered, PTP: it announces"),
        Device(room: room(.buffered, "roku"), choice: "buffered, PTP: it announces"),
        Device(room: room(.buffered, "airport-express"), choice: "buffered, PTP: it announces"),
        Device(
            room: room(.buffered, "negative-ports wrong-cseq"), choice: "buffered, PTP: it announces",
            met: [.negativePorts, .wrongCSeq]),
    ]

    @Test(
        "a device plays from the place of each command, in step with a speaker of ours", arguments: devices)
    func commands(device: Device) async throws {
        let record = try await FixedScript.live(
            [device.room, Self.ours],
            [
                Step(.play, at: 0), Step(.seek(25), at: 4), Step(.pause, at: 7.5), Step(.play, at: 8.5),
                Step(.leave(0), at: 12), Step(.join(0), at: 13),
            ])
        #expect(record.outcome.complaints == [])
        #expect(record.log.contains { $0.contains("chosen(speaker: Kitchen, \(device.choice)") })
        let met = Set(record.rooms[0].met.keys)
        #expect(met.isSuperset(of: device.met) && met.isDisjoint(with: device.unmet))
        let (kitchen, study) = (
            FixedScript.pieces(record.rooms[0]), FixedScript.pieces(record.rooms[1])
        )
        // The other room does not suffer.
        try #require(kitchen.count == 4 && study.count == 3)
        for (place, index) in [(0.0, 0), (25, 1), (FixedScript.seconds(study[1].last.frame), 2)] {
            #expect(abs(FixedScript.seconds(study[index].first.frame) - place) < 0.03)
            let begin = FixedScript.seconds(kitchen[index].first.frame)
            let isLate = device.comesLate && index == 0
            #expect(isLate ? (0.5..<1.5).contains(begin) : abs(begin - place) < 0.05)
        }
    }

    @Test(
        "a device that must not be flushed plays what it has before it begins at the place of the last seek")
    func mustNotBeFlushed() async throws {
        let record = try await FixedScript.live(
            [Self.room(.realtime, "homepod-alone"), Self.ours],
            [Step(.play, at: 0), Step(.seek(25), at: 4), Step(.seek(10), at: 4.065)])
        #expect(record.outcome.complaints == [])
        let (kitchen, study) = (FixedScript.pieces(record.rooms[0]), FixedScript.pieces(record.rooms[1]))
        try #require(kitchen.count == 2 && study.count == 2)
        #expect(kitchen[0].last.time - study[0].last.time > 400_000_000)
        #expect(abs(FixedScript.seconds(kitchen[1].first.frame) - 10) < 0.05)
    }

    @Test(
        "the sender's retry plans the start anew if the first anchors of a device that plays alone are refused",
        arguments: [("jbl", Manner.refusesFirstAnchors), ("sonos locks-late=3", .locksLate)])
    func refusesFirstAnchors(words: String, manner: Manner) async throws {
        let record = try await FixedScript.live([Self.room(.buffered, words)], [Step(.play, at: 0)])
        #expect(record.outcome.complaints == [])
        #expect(record.rooms[0].met[manner, default: 0] >= 2)
        let pieces = FixedScript.pieces(record.rooms[0])
        #expect(pieces.count == 1 && pieces.allSatisfy { $0.first.frame < 100 })
    }

    @Test("a session without feedback would end: its device keeps it")
    func feedback() async throws {
        let record = try await FixedScript.live(
            [Self.room(.buffered, "drops-without-feedback=5")], [Step(.play, at: 0)])
        #expect(record.outcome.complaints == [])
        #expect(record.rooms[0].met.isEmpty && FixedScript.pieces(record.rooms[0]).count == 1)
    }

    // MARK: Clocks

    @Test(
        "a device of no known family that is silent on our clock gets another, and plays along it to the end",
        arguments: [
            (
                RoomKind.realtimeNTP, "never-probes",
                "realtime, NTP: buffered sound needs PTP; it never asked for our clock"
            ),
            (
                .realtime, "keeps-its-clock",
                "realtime, the speaker's clock: buffered sound needs our clock; it announces its own clock"
            ),
        ])
    func otherClock(kind: RoomKind, words: String, choice: String) async throws {
        let record = try await FixedScript.live(
            [Self.room(kind, words)], [Step(.play, at: 0), Step(.seek(25), at: 12)])
        #expect(record.outcome.complaints == [])
        let choices = record.log.filter { $0.contains("chosen(speaker: Kitchen") }
        #expect(choices.count == 2 && choices.first?.contains("Kitchen, buffered, PTP") == true)
        #expect(choices.last?.contains("Kitchen, \(choice)") == true)
        let pieces = FixedScript.pieces(record.rooms[0])
        #expect(pieces.count == 2)
        #expect(FixedScript.seconds(try #require(pieces.first).first.frame) < 8)
        #expect(abs(FixedScript.seconds(try #require(pieces.last).first.frame) - 25) < 0.009)
    }

    @Test("a device that follows no clock and takes no NTP is tried with NTP once, and told of")
    func noClock() async throws {
        let record = try await FixedScript.live(
            [Self.room(.buffered, "never-probes refuses-ntp")], [Step(.play, at: 0), Step(.play, at: 12)])
        func count(_ words: String) -> Int { record.log.count(where: { $0.contains(words) }) }
        #expect(count("Tutti now tries NTP") == 1 && count("never asked for our clock in") == 1)
        let choices = record.log.filter { $0.contains("chosen(speaker: Kitchen") }
        #expect(choices.count == 3 && choices.last?.contains("Kitchen, buffered, PTP") == true)
        #expect(record.rooms[0].runs == [])
    }

    // MARK: Groups

    private static let groups: [[VirtualHouse.Room]] = [
        [room(.buffered, "sonos"), room(.buffered, "jbl"), room(.buffered, "samsung"), ours],
        [
            room(.realtimeNTP, "sony"), room(.realtime, "homepod"), room(.realtime, "edifier"),
            room(.airPlay1, "denon"), ours,
        ],
        [room(.realtime, "homepod-alone"), room(.buffered, "sonos"), ours],
    ]

    @Test("devices of several makers play in one group with a speaker of ours", arguments: groups.indices)
    func group(index: Int) async throws {
        let record = try await FixedScript.live(
            Self.groups[index], [Step(.play, at: 0), Step(.seek(25), at: 5)])
        #expect(record.outcome.complaints == [])
        for (room, heard) in zip(Self.groups[index], record.rooms) {
            // A JBL refuses its first anchors, and so comes onto the others' line late.
            try expectStartAndSeek(heard, startsBefore: room.manners?.words == ["jbl"] ? 1.5 : 0.05)
        }
    }

    /// Expects a room to have played from the beginning of the song, and after a seek from 25 s on.
    private func expectStartAndSeek(
        _ room: HousePlan.Record.Room, startsBefore limit: Double = 0.05
    ) throws {
        let pieces = FixedScript.pieces(room)
        try #require(pieces.count == 2, "\(room.name)")
        #expect(FixedScript.seconds(pieces[0].first.frame) < limit, "\(room.name)")
        #expect(abs(FixedScript.seconds(pieces[1].first.frame) - 25) < 0.009, "\(room.name)")
    }

    @Test("others do not suffer from a device that answers everything and stays silent")
    func silentOne() async throws {
        let record = try await FixedScript.live(
            [
                Self.room(.buffered, "stays-silent"), Self.room(.buffered, "negative-ports wrong-cseq"),
                Self.room(.buffered, "reads-in-bursts"), Self.ours,
            ], [Step(.play, at: 0), Step(.seek(25), at: 5)])
        #expect(record.outcome.complaints.allSatisfy { $0.contains("Kitchen") })
        #expect(record.rooms[0].runs == [] && record.rooms[0].met[.staysSilent] != nil)
        #expect(record.rooms[2].met[.readsInBursts] != nil)
        for room in record.rooms.dropFirst() { try expectStartAndSeek(room) }
    }

    // MARK: Without the cure

    /// Devices that the sender does not recognise, or whose user has chosen what they do not play, with the manner.
    private static let uncured: [(VirtualHouse.Room, Manner)] = [
        (room(.realtime, "edifier", as: "Unknown1,1"), .wantsQueue),
        (room(.realtime, "sony", as: "Unknown1,1"), .neverProbes),
        (room(.buffered, "keeps-its-clock"), .keepsItsClock),
        (room(.buffered, "shairport-sync-4", as: "Unknown1,1"), .silentAtBufferedALAC),
        (room(.buffered, "never-starts-buffered"), .neverStartsBuffered),
    ]

    @Test("a device whose manner the sender does not know stays silent", arguments: uncured.indices)
    func unknownManner(index: Int) async throws {
        let (room, manner) = Self.uncured[index]
        let record = try await FixedScript.live([room], [Step(.play, at: 0)])
        #expect(record.rooms[0].runs == [])
        #expect(record.rooms[0].met[manner] != nil)
        #expect(!record.outcome.complaints.isEmpty)
    }

    @Test("a device that must not be flushed is, if the sender does not know it, and the house complains")
    func flushed() async throws {
        let record = try await FixedScript.live(
            [Self.room(.realtime, "must-not-be-flushed")], [Step(.play, at: 0), Step(.pause, at: 5)])
        #expect(record.rooms[0].met[.mustNotBeFlushed] != nil)
        #expect(record.outcome.complaints.contains { $0.contains("must-not-be-flushed") })
    }

    // MARK: Plans

    @Test("a plan without devices is read as before, and one with devices says which")
    func plans() throws {
        let plan = HousePlan(
            seed: 3, kinds: [.buffered, .realtime], manners: [nil, RoomManners("homepod")])
        #expect(plan.rooms == "buffered, realtime (homepod)")
        #expect(HousePlan(seed: 3, kinds: [.buffered]).rooms == "buffered")
        let old = #"{"seed": 3, "kinds": ["shallow"], "script": {"steps": []}}"#
        #expect(try JSONDecoder().decode(HousePlan.self, from: Data(old.utf8)).manners == nil)
        let copy = try JSONDecoder().decode(HousePlan.self, from: JSONEncoder().encode(plan))
        #expect(copy.manners == plan.manners)
        let drawn = (UInt64(1)...60).map { HousePlan(seed: $0, seconds: 5) }
        let withDevices = drawn.filter { $0.manners != nil }
        #expect((8...32).contains(withDevices.count))
        for plan in withDevices {
            for case (let kind, let manners?) in zip(plan.kinds, plan.manners ?? []) {
                #expect(manners.kinds.contains(kind))
            }
        }
    }
}
