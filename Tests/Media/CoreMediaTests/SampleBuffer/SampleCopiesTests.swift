import Foundation
import Testing

@testable import CoreMedia

@Suite("CMSampleBuffer: copies and readiness")
struct SampleCopiesTests {
    @Test("a copy shares its data and keeps propagating attachments")
    func copy() throws {
        let buffer = try Make.aac()
        Make.trim(buffer, start: Make.time(5))
        CMSetAttachment(buffer, key: "stays" as CFString, value: "x" as CFString, attachmentMode: 0)
        try buffer.setOutputPresentationTimeStamp(Make.time(9))
        var made: CMSampleBuffer?
        #expect(
            CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: buffer, sampleBufferOut: &made) == noErr)
        let copy = try #require(made)
        #expect(copy.dataBuffer === buffer.dataBuffer && copy.trims.start == Make.time(5))
        #expect(copy.attachments["stays"] == nil && copy.outputPresentationTimeStamp == Make.time(9))
        try copy.setOutputPresentationTimeStamp(.invalid)
        #expect(buffer.outputPresentationTimeStamp == Make.time(9))
    }

    @Test("new timing replaces the times, and the output time is computed again")
    func newTiming() throws {
        let buffer = try Make.aac()
        Make.trim(buffer, start: Make.time(5))
        try buffer.setOutputPresentationTimeStamp(Make.time(9))
        var timing = try buffer.sampleTimingInfo(at: 0)
        timing.presentationTimeStamp = Make.time(1000)
        var made: CMSampleBuffer?
        let code = CMSampleBufferCreateCopyWithNewTiming(
            allocator: nil, sampleBuffer: buffer, sampleTimingEntryCount: 1, sampleTimingArray: &timing,
            sampleBufferOut: &made)
        #expect(code == noErr && made?.outputPresentationTimeStamp == Make.time(1005))
        #expect(made?.duration == Make.time(4096) && made?.totalSampleSize == 100)
        let wrong = Make.code { _ = try CMSampleBuffer(copying: buffer, withNewTiming: [timing, timing]) }
        #expect(wrong == kCMSampleBufferError_InvalidEntryCount)
    }

    @Test("every range of packets has its own bytes and times")
    func ranges() throws {
        let buffer = try Make.aac()
        Make.trim(buffer, start: Make.time(3), end: Make.time(4))
        let starts = [0, 10, 30, 60, 100]
        for lower in 0..<4 {
            for upper in lower + 1...4 {
                let part = try CMSampleBuffer(copying: buffer, forRange: lower..<upper)
                let bytes = try #require(part.dataBuffer).dataBytes()
                #expect(Array(bytes) == (starts[lower]..<starts[upper]).map { UInt8($0) })
                #expect(part.presentationTimeStamp == Make.time(44_100 + Int64(lower) * 1024))
                #expect(
                    part.duration == Make.time(Int64(upper - lower) * 1024)
                        && part.numSamples == upper - lower)
                #expect(part.trims.start == (lower == 0 ? Make.time(3) : .zero))
                #expect(part.trims.end == (upper == 4 ? Make.time(4) : .zero))
            }
        }
        for (location, length) in [(0, 0), (0, 5), (-1, 2), (4, 1), (1, .max), (2, -1)] {
            var part: CMSampleBuffer?
            let code = CMSampleBufferCopySampleBufferForRange(
                allocator: nil, sampleBuffer: buffer,
                sampleRange: CFRange(location: location, length: length),
                sampleBufferOut: &part)
            #expect(code == kCMSampleBufferError_SampleIndexOutOfRange && part == nil)
        }
    }

    @Test("an explicit output time moves with the first sample of a range")
    func rangeOutputTime() throws {
        let buffer = try Make.aac()
        try buffer.setOutputPresentationTimeStamp(Make.time(100))
        let part = try CMSampleBuffer(copying: buffer, forRange: 2..<4)
        #expect(part.outputPresentationTimeStamp == Make.time(100 + 2048))
    }

    @Test("planes are cut separately")
    func planes() throws {
        let part = try CMSampleBuffer(copying: Make.pcm(frames: 4, planar: true), forRange: 1..<3)
        #expect(Array(try #require(part.dataBuffer).dataBytes()) == Array(4..<12) + Array(20..<28))
        try part.withAudioBufferList { list, data in
            #expect(list.count == 2 && list.map(\.mDataByteSize) == [8, 8] && list[1].mNumberChannels == 1)
            #expect(list[1].mData?.load(as: UInt8.self) == 20)
            #expect(data.isContiguous)
        }
    }

    @Test("splitting makes one buffer a sample; none without sizes")
    func singles() throws {
        let singles = Array(try Make.aac().singleSampleBuffers())
        #expect(singles.map(\.totalSampleSize) == [10, 20, 30, 40])
        var seen: [Int] = []
        let code = CMSampleBufferCallBlockForEachSample(try Make.aac()) { sample, index in
            seen.append(index)
            return index == 2 ? -7 : noErr
        }
        #expect(code == -7 && seen == [0, 1, 2])
        let unknown = try CMSampleBuffer(
            dataBuffer: Make.block(9), formatDescription: Make.aacFormat(), numSamples: 3, sampleTimings: [],
            sampleSizes: [])
        #expect(Make.code { _ = try unknown.singleSampleBuffers() } == kCMSampleBufferError_CannotSubdivide)
        #expect(
            Make.code { _ = try CMSampleBuffer(copying: unknown, forRange: 0..<1) }
                == kCMSampleBufferError_CannotSubdivide)
        let short = try CMSampleBuffer(
            dataBuffer: Make.block(9), formatDescription: nil, numSamples: 2, sampleTimings: [],
            sampleSizes: [5])
        #expect(Make.code { _ = try short.singleSampleBuffers() } == kCMSampleBufferError_InvalidSampleData)
        #expect(
            Make.code { _ = try CMSampleBuffer(copying: short, forRange: 1..<2) }
                == kCMSampleBufferError_InvalidSampleData)
    }

    @Test("late data is made ready by the handler, by a copy, or not at all")
    func readiness() throws {
        let block = try Make.block(100)
        func later(_ handler: @escaping (CMSampleBuffer) throws -> Void) throws -> CMSampleBuffer {
            try CMSampleBuffer(
                dataBuffer: nil, dataReady: false, formatDescription: Make.aacFormat(), numSamples: 1,
                sampleTimings: [], sampleSizes: [100], makeDataReadyHandler: handler)
        }
        let buffer = try later { try $0.setDataBuffer(block) }
        let copy = try CMSampleBuffer(copying: buffer)
        #expect(!CMSampleBufferDataIsReady(buffer) && copy.dataReadiness == .notReady)
        #expect(CMSampleBufferMakeDataReady(copy) == noErr && copy.dataBuffer === block)
        #expect(buffer.dataReadiness == .ready && CMSampleBufferMakeDataReady(buffer) == noErr)
        #expect(Make.code { try buffer.setDataBuffer(block) } == kCMSampleBufferError_AlreadyHasDataBuffer)
        let failing = try later { _ in throw CMSampleBuffer.Error.dataCanceled }
        #expect(CMSampleBufferMakeDataReady(failing) == kCMSampleBufferError_DataCanceled)
        #expect(CMSampleBufferMakeDataReady(failing) == kCMSampleBufferError_DataFailed)
        #expect(CMSampleBufferMakeDataReady(try later { _ in }) == kCMSampleBufferError_BufferNotReady)
        let failed = try later { CMSampleBufferSetDataFailed($0, status: -5) == noErr ? () : () }
        #expect(CMSampleBufferMakeDataReady(failed) == -5 && failed.dataReadiness == .failed(-5))
    }

    @Test("the C handler gets its buffer and reference")
    func callback() throws {
        var number = 41
        try withUnsafeMutablePointer(to: &number) { pointer in
            var made: CMSampleBuffer?
            let code = CMSampleBufferCreate(
                allocator: nil, dataBuffer: nil, dataReady: false,
                makeDataReadyCallback: { buffer, refcon in
                    refcon?.assumingMemoryBound(to: Int.self).pointee += 1
                    return CMSampleBufferSetDataReady(buffer)
                }, refcon: pointer, formatDescription: nil, sampleCount: 0, sampleTimingEntryCount: 0,
                sampleTimingArray: nil, sampleSizeEntryCount: 0, sampleSizeArray: nil, sampleBufferOut: &made)
            #expect(code == noErr)
            let buffer = try #require(made)
            #expect(CMSampleBufferMakeDataReady(buffer) == noErr && pointer.pointee == 42)
        }
    }

    @Test("an invalidated buffer refuses every call")
    func invalidated() throws {
        let buffer = try Make.aac()
        #expect(CMSampleBufferIsValid(buffer) && CMSampleBufferInvalidate(buffer) == noErr)
        #expect(!buffer.isValid)
        #expect(Make.code { try buffer.makeDataReady() } == kCMSampleBufferError_Invalidated)
        #expect(Make.code { _ = try CMSampleBuffer(copying: buffer) } == kCMSampleBufferError_Invalidated)
        #expect(
            CMSampleBufferSetOutputPresentationTimeStamp(buffer, newValue: .zero)
                == kCMSampleBufferError_Invalidated)
    }
}

