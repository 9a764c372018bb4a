import Testing

@testable import Playback

@Suite("Formats of raw samples")
struct LiveFormatTests {
    @Test(
        "formats are read as they are written",
        arguments: [
            ("s16le/44100/2", "s16le/44100/2"), ("S24LE/96000/1", "s24le/96000/1"),
            ("f32le/8000/2", "f32le/8000/2"),
            ("48000:16:2", "s16le/48000/2"), ("44100:24:2", "s24le/44100/2"),
        ])
    func spelling(text: String, expected: String) throws {
        #expect("\(try LiveFormat(text))" == expected)
    }

    @Test(
        "anything else is refused with a sentence",
        arguments: [
            "", "s16le", "s16be/44100/2", "s16le/44100/3", "s16le/44100/0", "s16le/7999/2", "s16le/192001/2",
            "s16le/-1/2", "s16le/44100/2/1", "44100:12:2", "s16le/99999999999999999999/2",
        ])
    func refused(text: String) {
        let error = #expect(throws: LiveFormatError.self) { try LiveFormat(text) }
        #expect(error?.description.contains("such as s16le/44100/2") == true)
    }

    @Test("samples of every kind have their values; one channel is heard on both sides")
    func samples() throws {
        let bytes: [(String, [UInt8])] = [
            ("s16le/44100/1", [0x00, 0xC0]), ("s24le/44100/1", [0, 0, 0xC0]),
            ("s32le/44100/1", [0, 0, 0, 0xC0]),
            ("f32le/44100/1", [0, 0, 0, 0xBF]),
        ]
        for (format, bytes) in bytes {
            #expect(try LiveFormat(format).sound(of: bytes).frames == [-0.5, -0.5], "\(format)")
        }
        let stereo = try LiveFormat("s16le/44100/2").sound(of: [1, 0, 0xFF, 0xFF, 9])
        #expect(stereo.frames == [1 / 0x1p15, -1 / 0x1p15])
    }

    @Test("junk in place of floats stays within full scale")
    func junk() throws {
        let bytes: [UInt8] = [0, 0, 0x80, 0x7F, 0, 0, 0xC0, 0x7F, 0xFF, 0xFF, 0x7F, 0x7F, 0, 0, 0x80, 0xFF]
        let frames = try LiveFormat("f32le/44100/2").sound(of: bytes).frames
        #expect(frames == [0, 0, 1, 0])
    }
}
