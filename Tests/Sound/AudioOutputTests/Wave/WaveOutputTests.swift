import Foundation
import Testing
import TuttiMediaTime
import TuttiSystemIO

@testable import TuttiAudioOutput

@Suite("WaveOutput")
struct WaveOutputTests {
    @Test("the file holds every requested frame, the log when each was played")
    func recording() throws {
        let folder = try TemporaryFolder()
        let output = WaveOutput(
            path: folder.file("a.wav"), ppm: -25, periodFrames: 100, machine: SystemMachine())
        let source = RampSource(callCount: 20)
        try output.start(source)
        #expect(source.waitForCalls())
        output.stop()
        let count = source.times.count * 100
        let bytes = try folder.bytes(of: "a.wav")
        #expect(
            Array(bytes[..<44])
                == WaveHeader(
                    format: output.format.with(.int16), dataByteCount: Int64(4 * count)
                ).bytes)
        let samples = stride(from: 44, to: bytes.count, by: 4).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
        #expect(samples == (0..<Int64(count)).map(RampSource.value(of:)))
        let first = source.times[0].playTime.nanoseconds
        #expect(try folder.text(of: "a.wav.times").hasPrefix("# rate 44100 ppm -25\n0 \(first)\n"))
    }

    @Test("a second start is refused and does not truncate the file")
    func onlyOnce() throws {
        let folder = try TemporaryFolder()
        let output = WaveOutput(path: folder.file("a.wav"), periodFrames: 100, machine: SystemMachine())
        let source = RampSource(callCount: 3)
        try output.start(source)
        #expect(source.waitForCalls())
        #expect(throws: OutputError.self) { try output.start(RampSource()) }
        output.stop()
        #expect(try folder.bytes(of: "a.wav").count == 44 + source.times.count * 400)
    }

    @Test("a deallocated output ends by itself, its file complete")
    func letGo() throws {
        let folder = try TemporaryFolder()
        let source = RampSource(callCount: 3)
        var output: WaveOutput? = WaveOutput(
            path: folder.file("a.wav"), periodFrames: 100, machine: SystemMachine())
        try output?.start(source)
        #expect(source.waitForCalls())
        weak let released = output
        output = nil
        #expect(released == nil)
    }

    @Test("a path that cannot be written fails at the start")
    func refused() {
        let output = WaveOutput(path: "/nowhere/a.wav", machine: SystemMachine())
        #expect(throws: OutputError.self) { try output.start(RampSource()) }
        output.stop()
    }
}
