import Foundation
import Testing

@testable import CoreMedia

@Suite("CMSampleBuffer: times and sizes of samples")
struct SampleTimesAndSizesTests {
    @Test("one timing entry applies to all samples in turn")
    func oneEntry() throws {
        let buffer = try Make.aac()
        #expect(buffer.numSamples == 4 && buffer.presentationTimeStamp == Make.time(44_100))
        #expect(buffer.duration == Make.time(4096) && buffer.decodeTimeStamp == .invalid)
        #expect(try buffer.sampleTimingInfo(at: 2).presentationTimeStamp == Make.time(44_100 + 2048))
        #expect(try buffer.sampleTimingInfo(at: 2).decodeTimeStamp == .invalid)
        #expect(try buffer.sampleTimingInfos().count == 1)
        for index in [-1, 4] {
            #expect(
                Make.code { _ = try buffer.sampleTimingInfo(at: index) }
                    == kCMSampleBufferError_SampleIndexOutOfRange)
        }
    }

    @Test("with an entry for each sample, the time is the earliest and the duration the sum")
    func manyEntries() throws {
        let timings = [(3, 1), (0, 2), (5, 4)].map {
            CMSampleTimingInfo(
                duration: Make.time($0.1), presentationTimeStamp: Make.time($0.0),
                decodeTimeStamp: Make.time($0.0 - 9))
        }
        let buffer = try CMSampleBuffer(
            dataBuffer: nil, formatDescription: nil, numSamples: 3, sampleTimings: timings, sampleSizes: [])
        #expect(buffer.presentationTimeStamp == .zero && buffer.duration == Make.time(7))
        #expect(buffer.decodeTimeStamp == Make.time(-9))
        #expect(try buffer.sampleTimingInfo(at: 2).presentationTimeStamp == Make.time(5))
        var (found, needed) = ([CMSampleTimingInfo](repeating: .invalid, count: 3), 0)
        #expect(
            CMSampleBufferGetSampleTimingInfoArray(
                buffer, entryCount: 3, arrayToFill: &found, entriesNeededOut: &needed) == noErr)
        #expect(found == timings && needed == 3)
        #expect(
            CMSampleBufferGetSampleTimingInfoArray(
                buffer, entryCount: 2, arrayToFill: &found, entriesNeededOut: nil)
                == kCMSampleBufferError_ArrayTooSmall)
    }

    @Test("without timing all times are invalid")
    func noEntry() throws {
        let buffer = try CMSampleBuffer(
            dataBuffer: nil, formatDescription: nil, numSamples: 2, sampleTimings: [], sampleSizes: [])
        #expect(buffer.presentationTimeStamp == .invalid && buffer.duration == .invalid)
        #expect(buffer.outputPresentationTimeStamp == .invalid && buffer.outputDuration == .invalid)
        #expect(
            Make.code { _ = try buffer.sampleTimingInfos() }
                == kCMSampleBufferError_BufferHasNoSampleTimingInfo)
        #expect(Make.code { _ = try buffer.sampleSizes() } == kCMSampleBufferError_BufferHasNoSampleSizes)
    }

    static let counts: [(Int, Int, Int, Bool)] = [
        (3, 0, 0, true), (3, 1, 1, true), (3, 3, 3, true), (3, 1, 3, true), (3, 2, 1, false),
        (3, 1, 2, false),
        (3, 4, 0, false), (0, 0, 0, true), (0, 1, 0, true), (0, 2, 0, false), (1, 1, 1, true),
    ]

    @Test("the number of entries is checked", arguments: counts)
    func entryCounts(samples: Int, timings: Int, sizes: Int, isRight: Bool) {
        let (times, lengths) = (
            [CMSampleTimingInfo](repeating: .invalid, count: 5), [Int](repeating: 1, count: 5)
        )
        var buffer: CMSampleBuffer?
        let code = CMSampleBufferCreateReady(
            allocator: kCFAllocatorDefault, dataBuffer: nil, formatDescription: nil, sampleCount: samples,
            sampleTimingEntryCount: timings, sampleTimingArray: times, sampleSizeEntryCount: sizes,
            sampleSizeArray: lengths, sampleBufferOut: &buffer)
        #expect(code == (isRight ? noErr : kCMSampleBufferError_InvalidEntryCount))
        #expect((buffer != nil) == isRight)
    }

    @Test("invalid parameters are refused")
    func badParameters() {
        var buffer: CMSampleBuffer?
        for (samples, timings, sizes, expected) in [
            (-1, 0, 0, kCMSampleBufferError_RequiredParameterMissing),
            (1, 1, 0, kCMSampleBufferError_RequiredParameterMissing),
            (1, 0, -2, kCMSampleBufferError_InvalidEntryCount),
        ] as [(Int, Int, Int, OSStatus)] {
            let code = CMSampleBufferCreateReady(
                allocator: nil, dataBuffer: nil, formatDescription: nil, sampleCount: samples,
                sampleTimingEntryCount: timings, sampleTimingArray: nil, sampleSizeEntryCount: sizes,
                sampleSizeArray: nil, sampleBufferOut: &buffer)
            #expect(code == expected && buffer == nil)
        }
        for sizes in [[-1], [.max, .max, 1], [.max]] {
            #expect(
                Make.code {
                    _ = try CMSampleBuffer(
                        dataBuffer: nil, formatDescription: nil, numSamples: 3, sampleTimings: [],
                        sampleSizes: sizes)
                } == kCMSampleBufferError_InvalidSampleData)
        }
    }

    @Test("sizes may be none, one for all, or one each")
    func sizes() throws {
        let each = try Make.aac()
        #expect((0..<4).map { each.sampleSize(at: $0) } == [10, 20, 30, 40] && each.totalSampleSize == 100)
        #expect(each.sampleSize(at: 4) == 0 && each.sampleSize(at: -1) == 0)
        let one = try CMSampleBuffer(
            dataBuffer: nil, formatDescription: nil, numSamples: 5, sampleTimings: [], sampleSizes: [7])
        #expect(one.sampleSize(at: 3) == 7 && one.totalSampleSize == 35)
        #expect(try one.sampleSizes() == [7])
        let pcm = try CMSampleBuffer(
            dataBuffer: nil, formatDescription: Make.pcmFormat(planar: true), numSamples: 5,
            sampleTimings: [],
            sampleSizes: [])
        #expect(pcm.totalSampleSize == 40)
        var (sizes, needed) = ([0, 0, 0, 0], 0)
        let code = CMSampleBufferGetSampleSizeArray(
            each, entryCount: 4, arrayToFill: &sizes, entriesNeededOut: &needed)
        #expect(code == noErr && sizes == [10, 20, 30, 40] && needed == 4)
    }
}

