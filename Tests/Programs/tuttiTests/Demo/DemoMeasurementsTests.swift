import Foundation
import Testing
import TuttiTestSupport

@testable import tutti

@Suite("Measurements of the demonstration")
struct DemoMeasurementsTests {
    private let folder: MusicFolder

    init() throws { folder = try MusicFolder() }

    private static func word(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func chunk(_ name: String, _ bytes: [UInt8], size: Int? = nil) -> [UInt8] {
        var chunk = Array(name.utf8)
        chunk += word(size ?? bytes.count, 4)
        chunk += bytes
        if bytes.count % 2 == 1 { chunk.append(0) }
        return chunk
    }

    /// Stereo of 16 bits, at a thousand frames a second.
    private static let format: [UInt8] = {
        let fields: [(Int, Int)] = [(1, 2), (2, 2), (1_000, 4), (4_000, 4), (4, 2), (16, 2)]
        return chunk("fmt ", fields.flatMap { word($0.0, $0.1) })
    }()

    private static func wave(_ chunks: [UInt8]...) -> [UInt8] {
        var bytes = Array("RIFF".utf8)
        bytes += word(0, 4)
        bytes += Array("WAVE".utf8)
        for chunk in chunks { bytes += chunk }
        return bytes
    }

    @Test("a wave file is read past other chunks, and to its end where the header promises more")
    func reads() throws {
        let samples: [UInt8] = [0, 0, 0, 0, 7, -7, 1, 2].flatMap { Self.word($0, 2) }
        let odd = Self.chunk("LIST", [1, 2, 3])
        for (name, size) in [("whole", samples.count), ("cut", 1_000_000), ("stream", Int(UInt32.max))] {
            let path = try folder.add(
                name, Self.wave(odd, Self.format, odd, Self.chunk("data", samples, size: size)))
            let recording = try RoomRecording(pieces: [path], firstHeardAt: 5e9)
            #expect(recording.frameCount == 4 && recording.sampleRate == 1_000, "\(name)")
            #expect(recording.firstSound == 2 && recording.samples.suffix(2) == [1, 2], "\(name)")
            #expect(recording.host(of: 2) == 5e9 && recording.host(of: 3) == 5.001e9, "\(name)")
            #expect(recording.frame(at: 5.002e9) == 4, "\(name)")
            #expect(recording.left(from: -1, count: 6) == [0, 0, 0, 7, 1, 0], "\(name)")
        }
    }

    @Test("pieces follow each other")
    func pieces() throws {
        let paths = try (1...2).map { number in
            try folder.add(
                "\(number)", Self.wave(Self.format, Self.chunk("data", Self.word(number, 2) + [0, 0])))
        }
        let recording = try RoomRecording(pieces: paths + paths, firstHeardAt: 0)
        #expect(recording.samples == [1, 0, 2, 0, 1, 0, 2, 0])
    }

    @Test("a file without sound or without times is named")
    func mistakes() throws {
        let silent = Self.chunk("data", Self.word(1, 2) + [0, 0])
        let files: [[UInt8]] = [
            [], Self.wave(), Self.wave(Self.format), Self.wave(silent),
            Self.wave(Self.format, Self.chunk("data", [])),
        ]
        for bytes in files {
            let path = try folder.add("bad.wav", bytes)
            let error = #expect(throws: DemoError.self) { try RoomRecording(pieces: [path], firstHeardAt: 0) }
            #expect(error?.description == "\(path) holds no sound")
        }
        let wave = try folder.add("good.wav", Self.wave(Self.format, silent))
        let times = try folder.add("times", Array("# frame host\n0 1000\n1 2 3\nx y\n".utf8))
        let error = #expect(throws: DemoError.self) { try RoomRecording(wavePath: wave, timesPath: times) }
        #expect(error?.description == "\(times) holds no times")
        let more = try folder.add("more", Array("# frame host\n0 1000\n1 2 3\n2 3000\n".utf8))
        #expect(try RoomRecording(wavePath: wave, timesPath: more).host(of: 1) == 2_000)
    }

    @Test("a room that is heard later than another one is later by that time", arguments: [500e-6, -500e-6])
    func offsets(offset: Double) throws {
        let path = folder.path + "/music.wav"
        try DemoMusic(.first, seconds: 1).write(to: path)
        let first = try RoomRecording(pieces: [path], firstHeardAt: 1e9)
        let other = try RoomRecording(pieces: [path], firstHeardAt: 1e9 + offset * 1e9)
        let offsets = WaveComparison.offsets(first, other)
        #expect(offsets.count >= 2)
        #expect(offsets.allSatisfy { abs($0 - offset) < 20e-6 }, "\(offsets)")
    }

    @Test("silence has no offset, and neither has another tune")
    func nothing() throws {
        let silent = try folder.add(
            "silent", Self.wave(Self.format, Self.chunk("data", [UInt8](repeating: 0, count: 20_000))))
        let silence = try RoomRecording(pieces: [silent], firstHeardAt: 0)
        #expect(silence.firstSound == nil && WaveComparison.offsets(silence, silence).isEmpty)
        #expect(DemoResult.spread([]) == "no sound to compare")
    }

    @Test("the spread is of distances without their sign")
    func spread() {
        #expect(DemoResult.spread([1e-6, -3e-6, 2e-6]) == "median 2.0 µs, worst 3.0 µs, at 3 places")
        #expect(DemoResult.spread([0]) == "median 0.0 µs, worst 0.0 µs, at 1 places")
    }

    private static var good: DemoResult {
        var result = DemoResult()
        (result.firstSound, result.isEditHeard) = (0.25, true)
        result.missingFrames = [("Kitchen", 0), ("Garden", 0)]
        result.apart = [("Garden", [1e-6])]
        return result
    }

    @Test("the demonstration succeeds only if all was heard, whole, edited and compared")
    func verdict() {
        #expect(Self.good.isGood && !DemoResult().isGood)
        var result = Self.good
        result.firstSound = nil
        #expect(!result.isGood && result.lines.contains { $0.hasSuffix("nothing was heard") })
        result = Self.good
        result.missingFrames[1].frames = 1
        #expect(!result.isGood && result.lines.contains { $0.hasSuffix("Garden: 1") })
        for isHeard in [false, nil] as [Bool?] {
            result = Self.good
            result.isEditHeard = isHeard
            #expect(
                !result.isGood && result.lines.contains { $0.hasSuffix(isHeard == nil ? "not known" : "NO") })
        }
        result = Self.good
        result.apart.append(("Living Room", []))
        #expect(!result.isGood)
        result.apart = []
        #expect(!result.isGood, "without a comparison nothing is known")
    }

    @Test("each room of the plan has addresses that no other one has")
    func plan() {
        for rooms in [DemoPlan.rooms, DemoPlan.pageRooms] {
            #expect(
                Set(rooms.map(\.address)).count == rooms.count && Set(rooms.map(\.name)).count == rooms.count)
            let doors = rooms.map(\.door) + rooms.map(DemoPlan.farEnd) + [DemoPlan.sender]
            #expect(Set(doors).count == doors.count)
        }
        let sum = DemoPlan.pieceSeconds.reduce(0, +)
        #expect(DemoPlan.cut < DemoPlan.edit && DemoPlan.edit < DemoPlan.heal && DemoPlan.heal < Double(sum))
    }
}
