import Testing
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM
import TuttiTestMedia

@Suite("Decoding from a seek gives the same frames as decoding the whole")
struct SeekTests {
    static let frameCount = 200_000
    static let places = [0, 1, 700, 4096, 50_000, 99_999, 150_001, 199_990, 12_345, 12_344]

    @Test("decoding after a seek is sample-exact", arguments: MediaFile.kinds.map(\.name))
    func exact(name: String) throws {
        let folder = try TestFolder()
        let kind = try #require(MediaFile.kinds.first { $0.name == name })
        try kind.file.write(
            Signal.sweep(frameCount: Self.frameCount, rate: WholeFilesTests.rate(name)), to: folder.file(name)
        )
        let reader = try MediaReader(folder.file(name))
        let whole = try DecodedRun(reader).buffer
        for place in Self.places {
            try reader.seek(toFrame: Int64(place))
            let run = try DecodedRun(reader)
            #expect(run.start == Int64(place), "from \(place)")
            #expect(run.buffer.frameCount == whole.frameCount - place, "from \(place)")
            let expected = whole[place..<whole.frameCount]
            if kind.isLossless {
                #expect(run.buffer == expected, "from \(place)")
            } else {
                #expect(Signal.distance(run.buffer, expected) <= 1 / 32_768, "from \(place)")
            }
        }
        #expect(reader.warnings.isEmpty)
    }

    @Test("packets after a seek start with the pre-roll, marked as inaudible")
    func preRoll() throws {
        let folder = try TestFolder()
        try MediaFile.kind("aac.m4a").write(Signal.sweep(frameCount: 60_000), to: folder.file("aac.m4a"))
        let reader = try MediaReader(folder.file("aac.m4a"))
        try reader.seek(toFrame: 30_000)
        let first = try #require(try reader.nextPacket())
        #expect(first.timestamp <= 30_000 - 2048)
        #expect(first.timestamp > 30_000 - 4096)
        #expect(first.skipAtStart == 1024 && first.duration == 1024)
        var packet = first
        while packet.skipAtStart == packet.duration { packet = try #require(try reader.nextPacket()) }
        #expect(packet.timestamp + Int64(packet.skipAtStart) == 30_000)
    }

    @Test(
        "after the end there are no frames",
        arguments: ["a.flac", "aac.m4a", "cbr.mp3", "a.opus", "a.wav"])
    func beyondTheEnd(name: String) throws {
        let folder = try TestFolder()
        try MediaFile.kind(name).write(
            Signal.sweep(frameCount: 60_000, rate: WholeFilesTests.rate(name)), to: folder.file(name))
        let reader = try MediaReader(folder.file(name))
        for place in [60_000, 70_000, 10_000_000, Int64.max / 4] {
            try reader.seek(toFrame: place)
            #expect(try DecodedRun(reader).buffer.isEmpty)
        }
        try reader.seek(toFrame: -5)
        #expect(try DecodedRun(reader).buffer.frameCount == 60_000)
    }

    @Test("packet times are contiguous", arguments: MediaFile.kinds.map(\.name))
    func times(name: String) throws {
        let folder = try TestFolder()
        try MediaFile.kind(name).write(
            Signal.sweep(frameCount: 50_000, rate: WholeFilesTests.rate(name)), to: folder.file(name))
        let reader = try MediaReader(folder.file(name))
        var next: Int64?
        while let packet = try reader.nextPacket() {
            if let next { #expect(packet.timestamp == next) }
            #expect(packet.duration > 0)
            #expect((0...packet.duration).contains(packet.skipAtStart))
            #expect((0...packet.duration).contains(packet.skipAtEnd))
            next = packet.endTimestamp
        }
        #expect((next ?? 0) >= 50_000)
    }
}
