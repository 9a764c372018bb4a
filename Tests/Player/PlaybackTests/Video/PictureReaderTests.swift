import CoreMedia
import Testing
import TuttiCodecs
import TuttiTestMedia
import TuttiTestSupport

@testable import Playback

@Suite("Reading decoded pictures from any time on")
struct PictureReaderTests {
    let reading = FilmReading()

    /// A reader whose time 0 is the film's first picture, and all pictures by decoding from the start.
    private func open(_ path: String) throws -> (reader: PictureReader, whole: [SeenPicture], times: [CMTime])
    {
        let film = try VideoReader(path)
        func time(_ units: Int64) -> CMTime {
            CMTime(value: units * Int64(film.unitNumerator), timescale: film.unitDenominator)
        }
        let whole = try reading.rest(film, try VideoDecoder(film.parameters, hardware: false))
        let zero = time(film.startTime)
        let times = try whole.map { time(try #require($0.time)) - zero }
        return (try PictureReader(PictureFeed.Source(path: path, engine: .shared, zero: zero)), whole, times)
    }

    private func number(_ picture: PictureReader.Picture?) throws -> Int? {
        try picture.flatMap { try reading.number(of: $0.frame) }
    }

    @Test("a film is read in order, each picture until the next one", arguments: FilmFile.kinds.map(\.name))
    func inOrder(name: String) throws {
        let (reader, whole, times) = try open(try FilmFile.path(name))
        var index = 0
        while let picture = try reader.next() {
            #expect(try number(picture) == whole[index].number)
            #expect(picture.time == times[index])
            if index + 1 < times.count { #expect(picture.end == times[index + 1]) }
            index += 1
        }
        #expect(index == 60)
        #expect(try reader.next() == nil)
        #expect(!reader.isUndecodable)
    }

    @Test("every picture of a film is reached exactly, in any order", arguments: FilmFile.kinds.map(\.name))
    func exact(name: String) throws {
        let (reader, whole, times) = try open(try FilmFile.path(name))
        var generator = SeededGenerator(seed: 40)
        for index in (0..<whole.count).shuffled(using: &generator) {
            let half = CMTime(value: 1, timescale: 50)
            let inside = times[index] + (Bool.random(using: &generator) ? .zero : half)
            try reader.begin(at: inside)
            let picture = try #require(try reader.next())
            #expect(try number(picture) == index, "from \(inside.seconds)")
            #expect(picture.time == times[index])
            // The pictures after it follow.
            for next in index + 1..<min(60, index + 4) { #expect(try number(try reader.next()) == next) }
        }
    }

    @Test(
        "times before and after the film give its first and its last picture",
        arguments: ["open.mp4", "open.ts", "vp9.webm"])
    func outside(name: String) throws {
        let (reader, _, _) = try open(try FilmFile.path(name))
        for (seconds, expected) in [(100.0, 59), (-5, 0), (2.39, 59), (-0.001, 0), (2.4, 59)] {
            try reader.begin(at: CMTime(seconds: seconds, preferredTimescale: 1000))
            #expect(try number(try reader.next()) == expected, "from \(seconds)")
        }
    }

    @Test("the same picture is returned again for the same time")
    func again() throws {
        let (reader, _, times) = try open(try FilmFile.path("open.mp4"))
        for _ in 0..<3 {
            try reader.begin(at: times[20])
            #expect(try number(try reader.next()) == 20)
        }
        try reader.begin(at: times[21])
        #expect(try number(try reader.next()) == 21)
        try reader.begin(at: times[58])
        while try reader.next() != nil {}
        try reader.begin(at: times[59])
        #expect(try number(try reader.next()) == 59)
        try reader.begin(at: times[58])
        #expect(try number(try reader.next()) == 58)
    }

    @Test("times in coarse units are found by the exact time of the picture")
    func coarseUnits() throws {
        let folder = try TestFolder()
        var film = FilmFile.h264(isOpen: true)
        film.rate = (24_000, 1001)
        try film.write(to: folder.file("a.mkv"))
        let (reader, _, _) = try open(folder.file("a.mkv"))
        for index in [7, 1, 50, 33, 12, 11, 59] {
            try reader.begin(at: CMTime(value: Int64(index) * 1001, timescale: 24_000))
            #expect(try number(try reader.next()) == index)
        }
    }

    @Test("a picture that is shown for long is found in all of its time")
    func pauses() throws {
        let folder = try TestFolder()
        var film = FilmFile.h264(isOpen: true)
        // A second before picture 22, two before picture 41.
        film.pauses = [22: 25, 41: 50]
        for name in ["a.mp4", "a.mkv"] {
            try film.write(to: folder.file(name))
            let (reader, _, times) = try open(folder.file(name))
            for (seconds, expected) in [
                (0.9, 21), (1.8, 21), (1.88, 22), (2.7, 40), (4.5, 40), (4.64, 41), (1.2, 21),
            ] {
                try reader.begin(at: CMTime(seconds: seconds, preferredTimescale: 1000))
                let picture = try #require(try reader.next())
                #expect(try number(picture) == expected, "\(name) from \(seconds)")
                #expect(picture.end == times[expected + 1])
            }
        }
    }

    // MARK: Tolerances

    @Test(
        "with tolerances a picture that is decoded sooner is returned",
        arguments: ["closed.mp4", "open.mp4", "vp9.webm"])
    func tolerances(name: String) throws {
        let (reader, _, times) = try open(try FilmFile.path(name))
        // Any picture before: the key picture, every twelve.
        for index in [20, 47, 5, 59, 36] {
            let picture = try reader.picture(
                near: times[index], earliest: .negativeInfinity, latest: .positiveInfinity)
            let found = try #require(try number(picture))
            #expect(found % 12 == 0 && found <= index + 12 && found > index - 12, "for \(index): \(found)")
        }
        // Three pictures before.
        for index in [20, 47, 23, 11, 59] {
            let earliest = times[index] - CMTime(value: 3, timescale: 25)
            let found = try #require(
                try number(try reader.picture(near: times[index], earliest: earliest, latest: times[index])))
            #expect((index - 3...index).contains(found), "for \(index): \(found)")
        }
        // None.
        for index in [20, 47, 23, 11, 59, 12, 0] {
            let time = times[index]
            #expect(try number(try reader.picture(near: time, earliest: time, latest: time)) == index)
        }
    }

    // MARK: Errors

    @Test("sources without pictures are refused with their error")
    func errors() throws {
        let folder = try TestFolder()
        try MediaFile.kind("aac.m4a").write(Signal.sweep(frameCount: 20_000), to: folder.file("a.m4a"))
        #expect(throws: MediaError.noPictures(name: "a.m4a")) {
            try PictureReader(PictureFeed.Source(path: folder.file("a.m4a"), engine: .shared))
        }
        #expect(throws: MediaError.notFound(name: "no.mp4")) {
            try PictureReader(PictureFeed.Source(path: folder.file("no.mp4"), engine: .shared))
        }
    }

    @Test("a cancelled reader ends with an error")
    func cancelled() throws {
        let interrupt = MediaInterrupt()
        let reader = try PictureReader(
            PictureFeed.Source(path: try FilmFile.path("open.mp4"), engine: .shared), interrupt: interrupt)
        interrupt.cancel()
        #expect(throws: MediaError.cancelled) { while try reader.next() != nil {} }
        #expect(throws: MediaError.cancelled) { try reader.begin(at: .zero) }
    }

    @Test("a film of which no picture can be decoded says so")
    func undecodable() throws {
        let folder = try TestFolder()
        let original = try TestFolder.bytes(of: try FilmFile.path("png.mov"))
        // Every picture loses its header's name.
        var bytes = original
        for index in original.indices.dropLast(4) where original[index...].starts(with: Array("IHDR".utf8)) {
            bytes.replaceSubrange(index..<index + 4, with: Array("XXXX".utf8))
        }
        let reader = try PictureReader(
            PictureFeed.Source(path: try folder.write(bytes, to: "a.mov"), engine: .shared))
        #expect(try reader.next() == nil)
        #expect(reader.isUndecodable)
        try reader.begin(at: CMTime(value: 1, timescale: 1))
        #expect(try reader.next() == nil)
        #expect(reader.isUndecodable)
    }
}
