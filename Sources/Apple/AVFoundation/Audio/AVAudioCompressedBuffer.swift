import TuttiKeyValueObserving

/// Compressed audio in memory: packets, with packet descriptions if the packet sizes vary.
open class AVAudioCompressedBuffer: AVAudioBuffer, @unchecked Sendable {
    // Safe to share: see the superclass; the program must synchronize access to the number of packets.

    /// The capacity in packets.
    public let packetCapacity: AVAudioPacketCount
    /// The size in bytes of the largest packet that fits.
    public let maximumPacketSize: Int
    /// Descriptions of the packets; `nil` if all packets of the format have a constant size. The pointer is
    /// valid as long as this object lives.
    public let packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?

    private var usedPackets: AVAudioPacketCount = 0

    /// Creates a buffer for packets of variable size.
    ///
    /// A PCM format or a size above 32 bits stops a debug build. In a release build, a size above 32 bits
    /// makes a buffer without capacity.
    public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) {
        let storage = Self.storage(packetCapacity, maximumPacketSize, channels: format.channelCount)
        checkAPIUse(
            storage != nil && !format.stream.isLinearPCM,
            "a compressed buffer must fit 32 bits, and must not be PCM")
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

    /// Creates a buffer for packets of the format's constant size.
    public convenience init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
        self.init(
            format: format, packetCapacity: packetCapacity,
            maximumPacketSize: Int(format.stream.mBytesPerPacket))
    }

    deinit { packetDescriptions?.deallocate() }

    /// Packets in use, at most ``packetCapacity``; a larger value stops a debug build and is otherwise ignored.
    open var packetCount: AVAudioPacketCount {
        get { usedPackets }
        set {
            if checkAPIUse(newValue <= packetCapacity, "a buffer has no room for \(newValue) packets") {
                usedPackets = newValue
            }
        }
    }

    /// The bytes of the packets.
    open var data: UnsafeMutableRawPointer {
        storage.bufferList[0].mData ?? UnsafeMutableRawPointer(storage.bufferList.unsafeMutablePointer)
    }

    /// The capacity in bytes.
    open var byteCapacity: UInt32 { storage.bytesPerBuffer }

    /// Bytes in use, at most ``byteCapacity``; a larger value stops a debug build and is otherwise ignored.
    open var byteLength: UInt32 {
        get { storage.usedBytes }
        set {
            if checkAPIUse(newValue <= byteCapacity, "a buffer has no room for \(newValue) bytes") {
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
