import Testing
import TuttiTestSupport
import TuttiWire

@testable import CoreMedia

@Suite("Sequence parameter sets")
struct SequenceParametersTests {
    @Test("an H.264 set of an encoder is read as FFmpeg reads it", arguments: ParameterSetVector.h264)
    func h264(vector: ParameterSetVector) throws {
        let sequence = try H264SequenceParameters(nalUnit: vector.sequence)
        #expect(sequence.width == vector.width && sequence.height == vector.height)
        #expect(sequence.usability.pixelAspectRatio == vector.ratio)
        #expect(sequence.usability.isFullRange == vector.isFullRange)
        #expect(sequence.usability.colors == vector.colors)
        #expect(sequence.usability.chromaLocations == nil)
        #expect([sequence.profile, sequence.constraints, sequence.level] == Array(vector.sequence[1...3]))
    }

    @Test("an HEVC set of an encoder is read as FFmpeg reads it", arguments: ParameterSetVector.hevc)
    func hevc(vector: ParameterSetVector) throws {
        let sequence = try HEVCSequenceParameters(nalUnit: vector.sequence)
        #expect(sequence.width == vector.width && sequence.height == vector.height)
        #expect(sequence.usability.pixelAspectRatio == vector.ratio)
        #expect(sequence.usability.isFullRange == vector.isFullRange)
        #expect(sequence.usability.colors == vector.colors)
        let places = vector.chromaLocation.map { VideoUsability.ChromaLocations(top: $0, bottom: $0) }
        #expect(sequence.usability.chromaLocations == places)
    }

    @Test("chroma formats and bit depths are read")
    func depths() throws {
        func h264(_ index: Int) throws -> H264SequenceParameters.Depth? {
            try H264SequenceParameters(nalUnit: ParameterSetVector.h264[index].sequence).depth
        }
        func depth(_ chroma: UInt8, _ bits: UInt8) -> H264SequenceParameters.Depth {
            .init(chromaFormat: chroma, luma: bits, chroma: bits, hasSeparateColors: false)
        }
        #expect(try h264(0) == depth(1, 8) && h264(2) == nil)
        #expect(try h264(6) == depth(3, 8) && h264(7) == depth(2, 10) && h264(8) == depth(0, 8))
        func hevc(_ index: Int) throws -> [UInt8] {
            let sequence = try HEVCSequenceParameters(nalUnit: ParameterSetVector.hevc[index].sequence)
            return [sequence.chromaFormat, sequence.lumaDepth, sequence.chromaDepth, sequence.layerCount]
        }
        #expect(try hevc(0) == [1, 8, 8, 1] && hevc(1) == [1, 10, 10, 1])
        #expect(try hevc(3) == [2, 8, 8, 1] && hevc(4) == [3, 12, 12, 1])
    }

    @Test("sets with every tool are read to their end", arguments: 0..<200)
    func crafted(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let first = CraftedSequence.h264(&random)
        let h264 = try H264SequenceParameters(nalUnit: first.nalUnit)
        #expect(h264.width == first.width && h264.height == first.height)
        #expect(h264.usability.pixelAspectRatio == first.ratio)
        #expect(h264.usability.chromaLocations == .init(top: 5, bottom: 0))
        let second = CraftedSequence.hevc(&random)
        let hevc = try HEVCSequenceParameters(nalUnit: second.nalUnit)
        #expect(hevc.width == second.width && hevc.height == second.height)
        #expect(hevc.usability.pixelAspectRatio == second.ratio)
        #expect(hevc.usability.chromaLocations == .init(top: 5, bottom: 0))
    }

