import CoreAudioTypes
import Testing

@Suite("Channel layouts")
struct ChannelLayoutTests {
    /// Three places: by labels, and by coordinates.
    private let described = ManagedAudioChannelLayout(channelDescriptions: [
        AudioChannelDescription(
            mChannelLabel: kAudioChannelLabel_Left, mChannelFlags: [], mCoordinates: (0, 0, 0)),
        AudioChannelDescription(
            mChannelLabel: kAudioChannelLabel_UseCoordinates,
            mChannelFlags: [.sphericalCoordinates, .meters], mCoordinates: (-30, 12.5, 2)),
        AudioChannelDescription(
            mChannelLabel: kAudioChannelLabel_Unknown, mChannelFlags: .rectangularCoordinates,
            mCoordinates: (-1, 0, 1)),
    ])

    private func bytes(_ layout: ManagedAudioChannelLayout) -> [UInt8] {
        let memory = layout.allocated()
        defer { memory.deallocate() }
        return Array(memory)
    }

    private func layout(_ bytes: [UInt8]) -> ManagedAudioChannelLayout? {
        bytes.withUnsafeBytes { ManagedAudioChannelLayout(bytes: $0) }
    }

    private func isSame(_ left: AudioChannelDescription, _ right: AudioChannelDescription) -> Bool {
        left.mChannelLabel == right.mChannelLabel && left.mChannelFlags == right.mChannelFlags
            && left.mCoordinates == right.mCoordinates
    }

    @Test("a layout counts the channels of the source that its tag selects")
    func counts() {
        #expect(described.numberOfChannels == 3)
        let places: AudioChannelBitmap = [.bit_Left, .bit_Right, .bit_LFEScreen]
        #expect(ManagedAudioChannelLayout(bitmap: places).numberOfChannels == 3)
        #expect(ManagedAudioChannelLayout(bitmap: []).numberOfChannels == 0)
        #expect(
            ManagedAudioChannelLayout(bitmap: AudioChannelBitmap(rawValue: .max)).numberOfChannels == 32)
        #expect(ManagedAudioChannelLayout(channelDescriptions: []).numberOfChannels == 0)
        // The tag decides, whatever the other fields hold.
        var layout = described
        layout.tag = kAudioChannelLayoutTag_Stereo
        #expect(layout.numberOfChannels == 2)
    }

    @Test("every description returns from the C form as it was, coordinates included")
    func roundTrip() throws {
        let memory = bytes(described)
        #expect(memory.count == 12 + 3 * 20)
        let back = try #require(layout(memory))
        #expect(back.tag == kAudioChannelLayoutTag_UseChannelDescriptions && back.bitmap.isEmpty)
        #expect(back.channelDescriptions.count == 3)
        for (left, right) in zip(back.channelDescriptions, described.channelDescriptions) {
            #expect(isSame(left, right))
        }
    }

    @Test("the C form of a tag or a bitmap has room for one description, as the C type has")
    func smallest() throws {
        let tagged = bytes(ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_MPEG_5_1_A))
        #expect(tagged.count == MemoryLayout<AudioChannelLayout>.size)
        #expect(tagged.dropFirst(4).allSatisfy { $0 == 0 })
        #expect(layout(tagged)?.tag == kAudioChannelLayoutTag_MPEG_5_1_A)
        let places = AudioChannelBitmap(rawValue: 0x8000_0003)
        #expect(layout(bytes(ManagedAudioChannelLayout(bitmap: places)))?.bitmap == places)
    }

    @Test("a C form of three words is a layout without descriptions; a shorter one is none")
    func short() {
        let words = Array(bytes(ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_Stereo)).prefix(12))
        #expect(layout(words)?.numberOfChannels == 2)
        for count in 0..<12 { #expect(layout(Array(words.prefix(count))) == nil) }
    }

    @Test(
        "a count of descriptions that exceeds the bytes makes no layout",
        arguments: [2, 3, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, UInt32.max])
    func overlong(count: UInt32) {
        var memory = bytes(ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_UseChannelDescriptions))
        for index in 0..<4 { memory[8 + index] = UInt8(truncatingIfNeeded: count >> UInt32(8 * index)) }
        #expect(layout(memory) == nil)
        // One byte too few for the last description.
        let whole = bytes(described)
        #expect(layout(Array(whole.dropLast())) == nil && layout(whole + [0]) != nil)
    }

    @Test("a layout in the caller's memory is read with its declared count, or within the caller's size")
    func pointers() throws {
        let memory = described.allocated()
        defer { memory.deallocate() }
        let start = try #require(memory.baseAddress)
        let pointer = UnsafePointer(start.assumingMemoryBound(to: AudioChannelLayout.self))
        #expect(ManagedAudioChannelLayout(pointer: pointer).channelDescriptions.count == 3)
        #expect(ManagedAudioChannelLayout(pointer: pointer, size: memory.count)?.numberOfChannels == 3)
        for size in [memory.count - 1, 12, 11, 0, -1, Int.min] {
            #expect(ManagedAudioChannelLayout(pointer: pointer, size: size) == nil)
        }
    }

    @Test("a bitmap keeps bits without a name")
    func bitmap() {
        let places = AudioChannelBitmap(rawValue: 1 << 31).union([.bit_Left, .bit_CenterSurround])
        #expect(places.rawValue == 0x8000_0101)
        #expect(places.subtracting(.bit_Left).contains(.bit_CenterSurround))
    }
}
