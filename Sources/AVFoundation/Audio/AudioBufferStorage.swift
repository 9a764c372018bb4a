/// Memory of an audio buffer, and the two buffer lists that programs see of it.
///
/// One list says how much of each buffer is used, the other how much there is.
final class AudioBufferStorage {
    /// Sizes are those of the used part.
    let used: UnsafeMutableAudioBufferListPointer
    /// Sizes are those of the whole, until the program changes them.
    let whole: UnsafeMutableAudioBufferListPointer
    /// Bytes of each buffer.
    let bytesPerBuffer: UInt32

    private let release: () -> Void

    /// Cleared memory: `count` buffers of `bytesPerBuffer`. `nil` if there is not so much.
    init?(count: Int, bytesPerBuffer: UInt32, channelsPerBuffer: UInt32) {
        let alignment = 64
        let stride = (Int(bytesPerBuffer) + alignment - 1) / alignment * alignment
        let (size, overflow) = stride.multipliedReportingOverflow(by: count)
        // As much again lies in front, so that the first buffer can begin at a multiple too.
        guard !overflow, size <= Int.max - alignment, let memory = calloc(1, size + alignment) else {
            return nil
        }
        let start = memory.alignedUp(toMultipleOf: alignment)
        used = AudioBufferList.allocate(maximumBuffers: count)
        whole = AudioBufferList.allocate(maximumBuffers: count)
        self.bytesPerBuffer = bytesPerBuffer
        release = { free(memory) }
        for index in 0..<count {
            let buffer = AudioBuffer(
                mNumberChannels: channelsPerBuffer, mDataByteSize: bytesPerBuffer,
                mData: start + index * stride)
            (used[index], whole[index]) = (buffer, buffer)
        }
    }

    /// The buffers of a list that stays its owner's until `release` is called.
    init(borrowing list: UnsafeMutableAudioBufferListPointer, release: @escaping () -> Void) {
        used = AudioBufferList.allocate(maximumBuffers: list.count)
        whole = AudioBufferList.allocate(maximumBuffers: list.count)
        for (index, buffer) in list.enumerated() { (used[index], whole[index]) = (buffer, buffer) }
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
        free(whole.unsafeMutablePointer)
        release()
    }

    /// Bytes of each buffer that are used; setting it sets both lists right.
    var usedBytes: UInt32 {
        get { used.first?.mDataByteSize ?? 0 }
        set {
            for index in used.indices {
                used[index].mDataByteSize = newValue
                whole[index].mDataByteSize = bytesPerBuffer
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
