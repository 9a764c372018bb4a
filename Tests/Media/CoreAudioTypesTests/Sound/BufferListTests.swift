import CoreAudioTypes
import Testing

@Suite("Audio buffer lists")
struct BufferListTests {
    @Test(
        "the size of a list grows by a buffer, and has room for at least one",
        arguments: [(-1, 24), (0, 24), (1, 24), (2, 40), (8, 136)])
    func sizes(buffers: Int, size: Int) {
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: buffers) == size)
    }

    @Test("a new list has as many empty buffers as asked, and keeps what is written, where C code reads it")
    func allocation() {
        let list = AudioBufferList.allocate(maximumBuffers: 3)
        defer { free(list.unsafeMutablePointer) }
        #expect(list.count == 3 && list.unsafePointer.pointee.mNumberBuffers == 3)
        #expect(list.allSatisfy { $0.mData == nil && $0.mDataByteSize == 0 && $0.mNumberChannels == 0 })
        for index in list.indices {
            list[index] = AudioBuffer(
                mNumberChannels: UInt32(index + 1), mDataByteSize: UInt32(100 * index), mData: nil)
        }
        #expect(list.map(\.mNumberChannels) == [1, 2, 3] && list.map(\.mDataByteSize) == [0, 100, 200])
        #expect(list.unsafePointer.pointee.mBuffers.mNumberChannels == 1)
        // The buffers follow the count and its padding, 16 bytes each.
        let raw = UnsafeRawPointer(list.unsafePointer)
        #expect(raw.load(fromByteOffset: 8 + 16, as: UInt32.self) == 2)
        #expect(raw.load(fromByteOffset: 8 + 2 * 16 + 4, as: UInt32.self) == 200)
        list[1].mDataByteSize = 7
        #expect(list.map(\.mDataByteSize) == [0, 7, 200])
    }

    @Test("the list's own count defines its buffers, and a collection's algorithms change them in place")
    func collection() {
        let list = AudioBufferList.allocate(maximumBuffers: 4)
        defer { free(list.unsafeMutablePointer) }
        for index in list.indices { list[index].mDataByteSize = UInt32(index) }
        list.count = 2
        #expect(list.map(\.mDataByteSize) == [0, 1] && list.endIndex == 2)
        #expect(list.unsafePointer.pointee.mNumberBuffers == 2)
        list.count = 4
        var same = list
        same.swapAt(0, 3)
        same.reverse()
        #expect(list.map(\.mDataByteSize) == [0, 2, 1, 3])
        #expect(same == list && list.last?.mDataByteSize == 3)
        list.count = 0
        #expect(list.isEmpty && list.first == nil)
    }

    @Test("a view of no pointer is none")
    func missing() {
        let none: UnsafeMutablePointer<AudioBufferList>? = nil
        #expect(UnsafeMutableAudioBufferListPointer(none) == nil)
        var list = AudioBufferList()
        let isEmpty = withUnsafeMutablePointer(to: &list) { pointer in
            let optional: UnsafeMutablePointer<AudioBufferList>? = pointer
            return UnsafeMutableAudioBufferListPointer(optional)?.isEmpty
        }
        #expect(isEmpty == true)
    }

    @Test("a buffer on typed samples has their size in bytes, and is read as samples again")
    func typed() {
        var samples: [Int16] = [1, -2, 3, -4, 5, 6]
        samples.withUnsafeMutableBufferPointer { samples in
            let buffer = AudioBuffer(samples, numberOfChannels: 2)
            #expect(buffer.mDataByteSize == 12 && buffer.mNumberChannels == 2)
            #expect(Array(UnsafeBufferPointer<Int16>(buffer)) == [1, -2, 3, -4, 5, 6])
            let view = UnsafeMutableBufferPointer<Int16>(buffer)
            view[1] = 9
        }
        #expect(samples[1] == 9)
    }

    @Test(
        "a view of samples omits an incomplete last one",
        arguments: [(0, 0), (1, 0), (3, 0), (4, 1), (7, 1), (8, 2), (11, 2)] as [(UInt32, Int)])
    func incomplete(byteCount: UInt32, sampleCount: Int) {
        var room: [Float] = [1, 2, 3]
        let count = room.withUnsafeMutableBytes { bytes in
            let buffer = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: byteCount, mData: bytes.baseAddress)
            return UnsafeBufferPointer<Float>(buffer).count
        }
        #expect(count == sampleCount)
    }

    @Test("a view of a buffer without memory is empty, whatever size the buffer states")
    func withoutMemory() {
        let buffer = AudioBuffer(mNumberChannels: 2, mDataByteSize: 4096, mData: nil)
        #expect(UnsafeBufferPointer<Float>(buffer).isEmpty)
        #expect(UnsafeMutableBufferPointer<UInt8>(buffer).isEmpty)
    }
}
