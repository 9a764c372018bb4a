import CoreMedia
import Testing

@Suite("Contract: block buffers")
struct BlockBufferNamesTests {
    @Test("the C names exist")
    func cNames() throws {
        var made: CMBlockBuffer?
        #expect(
            CMBlockBufferCreateEmpty(
                allocator: kCFAllocatorDefault, capacity: 4, flags: 0, blockBufferOut: &made)
                == kCMBlockBufferNoErr)
        let list = try #require(made)
        #expect(CMBlockBufferIsEmpty(list))
        var bytes: [UInt8] = [1, 2, 3, 4]
        let status = bytes.withUnsafeMutableBytes { bytes in
            CMBlockBufferCreateWithMemoryBlock(
                allocator: kCFAllocatorDefault, memoryBlock: bytes.baseAddress, blockLength: 4,
                blockAllocator: kCFAllocatorNull, customBlockSource: nil, offsetToData: 1, dataLength: 3,
                flags: 0, blockBufferOut: &made)
        }
        let block = try #require(made)
        #expect(status == kCMBlockBufferNoErr && CMBlockBufferGetDataLength(block) == 3)
        #expect(
            CMBlockBufferAppendMemoryBlock(
                list, memoryBlock: nil, length: 2, blockAllocator: kCFAllocatorDefault,
                customBlockSource: nil, offsetToData: 0, dataLength: 2,
                flags: kCMBlockBufferAssureMemoryNowFlag) == kCMBlockBufferNoErr)
        #expect(
            CMBlockBufferReplaceDataBytes(
                with: [7, 8] as [UInt8], blockBuffer: list, offsetIntoDestination: 0, dataLength: 2)
                == kCMBlockBufferNoErr)
        #expect(
            CMBlockBufferAppendBufferReference(
                list, targetBBuf: list, offsetToData: 1, dataLength: 1, flags: 0) == kCMBlockBufferNoErr)
        #expect(
            CMBlockBufferFillDataBytes(
                with: 5, blockBuffer: list, offsetIntoDestination: 0, dataLength: 1) == kCMBlockBufferNoErr)
        var copy = [UInt8](repeating: 0, count: 3)
        #expect(
            CMBlockBufferCopyDataBytes(list, atOffset: 0, dataLength: 3, destination: &copy)
                == kCMBlockBufferNoErr)
        #expect(copy == [5, 8, 8])
        #expect(!CMBlockBufferIsRangeContiguous(list, atOffset: 0, length: 3))
        #expect(CMBlockBufferAssureBlockMemory(list) == kCMBlockBufferNoErr)
        withExtendedLifetime(bytes) {}
    }

    @Test("the C names that return buffers and pointers exist")
    func pointers() throws {
        let list = try CMBlockBuffer(capacity: 2)
        try list.append(length: 2, flags: .assureMemoryNow)
        try list.append(length: 2, flags: .assureMemoryNow)
        try list.replaceDataBytes(with: [1, 2, 3, 4] as [UInt8])
        var made: CMBlockBuffer?
        #expect(
            CMBlockBufferCreateContiguous(
                allocator: kCFAllocatorDefault, sourceBuffer: list, blockAllocator: kCFAllocatorDefault,
                customBlockSource: nil, offsetToData: 0, dataLength: 0,
                flags: kCMBlockBufferAlwaysCopyDataFlag, blockBufferOut: &made) == kCMBlockBufferNoErr)
        let whole = try #require(made)
        var (here, total) = (0, 0)
        var pointer: UnsafeMutablePointer<CChar>?
        #expect(
            CMBlockBufferGetDataPointer(
                whole, atOffset: 1, lengthAtOffsetOut: &here, totalLengthOut: &total,
                dataPointerOut: &pointer) == kCMBlockBufferNoErr)
        #expect(here == 3 && total == 4 && pointer?.pointee == 2)
        #expect(
            CMBlockBufferCreateWithBufferReference(
                allocator: kCFAllocatorDefault, referenceBuffer: list, offsetToData: 1, dataLength: 2,
                flags: kCMBlockBufferDontOptimizeDepthFlag, blockBufferOut: &made) == kCMBlockBufferNoErr)
        var room = [CChar](repeating: 0, count: 2)
        let part = try #require(made)
        let found = room.withUnsafeMutableBytes { room -> [CChar] in
            guard let base = room.baseAddress else { return [] }
            let status = CMBlockBufferAccessDataBytes(
                part, atOffset: 0, length: 2, temporaryBlock: base, returnedPointerOut: &pointer)
            return status == kCMBlockBufferNoErr ? pointer.map { [$0[0], $0[1]] } ?? [] : []
        }
        #expect(found == [2, 3])
    }

    @Test("the Swift names exist")
    func swiftNames() throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 8)
        memory.copyBytes(from: [1, 2, 3, 4])
        let block = try CMBlockBuffer(buffer: memory, deallocator: { pointer, _ in pointer.deallocate() })
        #expect(try block.dataBytes() == Data([1, 2, 3, 4]) && block.isContiguous)
        let slice: CMBlockBuffer.Slice = block[1..<3]
        let bytesOfBoth: [any CMBlockBufferProtocol] = [block, slice]
        #expect(bytesOfBoth.map(\.dataLength) == [4, 2] && slice.startIndex == 1)
        let shared = try CMBlockBuffer(bufferReference: slice)
        try shared.fillDataBytes(with: 9)
        #expect(try block.withContiguousStorage { Array($0) } == [1, 9, 9, 4])
        #expect(try block[2...].dataBytes() == Data([9, 4]) && block.endIndex == 4)
        let owned = try CMBlockBuffer(length: 8, allocator: kCFAllocatorDefault, range: 2..<4)
        try owned.assureBlockMemory()
        try owned.withUnsafeMutableBytes(atOffset: 1) { $0[0] = 3 }
        var bytes = [UInt8](repeating: 1, count: 2)
        try bytes.withUnsafeMutableBytes { try owned.copyDataBytes(to: $0) }
        #expect(bytes == [0, 3] && owned.dataLength == 2)
        #expect(try shared.makeContiguous(flags: .alwaysCopyData) != shared)
    }

    @Test("flags and errors exist")
    func constants() {
        let flags: [CMBlockBufferFlags] = [
            kCMBlockBufferAssureMemoryNowFlag, kCMBlockBufferAlwaysCopyDataFlag,
            kCMBlockBufferDontOptimizeDepthFlag, kCMBlockBufferPermitEmptyReferenceFlag,
        ]
        #expect(flags == [1, 2, 4, 8])
        let swift: [CMBlockBuffer.Flags] = [
            .assureMemoryNow, .alwaysCopyData, .dontOptimizeDepth, .permitEmptyReference,
        ]
        #expect(swift.map(\.rawValue) == flags)
        let errors: [OSStatus] = [
            kCMBlockBufferStructureAllocationFailedErr, kCMBlockBufferBlockAllocationFailedErr,
            kCMBlockBufferBadCustomBlockSourceErr, kCMBlockBufferBadOffsetParameterErr,
            kCMBlockBufferBadLengthParameterErr, kCMBlockBufferBadPointerParameterErr,
            kCMBlockBufferEmptyBBufErr, kCMBlockBufferUnallocatedBlockErr,
            kCMBlockBufferInsufficientSpaceErr,
        ]
        #expect(errors == Array(stride(from: -12700, through: -12708, by: -1)))
    }
}

