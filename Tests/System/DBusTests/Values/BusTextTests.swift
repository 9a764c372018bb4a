import Testing

@testable import TuttiDBus

@Suite struct BusTextTests {
    /// Swift takes some noncharacters in no literal.
    private func text(_ scalars: [UInt32]) -> String {
        String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
    }

    @Test(
        "zeros and noncharacters are taken out of a text",
        arguments: [0, 0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10_FFFF] as [UInt32])
    func noncharacters(_ scalar: UInt32) {
        #expect(BusText.sendable(text([0x61, scalar, 0x62])) == "ab")
    }

    @Test(
        "other texts stay as they are",
        arguments: [0xFDCF, 0xFDF0, 0xFFFD, 0xE000, 0x1FFFD, 0x1FDD0, 0x1F3B5, 0x6771, 0xFC] as [UInt32])
    func others(_ scalar: UInt32) {
        let text = text([0x61, scalar, 0x62])
        #expect(BusText.sendable(text).unicodeScalars.elementsEqual(text.unicodeScalars))
    }
}

@Suite struct UnsentMessagesTests {
    @Test("the bytes that wait are those of the last messages")
    func bytes() {
        var messages = UnsentMessages()
        for size in [100, 20, 3] { messages.add(size) }
        // One of libsystemd's own waits too.
        messages.keep(4)
        #expect(messages.bytes == 123)
        messages.keep(2)
        #expect(messages.bytes == 23)
        messages.keep(0)
        #expect(messages.bytes == 0)
    }
}
