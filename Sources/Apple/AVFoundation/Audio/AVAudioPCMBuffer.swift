import TuttiKeyValueObserving

/// Uncompressed audio in memory.
open class AVAudioPCMBuffer: AVAudioBuffer, @unchecked Sendable {
    // Safe to share: see the superclass; only `init` sets the capacity and the channel pointers.

    /// The capacity in frames.
    open private(set) var frameCapacity: AVAudioFrameCount
    private let channels: ChannelTable

    /// Creates a silent buffer with room for `frameCapacity` frames and none in use.
    ///
    /// `nil` if the format is not PCM, memory is exhausted, or the size in bytes exceeds 32 bits.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let stream = format.stream
        let (bytes, overflow) = frameCapacity.multipliedReportingOverflow(by: stream.mBytesPerFrame)
        guard stream.isLinearPCM, stream.mBytesPerFrame > 0, !overflow,
            let storage = AudioBufferStorage(
                count: stream.bufferCount, bytesPerBuffer: bytes, channelsPerBuffer: stream.channelsPerBuffer)
        else { return nil }
        storage.usedBytes = 0
        self.frameCapacity = frameCapacity
        channels = ChannelTable(storage.bufferList, of: stream)
        super.init(format: format, storage: storage)
    }

    /// Creates a buffer on the memory of a list without copying; all frames are in use.
    ///
    /// `nil` if the format is not PCM, the list has another number of buffers, or a buffer has no memory.
    ///
    /// - Parameter deallocator: Called with `bufferList` on the thread that releases the last reference;
    ///   the list's memory must stay valid until then.
    public init?(
        pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
    ) {
        let stream = format.stream
        let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
        guard stream.isLinearPCM, stream.mBytesPerFrame > 0, list.count == stream.bufferCount,
            list.allSatisfy({ $0.mData != nil })
        else { return nil }
        let storage = AudioBufferStorage(borrowing: list) { deallocator?(bufferList) }
        frameCapacity = storage.bytesPerBuffer / stream.mBytesPerFrame
        channels = ChannelTable(storage.bufferList, of: stream)
        super.init(format: format, storage: storage)
    }

    /// Frames in use, at most ``frameCapacity``; 0 in a new buffer.
    ///
    /// Setting it also sets the sizes in ``AVAudioBuffer/audioBufferList``. A length above the capacity
    /// stops a debug build; a release build logs and ignores it.
    open var frameLength: AVAudioFrameCount {
        get { storage.usedBytes / format.stream.mBytesPerFrame }
        set {
            if checkAPIUse(newValue <= frameCapacity, "a buffer has no room for \(newValue) frames") {
                storage.usedBytes = newValue * format.stream.mBytesPerFrame
            }
        }
    }

    /// The distance in samples between frames of a channel: 1, or the channel count if interleaved.
    open var stride: Int { Int(format.stream.channelsPerBuffer) }

    /// Pointers to each channel's samples, which are ``stride`` apart; `nil` unless they are 32-bit floats.
    open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
        format.commonFormat == .pcmFormatFloat32 ? channels.pointers() : nil
    }

    /// Pointers to each channel's samples, which are ``stride`` apart; `nil` unless they are 16-bit integers.
    open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
        format.commonFormat == .pcmFormatInt16 ? channels.pointers() : nil
    }

    /// Pointers to each channel's samples, which are ``stride`` apart; `nil` unless they are 32-bit integers.
    open var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
        format.commonFormat == .pcmFormatInt32 ? channels.pointers() : nil
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else {
            preconditionFailure("no memory for a copy of an audio buffer")
        }
        copy.storage.copy(from: storage)
        return copy
    }
}

/// A table of pointers to each channel's first sample, exposed to programs as an array of typed pointers.
private final class ChannelTable {
    private let table: UnsafeMutableRawPointer

    init(_ list: UnsafeMutableAudioBufferListPointer, of stream: AudioStreamBasicDescription) {
        let step = MemoryLayout<UnsafeMutableRawPointer?>.stride
        table = .allocate(byteCount: max(1, Int(stream.mChannelsPerFrame)) * step, alignment: step)
        let width = Int(stream.mBytesPerFrame / max(1, stream.channelsPerBuffer))
        for channel in 0..<Int(stream.mChannelsPerFrame) {
            let place =
                stream.isNonInterleaved ? list[channel].mData : list[0].mData.map { $0 + channel * width }
            table.storeBytes(of: place, toByteOffset: channel * step, as: UnsafeMutableRawPointer?.self)
        }
    }

    deinit { table.deallocate() }

    func pointers<Sample>() -> UnsafePointer<UnsafeMutablePointer<Sample>> {
        UnsafePointer(table.assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self))
    }
}

extension AudioStreamBasicDescription {
    /// The number of buffers: one for each channel, or one for all channels.
    var bufferCount: Int { isNonInterleaved ? Int(mChannelsPerFrame) : 1 }
}
