extension ManagedAudioChannelLayout {
    private static let headerSize = 12
    private static let descriptionSize = MemoryLayout<AudioChannelDescription>.stride

    /// Returns this layout in C form, with room for at least one description; the caller must deallocate the
    /// memory.
    package func allocated() -> UnsafeMutableRawBufferPointer {
        let size = Self.headerSize + max(1, channelDescriptions.count) * Self.descriptionSize
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        memory.storeBytes(of: tag, toByteOffset: 0, as: UInt32.self)
        memory.storeBytes(of: bitmap.rawValue, toByteOffset: 4, as: UInt32.self)
        memory.storeBytes(of: UInt32(channelDescriptions.count), toByteOffset: 8, as: UInt32.self)
        for (index, description) in channelDescriptions.enumerated() {
            memory.storeBytes(
                of: description, toByteOffset: Self.headerSize + index * Self.descriptionSize,
                as: AudioChannelDescription.self)
        }
        return memory
    }

    /// Creates a layout from its C form and trusts the number of descriptions that it declares.
    package init(pointer: UnsafePointer<AudioChannelLayout>) {
        let count = Int(pointer.pointee.mNumberChannelDescriptions)
        // A size computed from the layout's own count is always long enough.
        self =
            ManagedAudioChannelLayout(
                pointer: pointer, size: Self.headerSize + count * Self.descriptionSize)
            ?? ManagedAudioChannelLayout(tag: pointer.pointee.mChannelLayoutTag)
    }

    /// Creates a layout from its C form; `nil` if the layout declares more than `size` bytes hold.
    package init?(pointer: UnsafePointer<AudioChannelLayout>, size: Int) {
        self.init(bytes: UnsafeRawBufferPointer(start: UnsafeRawPointer(pointer), count: max(0, size)))
    }

    /// Creates a layout from its C form; `nil` if the layout declares more than the bytes hold.
    package init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headerSize else { return nil }
        let count = Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        guard count <= (bytes.count - Self.headerSize) / Self.descriptionSize else { return nil }
        self.init(
            tag: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self),
            bitmap: AudioChannelBitmap(rawValue: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)),
            channelDescriptions: (0..<count).map {
                bytes.loadUnaligned(
                    fromByteOffset: Self.headerSize + $0 * Self.descriptionSize,
                    as: AudioChannelDescription.self)
            })
    }
}