@Suite("Contract: sample buffers")
struct SampleBufferNamesTests {
    static let rate: CMTimeScale = 48_000

    static func format(_ id: AudioFormatID) throws -> CMFormatDescription {
        let isLinear = id == kAudioFormatLinearPCM
        return try CMFormatDescription(
            audioStreamBasicDescription: AudioStreamBasicDescription(
                mSampleRate: Double(rate), mFormatID: id,
                mFormatFlags: isLinear ? kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked : 0,
                mBytesPerPacket: isLinear ? 4 : 0, mFramesPerPacket: isLinear ? 1 : 1024,
                mBytesPerFrame: isLinear ? 4 : 0, mChannelsPerFrame: 2, mBitsPerChannel: isLinear ? 16 : 0,
                mReserved: 0))
    }

    static func block(_ count: Int) throws -> CMBlockBuffer {
        let block = try CMBlockBuffer(length: count)
        try block.replaceDataBytes(with: (0..<count).map { UInt8(truncatingIfNeeded: $0) })
        return block
    }

    @Test("the C functions that make buffers exist")
    func making() throws {
        var timing = CMSampleTimingInfo(
            duration: CMTime(value: 1024, timescale: Self.rate), presentationTimeStamp: .zero,
            decodeTimeStamp: .invalid)
        var (size, made): (Int, CMSampleBuffer?) = (10, nil)
        let count: CMItemCount = 2
        #expect(
            CMSampleBufferCreate(
                allocator: kCFAllocatorDefault, dataBuffer: nil, dataReady: false,
                makeDataReadyCallback: { buffer, _ in
                    guard let block = try? SampleBufferNamesTests.block(20) else { return -1 }
                    return CMSampleBufferSetDataBuffer(buffer, newValue: block)
                }, refcon: nil, formatDescription: try Self.format(kAudioFormatMPEG4AAC),
                sampleCount: count, sampleTimingEntryCount: 1, sampleTimingArray: &timing,
                sampleSizeEntryCount: 1, sampleSizeArray: &size, sampleBufferOut: &made) == noErr)
        let late = try #require(made)
        #expect(!CMSampleBufferDataIsReady(late) && CMSampleBufferMakeDataReady(late) == noErr)
        #expect(CMSampleBufferDataIsReady(late) && CMSampleBufferGetDataBuffer(late)?.dataLength == 20)
        #expect(
            CMSampleBufferCreateReady(
                allocator: kCFAllocatorDefault, dataBuffer: try Self.block(20),
                formatDescription: try Self.format(kAudioFormatMPEG4AAC), sampleCount: count,
                sampleTimingEntryCount: 1, sampleTimingArray: &timing, sampleSizeEntryCount: 1,
                sampleSizeArray: &size, sampleBufferOut: &made) == noErr)
        var packets = [
            AudioStreamPacketDescription(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 12),
            AudioStreamPacketDescription(mStartOffset: 12, mVariableFramesInPacket: 0, mDataByteSize: 8),
        ]
        #expect(
            CMAudioSampleBufferCreateReadyWithPacketDescriptions(
                allocator: kCFAllocatorDefault, dataBuffer: try Self.block(20),
                formatDescription: try Self.format(kAudioFormatMPEG4AAC), sampleCount: count,
                presentationTimeStamp: .zero, packetDescriptions: &packets, sampleBufferOut: &made) == noErr)
        let buffer = try #require(made)
        #expect(CMSampleBufferGetDuration(buffer) == CMTime(value: 2048, timescale: Self.rate))
        #expect(
            CMAudioSampleBufferCreateWithPacketDescriptions(
                allocator: kCFAllocatorDefault, dataBuffer: nil, dataReady: false,
                makeDataReadyCallback: nil, refcon: nil,
                formatDescription: try Self.format(kAudioFormatMPEG4AAC), sampleCount: count,
                presentationTimeStamp: .zero, packetDescriptions: &packets, sampleBufferOut: &made) == noErr)
        #expect(CMSampleBufferGetDataBuffer(try #require(made)) == nil)
        var (sizeNeeded, found) = (0, packets)
        #expect(
            CMSampleBufferGetAudioStreamPacketDescriptions(
                buffer, packetDescriptionsSize: 32, packetDescriptionsOut: &found,
                packetDescriptionsSizeNeededOut: &sizeNeeded) == noErr)
        #expect(found == packets && sizeNeeded == 32)
    }

    static func pcm(frames: Int) throws -> CMSampleBuffer {
        try CMSampleBuffer(
            dataBuffer: block(frames * 4), formatDescription: format(kAudioFormatLinearPCM),
            numSamples: frames, presentationTimeStamp: CMTime(value: 100, timescale: rate),
            packetDescriptions: [])
    }

    @Test("the C functions that query and copy exist")
    func asking() throws {
        let buffer = try Self.pcm(frames: 8)
        #expect(CMSampleBufferGetNumSamples(buffer) == 8 && CMSampleBufferGetTotalSampleSize(buffer) == 32)
        #expect(CMSampleBufferGetPresentationTimeStamp(buffer).value == 100)
        #expect(!CMSampleBufferGetDecodeTimeStamp(buffer).isValid)
        #expect(!CMSampleBufferGetOutputDecodeTimeStamp(buffer).isValid)
        let later = CMTime(value: 9, timescale: 1)
        #expect(CMSampleBufferSetOutputPresentationTimeStamp(buffer, newValue: later) == noErr)
        #expect(CMSampleBufferGetOutputPresentationTimeStamp(buffer) == later)
        #expect(CMSampleBufferGetOutputDuration(buffer) == CMTime(value: 8, timescale: Self.rate))
        #expect(CMSampleBufferGetFormatDescription(buffer)?.mediaSubType == .linearPCM)
        var timing = CMSampleTimingInfo()
        #expect(CMSampleBufferGetSampleTimingInfo(buffer, at: 3, timingInfoOut: &timing) == noErr)
        #expect(timing.presentationTimeStamp.value == 103)
        var needed: CMItemCount = 0
        #expect(
            CMSampleBufferGetSampleTimingInfoArray(
                buffer, entryCount: 1, arrayToFill: &timing, entriesNeededOut: &needed) == noErr)
        #expect(needed == 1 && CMSampleBufferGetSampleSize(buffer, at: 0) == 4)
        var size = 0
        #expect(
            CMSampleBufferGetSampleSizeArray(
                buffer, entryCount: 1, arrayToFill: &size, entriesNeededOut: &needed) == noErr && size == 4)
        var copy: CMSampleBuffer?
        #expect(
            CMSampleBufferCreateCopy(
                allocator: kCFAllocatorDefault, sampleBuffer: buffer, sampleBufferOut: &copy) == noErr)
        #expect(copy?.outputPresentationTimeStamp == later)
        #expect(
            CMSampleBufferCreateCopyWithNewTiming(
                allocator: kCFAllocatorDefault, sampleBuffer: buffer, sampleTimingEntryCount: 1,
                sampleTimingArray: &timing, sampleBufferOut: &copy) == noErr)
        #expect(
            CMSampleBufferCopySampleBufferForRange(
                allocator: kCFAllocatorDefault, sampleBuffer: buffer,
                sampleRange: CFRange(location: 2, length: 3), sampleBufferOut: &copy) == noErr)
        #expect(copy?.numSamples == 3)
        var starts: [Int64] = []
        let status = CMSampleBufferCallBlockForEachSample(buffer) { sample, _ in
            starts.append(sample.presentationTimeStamp.value)
            return noErr
        }
        #expect(status == noErr && starts == Array(100..<108))
        #expect(CMSampleBufferIsValid(buffer) && CMSampleBufferInvalidate(buffer) == noErr)
        #expect(!CMSampleBufferIsValid(buffer))
    }

    @Test("the C functions for audio buffer lists exist")
    func bufferLists() throws {
        let buffer = try Self.pcm(frames: 4)
        var (needed, list, block) = (0, AudioBufferList(), nil as CMBlockBuffer?)
        #expect(
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                buffer, bufferListSizeNeededOut: &needed, bufferListOut: &list,
                bufferListSize: MemoryLayout<AudioBufferList>.size, blockBufferAllocator: kCFAllocatorDefault,
                blockBufferMemoryAllocator: kCFAllocatorDefault,
                flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment, blockBufferOut: &block)
                == noErr)
        #expect(list.mBuffers.mDataByteSize == 16 && needed == 24 && block != nil)
        var made: CMSampleBuffer?
        #expect(
            CMAudioSampleBufferCreateWithPacketDescriptions(
                allocator: nil, dataBuffer: nil, dataReady: false, makeDataReadyCallback: nil, refcon: nil,
                formatDescription: try Self.format(kAudioFormatLinearPCM), sampleCount: 4,
                presentationTimeStamp: .zero, packetDescriptions: nil, sampleBufferOut: &made) == noErr)
        let empty = try #require(made)
        #expect(
            CMSampleBufferSetDataBufferFromAudioBufferList(
                empty, blockBufferAllocator: kCFAllocatorDefault,
                blockBufferMemoryAllocator: kCFAllocatorDefault, flags: 0, bufferList: &list) == noErr)
        #expect(try empty.dataBuffer?.dataBytes() == Data(0..<16))
        var frames = [UInt32](repeating: 0, count: 2)
        frames.withUnsafeMutableBufferPointer { frames in
            var target = AudioBufferList(
                mNumberBuffers: 1, mBuffers: AudioBuffer(frames, numberOfChannels: 2))
            #expect(
                CMSampleBufferCopyPCMDataIntoAudioBufferList(buffer, at: 1, frameCount: 2, into: &target)
                    == noErr)
        }
        #expect(frames == [0x0706_0504, 0x0B0A_0908])
    }

    @Test("the C functions for attachments exist")
    func attachments() throws {
        let buffer = try Self.pcm(frames: 4)
        let modes: [CMAttachmentMode] = [
            kCMAttachmentMode_ShouldNotPropagate, kCMAttachmentMode_ShouldPropagate,
        ]
        #expect(modes == [0, 1])
        let trim = CMTimeCopyAsDictionary(
            CMTime(value: 1, timescale: Self.rate), allocator: kCFAllocatorDefault)
        for key in [
            kCMSampleBufferAttachmentKey_TrimDurationAtStart, kCMSampleBufferAttachmentKey_TrimDurationAtEnd,
        ] {
            CMSetAttachment(
                buffer, key: key, value: trim, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        }
        #expect(buffer.outputDuration.value == 2)
        var mode: CMAttachmentMode = 9
        let found = CMGetAttachment(
            buffer, key: kCMSampleBufferAttachmentKey_TrimDurationAtEnd, attachmentModeOut: &mode)
        #expect(found != nil && mode == kCMAttachmentMode_ShouldPropagate)
        let other = try Self.pcm(frames: 4)
        CMPropagateAttachments(buffer, destination: other)
        let all: CFDictionary? = CMCopyDictionaryOfAttachments(
            allocator: kCFAllocatorDefault, target: other, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        #expect(all?.count == 2)
        CMRemoveAttachment(other, key: kCMSampleBufferAttachmentKey_TrimDurationAtStart)
        #expect(other.outputDuration.value == 3)
        let samples: CFArray? = CMSampleBufferGetSampleAttachmentsArray(other, createIfNecessary: true)
        (samples?[1] as? NSMutableDictionary)?[kCMSampleAttachmentKey_NotSync] = true
        #expect(other.sampleAttachments[1][.notSync] as? Bool == true)
    }

    @Test("attachment keys differ, and errors have their codes")
    func constants() {
        let keys: [CFString] = [
            kCMSampleBufferAttachmentKey_TrimDurationAtStart, kCMSampleBufferAttachmentKey_TrimDurationAtEnd,
            kCMSampleBufferAttachmentKey_SpeedMultiplier, kCMSampleBufferAttachmentKey_Reverse,
            kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence,
            kCMSampleBufferAttachmentKey_EmptyMedia, kCMSampleBufferAttachmentKey_PermanentEmptyMedia,
            kCMSampleBufferAttachmentKey_DrainAfterDecoding,
            kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding,
            kCMSampleBufferAttachmentKey_PostNotificationWhenConsumed,
            kCMSampleBufferAttachmentKey_TransitionID,
            kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration, kCMSampleAttachmentKey_NotSync,
            kCMSampleAttachmentKey_DependsOnOthers, kCMSampleAttachmentKey_DisplayImmediately,
            kCMSampleAttachmentKey_DoNotDisplay,
        ]
        #expect(Set(keys.map { $0 as String }).count == keys.count)
        let errors: [OSStatus] = [
            kCMSampleBufferError_AllocationFailed, kCMSampleBufferError_RequiredParameterMissing,
            kCMSampleBufferError_AlreadyHasDataBuffer, kCMSampleBufferError_BufferNotReady,
            kCMSampleBufferError_SampleIndexOutOfRange, kCMSampleBufferError_BufferHasNoSampleSizes,
            kCMSampleBufferError_BufferHasNoSampleTimingInfo, kCMSampleBufferError_ArrayTooSmall,
            kCMSampleBufferError_InvalidEntryCount, kCMSampleBufferError_CannotSubdivide,
            kCMSampleBufferError_SampleTimingInfoInvalid, kCMSampleBufferError_InvalidMediaTypeForOperation,
            kCMSampleBufferError_InvalidSampleData, kCMSampleBufferError_InvalidMediaFormat,
            kCMSampleBufferError_Invalidated,
        ]
        #expect(errors == Array(stride(from: -12730, through: -12744, by: -1)))
        #expect(
            [kCMSampleBufferError_DataFailed, kCMSampleBufferError_DataCanceled] == [-16750, -16751])
    }

    @Test("the Swift names exist")
    func swiftNames() throws {
        let buffer = try CMSampleBuffer(
            dataBuffer: Self.block(16), dataReady: true,
            formatDescription: Self.format(kAudioFormatLinearPCM), numSamples: 4,
            sampleTimings: [
                CMSampleTimingInfo(
                    duration: CMTime(value: 1, timescale: Self.rate), presentationTimeStamp: .zero,
                    decodeTimeStamp: .invalid)
            ], sampleSizes: [4], makeDataReadyHandler: { _ in })
        #expect(buffer.dataReadiness == .ready && buffer.isValid && buffer.totalSampleSize == 16)
        #expect(try buffer.sampleTimingInfos().count == 1 && buffer.sampleSizes() == [4])
        let index: CMItemIndex = 1
        #expect(try buffer.sampleTimingInfo(at: index).presentationTimeStamp.value == 1)
        #expect(try buffer.outputSampleTimingInfos().count == 1 && buffer.sampleSize(at: 2) == 4)
        #expect(try buffer.audioStreamPacketDescriptions().isEmpty)
        try buffer.setOutputPresentationTimeStamp(CMTime(value: 5, timescale: 1))
        #expect(buffer.outputPresentationTimeStamp.value == 5 && !buffer.outputDecodeTimeStamp.isValid)
        let copy = try CMSampleBuffer(copying: buffer)
        let part = try CMSampleBuffer(copying: copy, forRange: 1..<3)
        let moved = try CMSampleBuffer(copying: part, withNewTiming: [.invalid])
        #expect(part.numSamples == 2 && !moved.presentationTimeStamp.isValid)
        let bytes = try buffer.withAudioBufferList(
            blockBufferMemoryAllocator: kCFAllocatorDefault, flags: .audioBufferListAssure16ByteAlignment
        ) { list, _ in list.reduce(0) { $0 + Int($1.mDataByteSize) } }
        #expect(bytes == 16)
        #expect(try Array(buffer.singleSampleBuffers()).count == 4)
        let bearer: any CMAttachmentBearerProtocol = buffer
        var attachments: CMAttachmentBearerAttachments = bearer.attachments
        attachments["k"] = .init(1, mode: .shouldPropagate)
        bearer.attachments = attachments
        buffer.propagateAttachments(to: copy)
        #expect(copy.attachments["k"]?.value as? Int == 1)
        try buffer.setDataReadiness(.notReady)
        #expect(buffer.dataReadiness == .notReady)
        try buffer.invalidate()
        #expect(throws: (any Error).self) { try buffer.makeDataReady() }
    }
}