@Suite("CMSampleBuffer: audio packets")
struct SamplePacketsTests {
    @Test("a PCM sample is a frame")
    func pcm() throws {
        let buffer = try Make.pcm(frames: 100)
        #expect(buffer.duration == Make.time(100) && buffer.sampleSize(at: 9) == 4)
        #expect(try buffer.sampleTimingInfo(at: 50).presentationTimeStamp == Make.time(50))
        #expect(try buffer.audioStreamPacketDescriptions().isEmpty)
        #expect(buffer.packets.prefix(3).map(\.offset) == [0, 4, 8])
    }

    @Test("a compressed sample is a packet, walked in order")
    func compressed() throws {
        let packets = Array(try Make.aac().packets)
        #expect(packets.map(\.offset) == [0, 10, 30, 60] && packets.map(\.size) == [10, 20, 30, 40])
        #expect(packets.allSatisfy { $0.duration == Make.time(1024) })
        let found = try Make.aac().audioStreamPacketDescriptions()
        #expect(
            found.map(\.mStartOffset) == [0, 10, 30, 60] && found.map(\.mDataByteSize) == [10, 20, 30, 40])
        #expect(found.map(\.mVariableFramesInPacket) == [0, 0, 0, 0])
    }

    @Test("offsets may leave gaps, and packets have their own lengths")
    func described() throws {
        let descriptions = [
            AudioStreamPacketDescription(mStartOffset: 4, mVariableFramesInPacket: 100, mDataByteSize: 6),
            AudioStreamPacketDescription(mStartOffset: 20, mVariableFramesInPacket: 0, mDataByteSize: 5),
            AudioStreamPacketDescription(mStartOffset: 25, mVariableFramesInPacket: 50, mDataByteSize: 5),
        ]
        let buffer = try CMSampleBuffer(
            dataBuffer: Make.block(30), formatDescription: Make.aacFormat(), numSamples: 3,
            presentationTimeStamp: Make.time(10), packetDescriptions: descriptions)
        #expect(buffer.packets.map(\.offset) == [4, 20, 25] && buffer.totalSampleSize == 16)
        #expect(buffer.packets.map(\.duration) == [Make.time(100), Make.time(1024), Make.time(50)])
        #expect(try buffer.sampleTimingInfo(at: 2).presentationTimeStamp == Make.time(10 + 1124))
        #expect(buffer.duration == Make.time(1174))
        let part = try CMSampleBuffer(copying: buffer, forRange: 1..<3)
        #expect(part.packets.map(\.offset) == [0, 5])
        #expect(Array(try #require(part.dataBuffer).dataBytes()) == Array(20..<30))
        var sizeNeeded = 0
        let code = CMSampleBufferGetAudioStreamPacketDescriptions(
            buffer, packetDescriptionsSize: 0, packetDescriptionsOut: nil,
            packetDescriptionsSizeNeededOut: &sizeNeeded)
        #expect(code == noErr && sizeNeeded == 48)
    }

    @Test("variable formats report each packet's frames")
    func variableFormat() throws {
        let descriptions = [(0, 4096), (5, 1000)].map {
            AudioStreamPacketDescription(
                mStartOffset: Int64($0.0), mVariableFramesInPacket: UInt32($0.1), mDataByteSize: 5)
        }
        let buffer = try CMSampleBuffer(
            dataBuffer: Make.block(10), formatDescription: Make.aacFormat(framesPerPacket: 0), numSamples: 2,
            presentationTimeStamp: .zero, packetDescriptions: descriptions)
        #expect(try buffer.audioStreamPacketDescriptions() == descriptions)
    }

    @Test("descriptions that do not fit are refused")
    func refused() throws {
        let (block, format) = (try Make.block(10), try Make.aacFormat())
        let cases: [([AudioStreamPacketDescription], Int, OSStatus)] = [
            (
                [.init(mStartOffset: -1, mVariableFramesInPacket: 0, mDataByteSize: 1)], 1,
                kCMSampleBufferError_InvalidSampleData
            ),
            (
                [.init(mStartOffset: 6, mVariableFramesInPacket: 0, mDataByteSize: 5)], 1,
                kCMSampleBufferError_InvalidSampleData
            ),
            (
                [.init(mStartOffset: .max, mVariableFramesInPacket: 0, mDataByteSize: 5)], 1,
                kCMSampleBufferError_InvalidSampleData
            ),
            (
                [.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 11)], 1,
                kCMSampleBufferError_InvalidSampleData
            ),
            (
                [.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 1)], 2,
                kCMSampleBufferError_InvalidEntryCount
            ),
            ([], 1, kCMSampleBufferError_RequiredParameterMissing),
            ([], -1, kCMSampleBufferError_RequiredParameterMissing),
        ]
        for (packets, count, expected) in cases {
            let code = Make.code {
                _ = try CMSampleBuffer(
                    dataBuffer: block, formatDescription: format, numSamples: count,
                    presentationTimeStamp: .zero,
                    packetDescriptions: packets)
            }
            #expect(code == expected)
        }
        let noRate = try CMFormatDescription(mediaType: .video, mediaSubType: .h264)
        #expect(
            Make.code {
                _ = try CMSampleBuffer(
                    dataBuffer: block, formatDescription: noRate, numSamples: 1, presentationTimeStamp: .zero,
                    packetDescriptions: [])
            } == kCMSampleBufferError_InvalidMediaTypeForOperation)
    }
}
