/// The memory of an audio buffer, with the two buffer lists that programs see.
///
/// The first list has the used size of each buffer, the second list the capacity.
final class AudioBufferStorage {
    /// The list with the used sizes.
    let used: UnsafeMutableAudioBufferListPointer
    /// The list with the capacities, until the program changes the sizes.
    let bufferList: UnsafeMutableAudioBufferListPointer
    /// The capacity of each buffer in bytes.
    let bytesPerBuffer: UInt32

    private let release: () -> Void

    /// Allocates `count` zeroed buffers of `bytesPerBuffer`; `nil` if memory is exhausted.
    init?(count: Int, bytesPerBuffer: UInt32, channelsPerBuffer: UInt32) {
        let alignment = 64
        let stride = (Int(bytesPerBuffer) + alignment - 1) / alignment * alignment
        let (size, overflow) = stride.multipliedReportingOverflow(by: count)
        // Allocates one alignment unit more, so that the first buffer can be aligned too.
        guard !overflow, size <= Int.max - alignment, let memory = calloc(1, size + alignment) else {
            return nil
        }
        let start = memory.alignedUp(toMultipleOf: alignment)
        used = AudioBufferList.allocate(maximumBuffers: count)
        bufferList = AudioBufferList.allocate(maximumBuffers: count)
        self.bytesPerBuffer = bytesPerBuffer
        release = { free(memory) }
        for index in 0..<count {
            let buffer = AudioBuffer(
                mNumberChannels: channelsPerBuffer, mDataByteSize: bytesPerBuffer,
                mData: start + index * stride)
            (used[index], bufferList[index]) = (buffer, buffer)
        }
    }

    /// Borrows the buffers of a list, whose memory must stay valid until `release` is called.
    init(borrowing list: UnsafeMutableAudioBufferListPointer, release: @escaping () -> Void) {
        used = AudioBufferList.allocate(maximumBuffers: list.count)
        bufferList = AudioBufferList.allocate(maximumBuffers: list.count)
        for (index, buffer) in list.enumerated() { (used[index], bufferList[index]) = (buffer, buffer) }
        bytesPerBuffer = list.map(\.mDataByteSize).min() ?? 0
        self.release = release
        usedBytes = bytesPerBuffer
    }

    /// One buffer without memory.
    static var empty: AudioBufferStorage {
        let list = AudioBufferList.allocate(maximumBuffers: 1)
        return AudioBufferStorage(borrowing: list) { free(list.unsafeMutablePointer) }
    }

    deinit {
        free(used.unsafeMutablePointer)
        free(bufferList.unsafeMutablePointer)
        release()
    }

    /// The used bytes of each buffer; setting them also restores the capacities in ``bufferList``.
    var usedBytes: UInt32 {
        get { used.first?.mDataByteSize ?? 0 }
        set {
            for index in used.indices {
                used[index].mDataByteSize = newValue
                bufferList[index].mDataByteSize = bytesPerBuffer
            }
        }
    }

    /// Copies the used part of another storage of the same shape.
    func copy(from other: AudioBufferStorage) {
        for (target, source) in zip(used, other.used) {
            guard let to = target.mData, let from = source.mData else { continue }
            to.copyMemory(from: from, byteCount: Int(min(source.mDataByteSize, bytesPerBuffer)))
        }
        usedBytes = min(other.usedBytes, bytesPerBuffer)
    }
}
