import AVFoundation
import Playback
import Testing

@testable import tutti

@Suite("Tracks on one timeline")
struct PlayQueueTests {
    let folder: MusicFolder
    let paths: [String]
    static let lengths = [100_000, 50_001, 70_000]

    init() throws {
        let folder = try MusicFolder()
        self.folder = folder
        paths = try Self.lengths.enumerated().map {
            try folder.addWave("\($0.offset).wav", frameCount: $0.element, first: $0.offset * 7)
        }
    }

    /// What a queue brings: words, with the frames of each stretch of sound.
    private func play(_ queue: PlayQueue, steps: Int = .max) throws -> [String] {
        var story: [String] = []
        var expected: Int64?
        for _ in 0..<min(steps, 1000) {
            switch queue.next() {
            case .buffer(let buffer):
                let start = buffer.outputPresentationTimeStamp.convertScale(44_100, method: .default).value
                if start != expected { story.append("sound from \(start)") }
                expected = start + Int64(buffer.numSamples)
            case .began(let index): story.append("began \(index)")
            case .failed(let index, _): story.append("failed \(index)")
            case .warned: story.append("warned")
            case .title, .later: story.append("from a network")
            case .endOfQueue:
                if let expected { story.append("to \(expected)") }
                return story + ["end"]
            }
        }
        return story
    }

    private func time(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 44_100) }

    @Test("follow each other without a gap")
    func continuous() throws {
        let queue = PlayQueue(paths: paths)
        #expect(queue.end == nil)
        #expect(try play(queue) == ["began 0", "sound from 0", "began 1", "began 2", "to 220001", "end"])
        #expect(queue.items.map(\.start) == [time(0), time(100_000), time(150_001)])
        #expect(queue.items.map(\.end) == [time(100_000), time(150_001), time(220_001)])
        #expect(queue.end == time(220_001))
        let heard = [-1, 0, 99_999, 100_000, 150_000, 150_001, 999_999].map { queue.index(at: time($0)) }
        #expect(heard == [nil, 0, 0, 1, 1, 2, 2])
    }

    @Test("the samples are the file's own")
    func samples() throws {
        let source = try PacketSource(path: paths[0], start: time(500), position: time(30_000))
        var data: [UInt8] = []
        var first: CMTime?
        while let buffer = try source.nextBuffer() {
            if first == nil { first = buffer.outputPresentationTimeStamp }
            data += try #require(buffer.dataBuffer).dataBytes()
        }
        #expect(first == time(30_500))
        #expect(source.end == time(100_500))
        #expect(data.count == 70_000 * 4)
        #expect(Array(data.prefix(4)) == [0x30, 0x75, 0x30, 0x75])
    }

    @Test("what cannot be opened is passed over")
    func unplayable() throws {
        let bad = try folder.add("bad.wav", Array("no music at all".utf8))
        let queue = PlayQueue(paths: [paths[0], bad, folder.path + "/missing.wav", paths[1]])
        #expect(
            try play(queue) == [
                "began 0", "sound from 0", "failed 1", "failed 2", "began 3", "to 150001", "end",
            ])
        #expect(queue.items.map { $0.failure == nil } == [true, false, false, true])
    }

    @Test("a jump goes on from its place; the new track is told of")
    func jump() throws {
        let queue = PlayQueue(paths: paths)
        _ = try play(queue, steps: 2)
        #expect(queue.jump(to: 1, position: time(44_100)) == time(44_100))
        #expect(try play(queue) == ["began 1", "sound from 44100", "began 2", "to 120001", "end"])
        #expect(queue.jump(to: 0, position: .zero) == .zero)
        #expect(try play(queue) == ["began 0", "sound from 0", "began 1", "began 2", "to 220001", "end"])
    }

    @Test("a jump inside the track is not told of as a new one")
    func seek() throws {
        let queue = PlayQueue(paths: paths)
        _ = try play(queue, steps: 2)
        #expect(queue.jump(to: 0, position: time(90_000)) == time(90_000))
        #expect(try play(queue) == ["sound from 90000", "began 1", "began 2", "to 220001", "end"])
    }

    @Test("a jump to what cannot be opened is told of")
    func badJump() throws {
        let queue = PlayQueue(paths: [paths[0], folder.path + "/missing.wav", paths[2]])
        _ = try play(queue, steps: 2)
        _ = queue.jump(to: 1, position: .zero)
        #expect(try play(queue).first == "failed 1")
    }

    @Test("removing what was fed makes its sound void; what was not, nothing")
    func remove() throws {
        let queue = PlayQueue(paths: paths)
        _ = try play(queue, steps: 2)
        #expect(queue.remove(2) == nil)
        #expect(try play(queue).dropFirst() == ["began 1", "to 150001", "end"])
        #expect(queue.remove(1) == time(100_000))
        #expect(queue.end == nil || queue.end == time(100_000))
        #expect(try play(queue) == ["end"])
        #expect(queue.end == time(100_000))
    }

    @Test("removing a track that could not be opened leaves the others alone")
    func removeFailed() throws {
        let queue = PlayQueue(paths: [folder.path + "/missing.wav"] + paths)
        _ = try play(queue, steps: 3)
        #expect(queue.remove(0) == nil)
        #expect(queue.feeding == 0)
        let story = try play(queue)
        #expect(story.first?.hasPrefix("sound from 4") == true)
        #expect(story.dropFirst() == ["began 1", "began 2", "to 220001", "end"])
    }

    @Test("edits before the track that is heard leave its sound alone")
    func editsBefore() throws {
        let queue = PlayQueue(paths: paths)
        _ = queue.next()
        while queue.feeding == 0 { _ = queue.next() }
        #expect(queue.insert(folder.path + "/none.wav", at: 1, playing: 1) == nil)
        #expect(queue.feeding == 2)
        #expect(queue.items[2].start == time(100_000))
        #expect(queue.remove(0, playing: 2) == nil)
        #expect(queue.feeding == 1)
        #expect(try play(queue).suffix(3) == ["began 2", "to 220001", "end"])
        #expect(queue.index(at: time(120_000)) == 1)
    }

    @Test("inserting before what was fed makes that void")
    func insert() throws {
        let queue = PlayQueue(paths: [paths[0], paths[1]])
        _ = try play(queue)
        #expect(queue.insert(paths[2], at: 1) == time(100_000))
        #expect(try play(queue) == ["began 1", "sound from 100000", "began 2", "to 220001", "end"])
        #expect(queue.items.map(\.path) == [paths[0], paths[2], paths[1]])
    }

    @Test("appending to what has all been fed makes nothing void")
    func append() throws {
        let queue = PlayQueue(paths: [paths[0]])
        _ = try play(queue)
        #expect(queue.insert(paths[1], at: 1) == nil)
        #expect(try play(queue) == ["began 1", "sound from 100000", "to 150001", "end"])
    }

    @Test("inserting before a failed track that was passed makes void what came after it")
    func insertBeforeFailed() throws {
        let queue = PlayQueue(paths: [paths[0], folder.path + "/missing.wav", paths[1]])
        _ = try play(queue)
        #expect(queue.insert(paths[2], at: 1) == time(100_000))
        #expect(
            try play(queue) == ["began 1", "sound from 100000", "failed 2", "began 3", "to 220001", "end"])
    }
}