    @Test("numbers are read as the standard's tables list them")
    func exponentialNumbers() throws {
        // Codes 1, 010, 011, 00100, 00101: the numbers 0…4, or 0, 1, −1, 2, −2.
        let all: [UInt8] = [0b1010_0110, 0b0100_0010, 0b1000_0000]
        var reader = BitReader(nalUnit: all)
        for number: UInt32 in 0...4 { #expect(try reader.exponential(field: "number") == number) }
        reader = BitReader(nalUnit: all)
        for number in [0, 1, -1, 2, -2] { #expect(try reader.signedExponential(field: "number") == number) }
        #expect(reader.remaining == 7)
        // 31 zeros: the largest number that fits 32 bits with one to spare.
        reader = BitReader(nalUnit: [0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try reader.exponential(field: "number") == 510)
        var writer = BitWriter()
        writer.exponential(Int(UInt32.max) - 1)
        writer.signedExponential(Int(Int32.min) + 1)
        reader = BitReader(nalUnit: writer.nalUnit)
        #expect(try reader.exponential(field: "number") == .max - 1)
        #expect(try reader.signedExponential(field: "number") == Int(Int32.min) + 1)
    }

    @Test("a number with too many zeros, too few bits or above its limit is an error")
    func badNumbers() {
        var zeros = BitReader(nalUnit: [0, 1, 0, 1, 0, 1, 0, 1])
        #expect(throws: Never.self) { try zeros.skip(16, field: "start") }
        var long = BitReader(nalUnit: Array(repeating: 0, count: 9).map { $0 as UInt8 })
        #expect(throws: WireError.outOfRange(field: "number", value: .max)) {
            try long.exponential(field: "number")
        }
        var short = BitReader(nalUnit: [0x08])
        #expect(throws: WireError.truncated(field: "number", needed: 1, available: 0)) {
            try short.exponential(field: "number")
        }
        var high = BitReader(nalUnit: [0b0010_0000])
        #expect(throws: WireError.outOfRange(field: "number", value: 3)) {
            try high.exponential(upTo: 2, field: "number")
        }
        var empty = BitReader(nalUnit: [])
        #expect(throws: WireError.truncated(field: "bits", needed: 5, available: 0)) {
            try empty.bits(33, field: "bits")
        }
    }

    @Test("emulation prevention bytes are left out")
    func emulationPrevention() throws {
        var reader = BitReader(nalUnit: [0, 0, 3, 1, 0, 0, 3, 0, 0, 3, 3])
        #expect(reader.remaining == 64)
        let bytes = try (0..<8).map { _ in try reader.bits(8, field: "byte") }
        #expect(bytes == [0, 0, 1, 0, 0, 0, 0, 3])
    }

    @Test("crops that leave nothing, and sizes above 65,535, are errors")
    func sizes() {
        func sequence(columns: Int, rows: Int, crop: Int, hasOnlyFrames: Bool = true) throws {
            var output = BitWriter()
            for byte in [0x67, 66, 0, 30] { output.bits(byte, 8) }
            for value in [0, 0, 2, 1] { output.exponential(value) }
            output.flag(false)
            output.exponential(columns - 1)
            output.exponential(rows - 1)
            output.flag(hasOnlyFrames)
            if !hasOnlyFrames { output.flag(false) }
            output.flag(true)
            output.flag(true)
            for value in [crop, 0, crop, 0] { output.exponential(value) }
            output.flag(false)
            let found = try H264SequenceParameters(nalUnit: output.nalUnit)
            #expect(found.width == columns * 16 - crop * 2)
        }
        #expect(throws: Never.self) { try sequence(columns: 1, rows: 1, crop: 7) }
        #expect(throws: WireError.self) { try sequence(columns: 1, rows: 1, crop: 8) }
        #expect(throws: WireError.self) { try sequence(columns: 1, rows: 1, crop: Int(UInt32.max) - 1) }
        #expect(throws: Never.self) { try sequence(columns: 4095, rows: 4095, crop: 0) }
        #expect(throws: WireError.self) { try sequence(columns: 4096, rows: 1, crop: 0) }
        #expect(throws: WireError.self) {
            try sequence(columns: 1, rows: 4095, crop: 0, hasOnlyFrames: false)
        }
    }
}