@Suite("CMSampleBuffer: audio buffer lists")
struct SampleAudioBufferListTests {
    @Test("frames are copied out, interleaved and in planes", arguments: [false, true])
    func copyOut(planar: Bool) throws {
        let buffer = try Make.pcm(frames: 6, planar: planar)
        let list = AudioBufferList.allocate(maximumBuffers: planar ? 2 : 1)
        var room = [UInt8](repeating: 255, count: 32)
        try room.withUnsafeMutableBytes { bytes in
            let base = try #require(bytes.baseAddress)
            for index in list.indices {
                list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 12, mData: base + index * 16)
            }
            let target = list.unsafeMutablePointer
            #expect(
                CMSampleBufferCopyPCMDataIntoAudioBufferList(buffer, at: 2, frameCount: 3, into: target)
                    == noErr)
            #expect(list[0].mDataByteSize == 12)
            #expect(
                CMSampleBufferCopyPCMDataIntoAudioBufferList(buffer, at: 2, frameCount: 5, into: target)
                    == kCMSampleBufferError_SampleIndexOutOfRange)
            #expect(
                CMSampleBufferCopyPCMDataIntoAudioBufferList(buffer, at: 0, frameCount: 4, into: target)
                    == kCMSampleBufferError_ArrayTooSmall)
            #expect(
                CMSampleBufferCopyPCMDataIntoAudioBufferList(buffer, at: -1, frameCount: 1, into: target)
                    == kCMSampleBufferError_SampleIndexOutOfRange)
        }
        #expect(Array(room[0..<12]) == Array(8..<20))
        if planar { #expect(Array(room[16..<28]) == Array(32..<44)) }
        #expect(room[12] == 255)
        free(list.unsafeMutablePointer)
    }

    @Test("a buffer list round-trips")
    func setAndGet() throws {
        var (left, right) = ([1, 2, 3, 4] as [Float], [5, 6, 7, 8] as [Float])
        let buffer = try CMSampleBuffer(
            dataBuffer: nil, dataReady: false, formatDescription: Make.pcmFormat(planar: true), numSamples: 4,
            sampleTimings: [], sampleSizes: [], makeDataReadyHandler: { _ in })
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        left.withUnsafeMutableBytes { left in
            right.withUnsafeMutableBytes { right in
                list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 16, mData: left.baseAddress)
                list[1] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 16, mData: right.baseAddress)
                let code = CMSampleBufferSetDataBufferFromAudioBufferList(
                    buffer, blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0,
                    bufferList: list.unsafePointer)
                #expect(code == noErr && buffer.dataReadiness == .ready)
            }
        }
        var (needed, block) = (0, nil as CMBlockBuffer?)
        let room = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(room.unsafeMutablePointer) }
        for (size, expected) in [(39, kCMSampleBufferError_ArrayTooSmall), (40, noErr)] as [(Int, OSStatus)] {
            let code = CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                buffer, bufferListSizeNeededOut: &needed, bufferListOut: room.unsafeMutablePointer,
                bufferListSize: size, blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0,
                blockBufferOut: &block)
            #expect(code == expected && needed == 40)
        }
        #expect(room.map { $0.mData?.load(as: Float.self) } == [1, 5] && block === buffer.dataBuffer)
    }

    @Test("lists that do not fit the format are refused")
    func refused() throws {
        let list = AudioBufferList.allocate(maximumBuffers: 1)
        defer { free(list.unsafeMutablePointer) }
        let planar = try CMSampleBuffer(
            dataBuffer: nil, formatDescription: Make.pcmFormat(planar: true), numSamples: 1,
            sampleTimings: [],
            sampleSizes: [])
        #expect(
            Make.code { try planar.setDataBuffer(fromAudioBufferList: list.unsafePointer) }
                == kCMSampleBufferError_InvalidMediaFormat)
        let stereo = try CMSampleBuffer(
            dataBuffer: nil, formatDescription: Make.pcmFormat(), numSamples: 1, sampleTimings: [],
            sampleSizes: [])
        #expect(
            Make.code { try stereo.setDataBuffer(fromAudioBufferList: list.unsafePointer) }
                == kCMSampleBufferError_InvalidSampleData)
        #expect(
            Make.code { try stereo.withAudioBufferList { _, _ in } } == kCMSampleBufferError_BufferNotReady)
        #expect(
            Make.code { try Make.aac().copyPCMData(fromRange: 0..<1, into: list.unsafeMutablePointer) }
                == kCMSampleBufferError_InvalidMediaTypeForOperation)
    }
}
