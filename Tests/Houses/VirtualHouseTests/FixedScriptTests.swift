import Testing
import TuttiHouseSimulation

/// Scripts that are the same for every seed; the seed still gives the clocks and the order of everything.
@Suite("Houses with a script of their own")
struct FixedScriptTests {
    typealias Step = HouseScript.Step

    private func live(
        _ kinds: [RoomKind], seed: UInt64 = 7, isCompressed: Bool = false, _ steps: [Step]
    ) async throws -> HousePlan.Record {
        try await FixedScript.live(
            kinds.map { VirtualHouse.Room(kind: $0) }, seed: seed, isCompressed: isCompressed, steps)
    }

    private func pieces(_ room: HousePlan.Record.Room) -> [HeardRun] { FixedScript.pieces(room) }

    private func seconds(_ frame: Double) -> Double { FixedScript.seconds(frame) }

    @Test(
        "seeks forward and back are heard from their place, in every kind of room",
        arguments: [[.buffered, .shallow], [.realtime, .airPlay1], [.realtimeNTP, .buffered]] as [[RoomKind]])
    func seeks(kinds: [RoomKind]) async throws {
        let record = try await live(
            kinds, [Step(.play, at: 0), Step(.seek(25), at: 3), Step(.seek(10), at: 6)])
        #expect(record.outcome.complaints == [])
        for room in record.rooms {
            let pieces = pieces(room)
            #expect(pieces.count == 3)
            for (piece, place) in zip(pieces, [0.0, 25, 10]) {
                // The ear reads every ninth frame, and not the first of a block; a realtime stream begins with a whole packet.
                #expect(abs(seconds(piece.first.frame) - place) < 0.009)
            }
        }
    }

