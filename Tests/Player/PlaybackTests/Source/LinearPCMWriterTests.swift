import CoreMedia
import Testing
import TuttiMediaTime
import TuttiPCM

@testable import Playback

@Suite("Linear PCM in every layout")
struct LinearPCMWriterTests {
    struct Layout: Sendable, CustomStringConvertible {
        var bits: Int
        var isFloat = false
        var isBigEndian = false
        var isInterleaved = true

        var description: String {
            "\(bits)\(isFloat ? " float" : "")\(isBigEndian ? " big" : "")\(isInterleaved ? "" : " planes")"
        }

        func target(channels: Int = 2) -> LinearPCMTarget? {
            LinearPCMTarget(
                sampleRate: .hz44100, channelCount: channels, bits: bits, isFloat: isFloat,
                isBigEndian: isBigEndian, isInterleaved: isInterleaved)
        }
    }

    static let layouts = [false, true].flatMap { isBigEndian in
        [true, false].flatMap { isInterleaved in
            [(16, false), (24, false), (32, false), (32, true), (64, true)].map {
                Layout(
                    bits: $0.0, isFloat: $0.1, isBigEndian: isBigEndian, isInterleaved: isInterleaved)
            }
        }
    }

    private func sound(_ format: SampleFormat) -> PCMBuffer {
        let samples: [Float] = [-1, 0.999_969_48, 0, 0.5, -0.25, 0.125, 1 / 32_768, -1 / 32_768]
        var converter = SampleConverter(to: format)
        return converter.convert(PCMBuffer(sampleRate: .hz44100, channelCount: 2, samples: samples))
    }

    @Test("written samples read back", arguments: layouts)
    func roundTrip(layout: Layout) throws {
        let target = try #require(layout.target())
        let sound = sound(target.writer.sampleFormat)
        let bytes = target.writer.bytes(of: sound)
        #expect(bytes.count == 8 * layout.bits / 8)
        let block = try CMBlockBuffer(length: bytes.count)
        try bytes.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
        let reader = try PCMSampleReader(target.description, sampleRate: .hz44100)
        #expect(try reader.read(block, frameCount: sound.frameCount) == sound)
    }

    @Test("bytes follow the layout")
    func places() throws {
        let samples = PCMBuffer(
            sampleRate: .hz44100, channelCount: 2, samples: [0x0102, 0x0304, 0x0506, -2] as [Int16])
        let planes = try #require(Layout(bits: 16, isBigEndian: true, isInterleaved: false).target())
        #expect(planes.writer.bytes(of: samples) == [1, 2, 5, 6, 3, 4, 0xFF, 0xFE])
        #expect(planes.description.mBytesPerFrame == 2)
        let deep = PCMBuffer(
            sampleRate: .hz44100, channelCount: 1, samples: [0x0102_0300, -0x100] as [Int32], is24Bit: true)
        let packed = try #require(Layout(bits: 24).target(channels: 1))
        #expect(packed.writer.bytes(of: deep) == [3, 2, 1, 0xFF, 0xFF, 0xFF])
    }

    @Test("8-bit samples are rounded to the nearest, and clamped at full scale")
    func eightBits() throws {
        let target = try #require(Layout(bits: 8).target(channels: 1))
        let samples: [Int16] = [0x0100, 0x017F, 0x0180, .max, .min, -0x0180, -0x0181]
        let buffer = PCMBuffer(sampleRate: .hz44100, channelCount: 1, samples: samples)
        #expect(target.writer.bytes(of: buffer) == [1, 1, 2, 0x7F, 0x80, 0xFF, 0xFE])
    }

    @Test("unsupported layouts are refused")
    func refused() {
        for layout in [Layout(bits: 12), Layout(bits: 64), Layout(bits: 16, isFloat: true), Layout(bits: 0)] {
            #expect(layout.target() == nil, "\(layout)")
        }
        #expect(Layout(bits: 16).target(channels: 0) == nil)
        #expect(Layout(bits: 16).target(channels: 65) == nil)
    }
}
