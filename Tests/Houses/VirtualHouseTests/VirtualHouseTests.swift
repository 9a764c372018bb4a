import CoreMedia
import Foundation
import TuttiHouseSimulation
import Playback
import Testing
import TuttiTestMedia

@Suite("Houses in virtual time")
struct VirtualHouseTests {
    @Test("three rooms play every frame, in step")
    func threeRooms() throws {
        let house = try VirtualHouse(seed: 1)
        let folder = try TestFolder()
        let path = try StampedFile.make(seconds: 30, in: folder.path)
        let (sender, speakers) = (house.sender, house.speakers)
        house.run(seconds: 1) { [sender] in
            await sender.choose(speakers)
            _ = sender.add(path)
            sender.player.setRate(1)
        }
        house.run(atMost: 60) { sender.player.items.isEmpty }
        house.run(seconds: 3)
        for speaker in speakers {
            print(speaker.name, speaker.unreadable)
            for run in speaker.runs { print(run.first.frame, run.first.time, run.last.frame, run.last.time) }
        }
        for speaker in speakers.dropFirst() {
            let all = HouseJudge.differences(speakers[0], speaker, settling: 0).map(abs)
            let settled = HouseJudge.differences(speakers[0], speaker, settling: 5).map(abs)
            print(all.count, all.max() ?? 0, settled.count, settled.max() ?? 0)
        }
        print(house.world.steps, house.seconds)
    }

    @Test("a script", arguments: Array(1...40) as [UInt64])
    func scripts(seed: UInt64) throws {
        let folder = try TestFolder()
        let path = try StampedFile.make(seconds: 60, in: folder.path)
        let script = HouseScript.drawn(from: seed, seconds: 60, rooms: 3, songSeconds: 60)
        let house = try VirtualHouse(seed: seed)
        let start = ContinuousClock.now
        let outcome = house.play(script, path, songSeconds: 60)
        print(
            seed, outcome.complaints, outcome.seconds, outcome.faults, outcome.worstDifference,
            ContinuousClock.now - start, outcome.trace)
        if !outcome.complaints.isEmpty {
            print(script)
            for line in house.sender.log.lines { print(line.prefix(200)) }
            for speaker in house.speakers {
                print(speaker.name, speaker.unreadable)
                for run in speaker.runs {
                    print(
                        run.first.frame, Double(run.first.time) / 1e9, run.last.frame,
                        Double(run.last.time) / 1e9)
                }
            }
        }
    }
}
