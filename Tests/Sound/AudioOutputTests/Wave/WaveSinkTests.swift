import Foundation
import Testing
import TuttiMediaTime
import TuttiPCM

@testable import TuttiAudioOutput

@Suite("WaveSink")
struct WaveSinkTests {
    private static let format = PCMFormat(sampleRate: .hz48000, channelCount: 2, sampleFormat: .int16)

    private func take(_ samples: [Float], into sink: inout WaveSink, frame: Int64) throws {
        let time = DeviceTime(
            frame: frame, playTime: HostTime(nanoseconds: frame * 1_000_000_000 / 48_000), rateRatio: 1)
        try samples.withUnsafeBufferPointer { try sink.take($0, at: time) }
    }

    @Test("all 65536 values of a 16-bit source are stored bit for bit")
    func bitExact() throws {
        let folder = try TemporaryFolder()
        var sink = WaveSink(path: folder.file("a.wav"), format: Self.format, ppm: 0)
        try sink.open()
        let values = (Int16.min ... .max).map { $0 }
        try take(values.map { Float($0) / 32768 }, into: &sink, frame: 0)
        sink.close()
        let bytes = try folder.bytes(of: "a.wav")
        #expect(bytes.count == 44 + 131_072)
        #expect(
            Array(bytes[44...]) == values.flatMap { [UInt8($0 & 0xFF), UInt8(truncatingIfNeeded: $0 >> 8)] })
        #expect(Array(bytes[..<44]) == WaveHeader(format: Self.format, dataByteCount: 131_072).bytes)
        #expect(try folder.text(of: "a.wav.times") == "# rate 48000 ppm 0\n0 0\n")
    }

    @Test("values beyond full scale are clamped, NaN is silence")
    func clipped() throws {
        let folder = try TemporaryFolder()
        var sink = WaveSink(path: folder.file("a.wav"), format: Self.format, ppm: 0)
        try sink.open()
        try take([2, -2, .nan, .infinity, 1, 0.4 / 32768], into: &sink, frame: 0)
        sink.close()
        #expect(
            Array(try folder.bytes(of: "a.wav")[44...])
                == [0xFF, 0x7F, 0, 0x80, 0, 0, 0xFF, 0x7F, 0xFF, 0x7F, 0, 0])
    }

    @Test("float samples are stored unchanged")
    func float() throws {
        let folder = try TemporaryFolder()
        var sink = WaveSink(path: folder.file("a.wav"), format: Self.format.with(.float32), ppm: 0)
        try sink.open()
        try take([0.1, -3], into: &sink, frame: 0)
        sink.close()
        let bytes = try folder.bytes(of: "a.wav")
        #expect(
            bytes[58...].elementsEqual([Float(0.1), -3].flatMap { withUnsafeBytes(of: $0) { Array($0) } }))
    }

    @Test("the header is valid while the file grows")
    func growing() throws {
        let folder = try TemporaryFolder()
        var sink = WaveSink(path: folder.file("a.wav"), format: Self.format, ppm: 0)
        try sink.open()
        let period = [Float](repeating: 0.5, count: 960)
        for index in 0..<250 { try take(period, into: &sink, frame: Int64(index * 480)) }
        let bytes = try folder.bytes(of: "a.wav")
        #expect(bytes.count == 44 + 250 * 1920)
        #expect(Array(bytes[..<44]) == WaveHeader(format: Self.format, dataByteCount: 200 * 1920).bytes)
        #expect(try folder.text(of: "a.wav.times").split(separator: "\n").count == 4)
    }

    @Test("a full disk is an error with a reason, and leaves no hole afterwards")
    func fullDisk() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.wav")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
        var sink = WaveSink(path: path, format: Self.format, ppm: 0)
        try sink.open()
        let error = #expect(throws: OutputError.self) { try take([0, 0], into: &sink, frame: 0) }
        #expect(error?.code == ENOSPC)
        #expect(
            error?.description == "cannot write \(path): No space left on device; free some space there")
        #expect(throws: OutputError.self) { try sink.retry() }
        sink.close()
        #expect(try folder.text(of: "a.wav.times") == "# rate 48000 ppm 0\n0 0\n")
    }

    @Test("an unwritable path is reported", arguments: ["/nowhere/a.wav", "/tmp", ""])
    func cannotOpen(path: String) {
        var sink = WaveSink(path: path, format: Self.format, ppm: 0)
        let error = #expect(throws: OutputError.self) { try sink.open() }
        #expect(error?.description.hasPrefix("cannot write \(path): ") == true)
    }

    @Test("a pipe is refused, with and without a reader")
    func pipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        var sink = WaveSink(path: path, format: Self.format, ppm: 0)
        #expect(throws: OutputError.self) { try sink.open() }
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let error = #expect(throws: OutputError.self) { try sink.open() }
        #expect(error?.description == "cannot write \(path): it is not a regular file")
    }
}