    @Test("a hundred seeks at once are all answered, and the last is heard")
    func manySeeks() async throws {
        let many = (0..<99).map { Step(.seek(20 + Double($0) * 0.3), at: 1.5) }
        let record = try await live([.shallow], [Step(.play, at: 0)] + many + [Step(.seek(52), at: 1.5)])
        #expect(record.outcome.complaints == [])
        let pieces = pieces(try #require(record.rooms.first))
        #expect(pieces.count == 2)
        #expect(abs(seconds(try #require(pieces.last).first.frame) - 52) < 0.004)
    }

    @Test("rooms that join and leave play whole pieces of one song")
    func comeAndGo() async throws {
        let record = try await live(
            [.buffered, .buffered],
            [
                Step(.leave(1), at: 0), Step(.play, at: 0.5), Step(.join(1), at: 5.5),
                Step(.leave(0), at: 10.5),
            ])
        #expect(record.outcome.complaints == [])
        let (kitchen, study) = (pieces(record.rooms[0]), pieces(record.rooms[1]))
        #expect(kitchen.count == 1 && study.count == 1)
        let (left, joined) = (try #require(kitchen.first), try #require(study.first))
        #expect(left.first.frame < 100 && (9.5...11).contains(seconds(left.last.frame)))
        #expect((5...6).contains(seconds(joined.first.frame)))
    }

    @Test("a room that was out of reach at a pause is silent when it is back")
    func pauseOutOfReach() async throws {
        let cut = HouseScript.Act.cut(0, seconds: 12, out: true, into: true)
        let record = try await live(
            [.buffered, .buffered],
            [
                Step(.play, at: 0), Step(cut, at: 15), Step(.seek(42), at: 20), Step(.pause, at: 23),
                Step(.play, at: 60),
            ])
        #expect(record.outcome.complaints == [])
        let silent = record.rooms[0].runs.filter { run in
            run.last.time > 37_000_000_000 && run.first.time < 62_000_000_000
        }
        #expect(silent == [])
    }

    @Test("a room that was without power begins anew, and no nonce is used twice")
    func powerLost() async throws {
        let record = try await live(
            [.buffered, .buffered],
            [Step(.play, at: 0), Step(.restart(0, seconds: 4), at: 10), Step(.play, at: 40)])
        #expect(record.outcome.complaints == [])
    }

    @Test(
        "a realtime room whose answers were lost for some seconds keeps its session",
        arguments: [7, 8, 10] as [UInt64])
    func answersLost(seed: UInt64) async throws {
        let cut = HouseScript.Act.cut(0, seconds: 7.5, out: true, into: false)
        let record = try await live(
            [.realtime, .buffered], seed: seed, [Step(.play, at: 0), Step(cut, at: 8), Step(.play, at: 30)])
        #expect(record.outcome.complaints == [])
        #expect(!record.log.contains { $0.contains("SpeakerState.lost") })
    }

    @Test(
        "a sender that stands still for three seconds is not heard in rooms with a buffer",
        arguments: [true, false])
    func senderStalls(whole: Bool) async throws {
        let stall = HouseScript.Act.stall(0, seconds: 3, whole: whole)
        let record = try await live(
            [.buffered, .buffered], [Step(.play, at: 0), Step(stall, at: 15), Step(.play, at: 40)])
        #expect(record.outcome.complaints == [])
        for room in record.rooms { #expect(pieces(room).count == 1) }
    }

    @Test(
        "a speaker that stands still for two seconds goes on where the others are", arguments: [true, false])
    func speakerStalls(whole: Bool) async throws {
        let stalls = (1...2).map { HouseScript.Act.stall($0, seconds: 2, whole: whole) }
        let record = try await live(
            [.buffered, .realtime],
            [Step(.play, at: 0), Step(stalls[0], at: 15), Step(stalls[1], at: 25), Step(.play, at: 40)])
        #expect(record.outcome.complaints == [])
        for room in record.rooms {
            let pieces = pieces(room)
            #expect(pieces.count >= 2)
            let (first, last) = (try #require(pieces.first).first, try #require(pieces.last).first)
            let passed = Double(last.time - first.time) * 44_100e-9
            #expect(abs(last.frame - first.frame - passed) < 50)
        }
    }

    @Test("a link that takes little more than the sound is enough for a seek back and for a cut")
    func slowLink() async throws {
        let slow = HouseScript.Act.slow(rate: 150_000, seconds: 60, isFair: true)
        let cut = HouseScript.Act.cut(0, seconds: 5, out: true, into: true)
        let record = try await live(
            [.buffered, .shallow], isCompressed: true,
            [
                Step(.play, at: 0), Step(slow, at: 2), Step(.seek(2), at: 20), Step(cut, at: 40),
                Step(.play, at: 70),
            ])
        #expect(record.outcome.complaints == [])
        for room in record.rooms {
            let pieces = pieces(room)
            #expect(pieces.count == 2)
            #expect((2...2.5).contains(seconds(try #require(pieces.last).first.frame)))
        }
    }

    @Test(
        "a cut of the link that is shorter than what the room holds is not heard", arguments: [true, false])
    func linkDown(outward: Bool) async throws {
        let cut = HouseScript.Act.cut(0, seconds: 20, out: outward, into: true)
        let record = try await live(
            [.buffered, .buffered], [Step(.play, at: 0), Step(cut, at: 20), Step(.play, at: 70)])
        #expect(record.outcome.complaints == [])
        for room in record.rooms {
            let pieces = pieces(room)
            #expect(pieces.count == 1)
            #expect(try #require(pieces.first).first.frame < 100)
        }
        #expect(record.log.contains { $0.contains("warning(speaker: Kitchen") })
    }

    @Test("a speaker without power comes back in step, and the other room plays on")
    func powerLoss() async throws {
        let record = try await live(
            [.buffered, .buffered],
            [Step(.play, at: 0), Step(.restart(1, seconds: 15), at: 8), Step(.play, at: 40)])
        #expect(record.outcome.complaints == [])
        let (kitchen, study) = (pieces(record.rooms[0]), pieces(record.rooms[1]))
        #expect(kitchen.count == 1 && study.count >= 2)
        #expect(try #require(kitchen.first).first.frame < 100)
        #expect(seconds(try #require(study.last).first.frame) > 20)
        #expect(
            record.log.contains { $0.contains("warning(speaker: Study") || $0.contains("SpeakerState.lost") })
    }

    @Test("a room that is removed while it is out of reach has no session when it is back")
    func removedOutOfReach() async throws {
        let outages = [
            HouseScript.Act.cut(1, seconds: 15.4, out: false, into: true),
            .cut(1, seconds: 14.34, out: true, into: false), .cut(1, seconds: 7.29, out: true, into: true),
        ]
        let record = try await live(
            [.realtime, .buffered], seed: 40_177,
            [
                Step(outages[0], at: 1.35), Step(outages[1], at: 17.41), Step(outages[2], at: 25.48),
                Step(.leave(1), at: 26.6),
            ])
        #expect(record.outcome.complaints == [])
    }

    @Test("a room whose session is given up while it is out of reach is told so when it is back")
    func givenUpOutOfReach() async throws {
        // Its answer to a sign of life is lost. It has missed the pause, and plays on when the other one resumes without it.
        let record = try await live(
            [.buffered, .buffered], isCompressed: false,
            [
                Step(.play, at: 0), Step(.cut(1, seconds: 16, out: true, into: false), at: 4.8),
                Step(.pause, at: 8.6), Step(.cut(1, seconds: 20, out: true, into: true), at: 16.4),
                Step(.play, at: 24.4), Step(.leave(1), at: 36),
            ])
        #expect(record.outcome.complaints == [])
        #expect(record.log.contains { $0.contains("Study has not answered for") })
        // The cut ends at 39.4 s.
        #expect(try #require(pieces(record.rooms[1]).last).last.time < 43_000_000_000)
    }

    @Test("a room is heard soon after an outage, though an old kernel has yet to repeat its sound")
    func soundWaitsForKernel() async throws {
        // The kernels of this house double their pauses up to two minutes. The answers come back, and the sound does not.
        let outages = [
            HouseScript.Act.cut(1, seconds: 16.5, out: false, into: true),
            .cut(1, seconds: 13.7, out: false, into: true), .cut(1, seconds: 12.11, out: true, into: true),
        ]
        let record = try await live(
            [.shallow, .shallow, .realtime], seed: 40_275,
            [
                Step(outages[0], at: 13.81), Step(.play, at: 30.46), Step(outages[1], at: 47.49),
                Step(.pause, at: 61.29), Step(outages[2], at: 64.68),
            ])
        #expect(record.outcome.complaints == [])
    }

    @Test(
        "a paused room that was out of reach is heard soon after it is back, though its old kernel has yet to repeat an answer"
    )
    func startWaitsForKernel() async throws {
        // The speaker's answers to signs of life were lost. Its kernel repeats them 20 s after the outage, and what follows waits.
        let record = try await FixedScript.live(
            [VirtualHouse.Room(kind: .shallow, manners: RoomManners("edifier"))], seed: 40_275,
            [
                Step(.play, at: 0), Step(.pause, at: 5),
                Step(.cut(0, seconds: 17.3, out: true, into: false), at: 7),
                Step(.cut(0, seconds: 9.6, out: true, into: true), at: 28.4), Step(.play, at: 38.1),
            ])
        #expect(record.outcome.complaints == [])
        // The link is back at 41 s, and the script begins at 3 s.
        let start = try #require(pieces(record.rooms[0]).first { $0.last.time > 38_000_000_000 })
        #expect(start.first.time < 47_000_000_000)
    }

    /// Twenty acts in two seconds, while the first of three rooms is out of reach.
    static let manyActs: [(String, @Sendable (Int) -> HouseScript.Act)] = [
        ("volumes", { _ in .volume(100) }), ("seeks", { .seek(10 + Double($0)) }),
        ("pauses", { $0.isMultiple(of: 2) ? .pause : .play }),
    ]

    @Test(
        "many commands while a room is out of reach are carried out at once in the others",
        arguments: manyActs.indices)
    func actsOutOfReach(kind: Int) async throws {
        var steps = [Step(.play, at: 0), Step(.cut(0, seconds: 12, out: true, into: true), at: 5)]
        steps += (0..<20).map { Step(Self.manyActs[kind].1($0), at: 8 + 0.1 * Double($0)) }
        steps += [Step(.pause, at: 10), Step(.play, at: 12)]
        let record = try await FixedScript.live(
            [.buffered, .shallow, .realtime].map { VirtualHouse.Room(kind: $0) }, isCompressed: false, steps)
        #expect(record.outcome.complaints == [])
        for room in record.rooms.dropFirst() {
            // The script begins at 3 s.
            #expect(!room.runs.contains { $0.last.time > 13_100_000_000 && $0.first.time < 15_000_000_000 })
            #expect(room.runs.contains { $0.first.time > 15_000_000_000 && $0.first.time < 15_400_000_000 })
        }
    }

    @Test("a dragged slider ends at its last place at once, also with a room that answers late")
    func slider() async throws {
        let delay = HouseScript.Act.delay(1, milliseconds: 60, seconds: 12)
        var steps = [Step(.play, at: 0), Step(delay, at: 4)]
        steps += (0..<12).map { Step(.seek(10 + 2 * Double($0)), at: 8 + 0.06 * Double($0)) }
        let record = try await FixedScript.live(
            [.buffered, .buffered].map { VirtualHouse.Room(kind: $0) }, isCompressed: false, steps)
        #expect(record.outcome.complaints == [])
        // The script begins at 3 s.
        let last: Int64 = 11_660_000_000
        for room in record.rooms {
            let later = room.runs.filter { $0.first.time > last }
            #expect(later.count == 1)
            #expect(try #require(later.first).first.time < last + 900_000_000)
        }
    }

    @Test("a HomePod that is out of reach when its volume is set gets it afterwards")
    func volumeOutOfReach() async throws {
        // It refuses the volume until its first sound, which comes when answers are lost.
        let record = try await FixedScript.live(
            [VirtualHouse.Room(kind: .realtime, manners: RoomManners("homepod"))], seed: 44_115,
            [
                Step(.play, at: 0), Step(.restart(0, seconds: 11.97), at: 6.42),
                Step(.cut(0, seconds: 4.01, out: false, into: true), at: 20.38),
            ])
        #expect(record.outcome.complaints == [])
    }
}
