import KeyValueObserving

/// Compressed audio in memory: packets, with a description of each where their sizes vary.
open class AVAudioCompressedBuffer: AVAudioBuffer, @unchecked Sendable {
    // Safe to share: as the class above; the number of packets lies in memory that is the program's to order.

    /// Packets there is room for.
    public let packetCapacity: AVAudioPacketCount
    /// Bytes of the largest packet there is room for.
    public let maximumPacketSize: Int
    /// Where each packet lies; `nil` in formats whose packets have a constant size. Lives as long as this
    /// object.
    public let packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

    private var usedPackets: AVAudioPacketCount = 0

    /// A buffer for packets of a variable size.
    ///
    /// A programmer's error for PCM, or for more than fits 32 bits; in release the buffer has no room then.
    public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
        let storage = Self.storage(packetCapacity, maximumPacketSize, channels: format.channelCount)
        isRightUse(
            storage != nil && !format.stream.isLinearPCM, "a compressed buffer fits 32 bits, and is not PCM")
        self.packetCapacity = storage == nil ? 0 : packetCapacity
        self.maximumPacketSize = storage == nil ? 0 : maximumPacketSize
        packetDescriptions = Self.descriptions(of: format.stream, count: Int(self.packetCapacity))
        super.init(format: format, storage: storage ?? .empty)
        self.storage.usedBytes = 0
    }

    private static func storage(
        _ packetCapacity: AVAudioPacketCount, _ packetSize: Int, channels: AVAudioChannelCount
    ) -> AudioBufferStorage? {
        guard let size = UInt32(exactly: packetSize) else { return nil }
        let (bytes, overflow) = size.multipliedReportingOverflow(by: packetCapacity)
        if overflow { return nil }
        return AudioBufferStorage(count: 1, bytesPerBuffer: bytes, channelsPerBuffer: channels)
    }

    private static func descriptions(
        of stream: AudioStreamBasicDescription, count: Int
    ) -> UnsafeMutablePointer<AudioStreamPacketDescription>? {
        guard stream.mBytesPerPacket == 0 || stream.mFramesPerPacket == 0 else { return nil }
        let room = max(1, count)
        let descriptions = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: room)
        descriptions.initialize(repeating: AudioStreamPacketDescription(), count: room)
        return descriptions
    }

    /// A buffer for packets of the format's constant size.
    public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
        self.init(
            format: format, packetCapacity: packetCapacity,
            maximumPacketSize: Int(format.stream.mBytesPerPacket))
    }

    deinit { packetDescriptions?.deallocate() }

    /// Packets in use, at most ``packetCapacity``; more is a programmer's error.
    open var packetCount: AVAudioPacketCount {
        get { usedPackets }
        set {
            if isRightUse(newValue <= packetCapacity, "a buffer has no room for \(newValue) packets") {
                usedPackets = newValue
            }
        }
    }

    /// The bytes of the packets.
    open var data: UnsafeMutableRawPointer {
        storage.whole[0].mData ?? UnsafeMutableRawPointer(storage.whole.unsafeMutablePointer)
    }

    /// Bytes there is room for.
    open var byteCapacity: UInt32 { storage.bytesPerBuffer }

    /// Bytes in use, at most ``byteCapacity``; more is a programmer's error.
    open var byteLength: UInt32 {
        get { storage.usedBytes }
        set {
            if isRightUse(newValue <= byteCapacity, "a buffer has no room for \(newValue) bytes") {
                storage.usedBytes = newValue
            }
        }
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = AVAudioCompressedBuffer(
            format: format, packetCapacity: packetCapacity, maximumPacketSize: maximumPacketSize)
        copy.storage.copy(from: storage)
        copy.packetCount = min(packetCount, copy.packetCapacity)
        if let from = packetDescriptions, let to = copy.packetDescriptions {
            to.update(from: from, count: Int(copy.packetCount))
        }
        return copy
    }
}
