import CTuttiFFmpeg
import Testing
import TuttiPCM
import TuttiTestMedia

@testable import TuttiCodecs

@Suite("Lengths of FLAC packets")
struct FLACFrameHeaderTests {
    static let headers: [([UInt8], Int64)] = [
        ([0xFF, 0xF8, 0xC9, 0x18, 0x00, 0, 0], 4096), ([0xFF, 0xF8, 0x19, 0x18, 0x00, 0, 0], 192),
        ([0xFF, 0xF8, 0x59, 0x18, 0x00, 0, 0], 4608), ([0xFF, 0xF8, 0x69, 0x18, 0x05, 0x0F, 0, 0], 16),
        ([0xFF, 0xF8, 0x79, 0x18, 0xC2, 0x80, 0x07, 0x97, 0], 1944),
        ([0xFF, 0xF8, 0x79, 0x18, 0xC2, 0x80, 0x07], 0), ([0xFF, 0xF8, 0x09, 0x18, 0, 0, 0], 0),
        ([0xFF, 0xE0, 0xC9, 0x18, 0, 0, 0], 0), ([], 0),
    ]

    @Test("the packet length is read from the frame header", arguments: headers)
    func parses(bytes: [UInt8], count: Int64) {
        #expect(FLACFrameHeader.frameCount(bytes) == count)
    }

    @Test("header lengths agree with the container's")
    func file() throws {
        let folder = try TestFolder()
        try MediaFile.kind("a.flac").write(Signal.sweep(frameCount: 50_001), to: folder.file("a.flac"))
        let reader = try MediaReader(folder.file("a.flac"))
        var total: Int64 = 0
        while let packet = try reader.nextPacket() {
            #expect(FLACFrameHeader.frameCount(packet.payload) == Int64(packet.duration))
            total += FLACFrameHeader.frameCount(packet.payload)
        }
        #expect(total == 50_001)
    }
}
