import Testing
import TuttiWire

@testable import TuttiSoundServers

@Suite("Fields of PulseAudio's messages")
struct TagFieldsTests {
    private static func written(_ write: (inout TagWriter) -> Void) -> [UInt8] {
        var writer = TagWriter()
        write(&writer)
        return writer.bytes
    }

    @Test("fields are read as they were written, at their limits")
    func roundTrip() throws {
        var reader = TagReader(
            Self.written { writer in
                writer.integer(.max)
                writer.integer(0)
                writer.boolean(true)
                writer.boolean(false)
                writer.text("Küche \u{1F3B5}")
                writer.text("")
                writer.time(NativeTime(seconds: .max, microseconds: 999_999))
                writer.sampleSpecification(
                    NativeSampleSpecification(format: .max, channelCount: 255, hertz: .max))
                writer.stereoMap()
                writer.volumes([0])
                writer.volumes([UInt32](repeating: .max, count: 32))
                writer.integer(7)
            })
        #expect(try reader.integer("a") == .max)
        #expect(try reader.integer("b") == 0)
        #expect(try reader.boolean("c") == true)
        #expect(try reader.boolean("d") == false)
        try reader.skipText("e")
        try reader.skipText("f")
        #expect(try reader.time("g") == NativeTime(seconds: .max, microseconds: 999_999))
        let specification = try reader.sampleSpecification("h")
        #expect(specification.channelCount == 255 && specification.hertz == .max)
        try reader.skipChannelMap("i")
        #expect(try reader.volumes("j") == [0])
        #expect(try reader.volumes("k") == [UInt32](repeating: .max, count: 32))
        #expect(try reader.integer("l") == 7)
        #expect(throws: WireError.truncated(field: "m", needed: 1, available: 0)) { try reader.integer("m") }
    }

    @Test("a field of another type is refused with its name and its type")
    func types() {
        let integer = Self.written { $0.integer(1) }
        let error = WireError.unexpected(field: "x", value: UInt64(UInt8(ascii: "L")))
        #expect(throws: error) {
            var reader = TagReader(integer)
            try reader.skipText("x")
        }
        #expect(throws: error) {
            var reader = TagReader(integer)
            _ = try reader.boolean("x")
        }
        #expect(throws: error) {
            var reader = TagReader(integer)
            _ = try reader.time("x")
        }
        #expect(throws: error) {
            var reader = TagReader(integer)
            _ = try reader.volumes("x")
        }
        #expect(throws: error) {
            var reader = TagReader(integer)
            try reader.skipArbitrary("x")
        }
        #expect(throws: WireError.unexpected(field: "x", value: UInt64(UInt8(ascii: "1")))) {
            var reader = TagReader(Self.written { $0.boolean(true) })
            _ = try reader.integer("x")
        }
    }

    @Test("numbers of channels beyond the limit are refused", arguments: [UInt8(0), 33, 255])
    func channels(count: UInt8) {
        let error = WireError.outOfRange(field: "x", value: UInt64(count))
        let content = [UInt8](repeating: 0, count: 4 * 255)
        #expect(throws: error) {
            var reader = TagReader([UInt8(ascii: "v"), count] + content)
            _ = try reader.volumes("x")
        }
        #expect(throws: error) {
            var reader = TagReader([UInt8(ascii: "m"), count] + content)
            try reader.skipChannelMap("x")
        }
    }

    @Test("a text without its end, and bytes shorter than their length, are refused")
    func truncated() {
        #expect(throws: WireError.truncated(field: "x", needed: 1, available: 0)) {
            var reader = TagReader([UInt8(ascii: "t"), 0x61, 0x62])
            try reader.skipText("x")
        }
        #expect(throws: WireError.truncated(field: "x", needed: 4_294_967_295, available: 2)) {
            var reader = TagReader([UInt8(ascii: "x"), 0xFF, 0xFF, 0xFF, 0xFF, 1, 2])
            try reader.skipArbitrary("x")
        }
        #expect(throws: WireError.truncated(field: "x", needed: 4, available: 3)) {
            var reader = TagReader([UInt8(ascii: "v"), 2, 0, 0, 0, 1, 0, 0, 0])
            _ = try reader.volumes("x")
        }
    }

    @Test("a text may be absent, and ends at its first zero")
    func texts() throws {
        var reader = TagReader([UInt8(ascii: "N")] + Self.written { $0.integer(5) })
        try reader.skipText("x")
        #expect(try reader.integer("y") == 5)
        #expect(Self.written { $0.text("a\u{0}b") } == [UInt8(ascii: "t"), 0x61, 0])
    }
}
