import Foundation

/// Audio samples in memory that someone else owns.
public struct AudioBuffer: BitwiseCopyable {
    /// Interleaved channels in the buffer.
    public var mNumberChannels: UInt32
    /// Bytes in the buffer.
    public var mDataByteSize: UInt32
    /// The bytes.
    public var mData: UnsafeMutableRawPointer?

    /// No buffer.
    public init() { self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }

    /// Takes the fields as they are.
    public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
        self.mNumberChannels = mNumberChannels
        self.mDataByteSize = mDataByteSize
        self.mData = mData
    }

    /// The memory of samples that the caller keeps.
    public init<Element>(_ typedBuffer: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
        let size = typedBuffer.count * MemoryLayout<Element>.stride
        self.init(
            mNumberChannels: UInt32(numberOfChannels), mDataByteSize: UInt32(size),
            mData: UnsafeMutableRawPointer(typedBuffer.baseAddress))
    }
}

extension UnsafeBufferPointer {
    /// The samples of a buffer, to read; a last incomplete one is left out.
    public init(_ audioBuffer: AudioBuffer) {
        self.init(UnsafeMutableBufferPointer<Element>(audioBuffer))
    }
}

extension UnsafeMutableBufferPointer {
    /// The samples of a buffer; a last incomplete one is left out.
    public init(_ audioBuffer: AudioBuffer) {
        let count = Int(audioBuffer.mDataByteSize) / MemoryLayout<Element>.stride
        let start = audioBuffer.mData?.assumingMemoryBound(to: Element.self)
        self.init(start: start, count: start == nil ? 0 : count)
    }
}

/// Several buffers in their C form: more buffers may follow the first in memory.
public struct AudioBufferList: BitwiseCopyable {
    /// How many buffers there are.
    public var mNumberBuffers: UInt32
    /// The first buffer.
    public var mBuffers: AudioBuffer

    /// No buffer.
    public init() { self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

    /// Takes the fields as they are.
    public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
        self.mNumberBuffers = mNumberBuffers
        self.mBuffers = mBuffers
    }

    /// Bytes of a list of at most this many buffers; a list has room for one at least.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        MemoryLayout<AudioBufferList>.size + max(0, maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
    }

    /// Makes a list with room for `maximumBuffers`. Give its pointer back with `free`.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        let size = sizeInBytes(maximumBuffers: maximumBuffers)
        guard let memory = calloc(1, size) else { preconditionFailure("no memory for an audio buffer list") }
        let list = memory.bindMemory(to: AudioBufferList.self, capacity: 1)
        let pointer = UnsafeMutableAudioBufferListPointer(list)
        list.pointee.mNumberBuffers = UInt32(maximumBuffers)
        return pointer
    }
}

/// The buffers of an ``AudioBufferList`` as a collection.
///
/// Reads as many buffers as the list says; the memory is the caller's.
public struct UnsafeMutableAudioBufferListPointer: Hashable {
    /// The list.
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// The buffers of the list at `pointer`.
    public init(_ pointer: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = pointer }

    /// The buffers of the list at `pointer`, unless there is none.
    public init?(_ pointer: UnsafeMutablePointer<AudioBufferList>?) {
        guard let pointer else { return nil }
        unsafeMutablePointer = pointer
    }

    /// The list, read only.
    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

    /// How many buffers the list has.
    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
    }

    private var buffers: UnsafeMutablePointer<AudioBuffer> {
        let offset = MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
        return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset)
            .assumingMemoryBound(to: AudioBuffer.self)
    }
}

extension UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
    /// 0: the index of the first buffer.
    public var startIndex: Int { 0 }
    /// The number of buffers.
    public var endIndex: Int { count }

    /// The buffer at an index below ``count``, in the list's own memory.
    public subscript(index: Int) -> AudioBuffer {
        get {
            precondition(index >= 0 && index < count, "audio buffer index out of range")
            return buffers[index]
        }
        nonmutating set {
            precondition(index >= 0 && index < count, "audio buffer index out of range")
            buffers[index] = newValue
        }
    }
}
