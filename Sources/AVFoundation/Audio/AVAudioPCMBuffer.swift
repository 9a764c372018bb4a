import KeyValueObserving

/// Uncompressed audio in memory.
open class AVAudioPCMBuffer: AVAudioBuffer, @unchecked Sendable {
    // Safe to share: as the class above; the capacity is set by `init` alone, and the places of the channels never change.

    /// Frames there is room for.
    open private(set) var frameCapacity: AVAudioFrameCount
    private let channels: ChannelTable

    /// A buffer of silence with room for `frameCapacity` frames and none in use.
    ///
    /// `nil` if the format is not PCM, or there is no memory, or the bytes do not fit 32 bits.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let stream = format.stream
        let (bytes, overflow) = frameCapacity.multipliedReportingOverflow(by: stream.mBytesPerFrame)
        guard stream.isLinearPCM, stream.mBytesPerFrame > 0, !overflow,
            let storage = AudioBufferStorage(
                count: stream.bufferCount, bytesPerBuffer: bytes, channelsPerBuffer: stream.channelsPerBuffer)
        else { return nil }
        storage.usedBytes = 0
        self.frameCapacity = frameCapacity
        channels = ChannelTable(storage.whole, of: stream)
        super.init(format: format, storage: storage)
    }

    /// A buffer on the memory of a list, all of it in use.
    ///
    /// `nil` if the format is not PCM, or the list has another number of buffers or one without memory.
    ///
    /// - Parameter deallocator: called with `bufferList` when the last reference is gone, on that thread;
    ///   until then the list's memory must stay.
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
        channels = ChannelTable(storage.whole, of: stream)
        super.init(format: format, storage: storage)
    }

    /// Frames in use, at most ``frameCapacity``; 0 in a new buffer.
    ///
    /// The sizes of ``AVAudioBuffer/audioBufferList`` follow it. More than there is room for is a
    /// programmer's error.
    open var frameLength: AVAudioFrameCount {
        get { storage.usedBytes / format.stream.mBytesPerFrame }
        set {
            if isRightUse(newValue <= frameCapacity, "a buffer has no room for \(newValue) frames") {
                storage.usedBytes = newValue * format.stream.mBytesPerFrame
            }
        }
    }

    /// Samples from one frame of a channel to the next: 1, or the number of channels where they are
    /// interleaved.
    open var stride: Int { Int(format.stream.channelsPerBuffer) }

    /// Where each channel's samples begin, ``stride`` apart; `nil` unless they are 32-bit floats.
    open var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
        format.commonFormat == .pcmFormatFloat32 ? channels.pointers() : nil
    }

    /// Where each channel's samples begin, ``stride`` apart; `nil` unless they are 16-bit integers.
    open var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
        format.commonFormat == .pcmFormatInt16 ? channels.pointers() : nil
    }

    /// Where each channel's samples begin, ``stride`` apart; `nil` unless they are 32-bit integers.
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

/// Where each channel's first sample lies, in memory that programs see as an array of typed pointers.
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
    /// Buffers that hold one frame: one for each channel, or one for all.
    var bufferCount: Int { isNonInterleaved ? Int(mChannelsPerFrame) : 1 }
}
