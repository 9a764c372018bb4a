import Foundation
import Testing

@testable import CoreMedia

@Suite("CMSampleBuffer: attachments and output times")
struct SampleOutputTests {
    @Test("trims move the start and shorten the duration")
    func trims() throws {
        let buffer = try Make.aac()
        #expect(
            buffer.trims.start == .zero && buffer.outputPresentationTimeStamp == buffer.presentationTimeStamp)
        Make.trim(buffer, start: Make.time(2112), end: Make.time(100))
        #expect(buffer.trims.start == Make.time(2112) && buffer.trims.end == Make.time(100))
        #expect(buffer.outputPresentationTimeStamp == Make.time(44_100 + 2112))
        #expect(buffer.outputDuration == Make.time(4096 - 2212) && buffer.duration == Make.time(4096))
        CMRemoveAttachment(buffer, key: kCMSampleBufferAttachmentKey_TrimDurationAtStart)
        #expect(buffer.outputDuration == Make.time(3996))
    }

    @Test("a trim of everything, or of more, leaves nothing")
    func trimmedAway() throws {
        let buffer = try Make.aac()
        Make.trim(buffer, start: Make.time(4096))
        #expect(buffer.outputDuration == .zero)
        Make.trim(buffer, end: Make.time(4096))
        #expect(buffer.outputDuration == .zero)
    }

    @Test("invalid trims count as none")
    func oddTrims() throws {
        for time in [CMTime.invalid, .indefinite, .positiveInfinity, Make.time(-5)] {
            let buffer = try Make.aac()
            Make.trim(buffer, start: time, end: time)
            #expect(buffer.outputDuration == buffer.duration && buffer.trims.start == .zero)
        }
        let buffer = try Make.aac()
        CMSetAttachment(
            buffer, key: kCMSampleBufferAttachmentKey_TrimDurationAtStart, value: "x" as CFString,
            attachmentMode: 1)
        #expect(buffer.trims.start == .zero)
    }

    @Test("speed divides the duration; an invalid speed counts as one")
    func speed() throws {
        for (speed, expected) in [(2, 2048), (0.5, 8192), (0, 4096), (-1, 4096), (.nan, 4096)]
            as [(Double, Int64)]
        {
            let buffer = try Make.aac()
            CMSetAttachment(
                buffer, key: kCMSampleBufferAttachmentKey_SpeedMultiplier, value: NSNumber(value: speed),
                attachmentMode: 1)
            #expect(buffer.outputDuration == Make.time(expected))
        }
    }

    @Test("a reversed buffer starts with its end")
    func reverse() throws {
        let buffer = try Make.aac()
        CMSetAttachment(
            buffer, key: kCMSampleBufferAttachmentKey_Reverse, value: kCFBooleanTrue, attachmentMode: 1)
        Make.trim(buffer, start: Make.time(10), end: Make.time(96))
        #expect(buffer.isReversed && buffer.outputPresentationTimeStamp == Make.time(44_100 + 4000))
        #expect(buffer.outputDuration == Make.time(3990))
    }

    @Test("an explicit output time is kept, and resetting it restores the computed one")
    func explicit() throws {
        let buffer = try Make.aac()
        Make.trim(buffer, start: Make.time(100))
        #expect(CMSampleBufferSetOutputPresentationTimeStamp(buffer, newValue: Make.time(7)) == noErr)
        #expect(CMSampleBufferGetOutputPresentationTimeStamp(buffer) == Make.time(7))
        #expect(CMSampleBufferGetOutputDuration(buffer) == Make.time(3996))
        #expect(try buffer.outputSampleTimingInfos()[0].presentationTimeStamp == Make.time(7))
        try buffer.setOutputPresentationTimeStamp(.invalid)
        #expect(buffer.outputPresentationTimeStamp == Make.time(44_200))
    }

    @Test("attachments are set, queried and removed, by mode")
    func attachments() throws {
        let (buffer, other) = (try Make.aac(), try Make.aac())
        CMSetAttachment(buffer, key: "a" as CFString, value: "1" as CFString, attachmentMode: 0)
        CMSetAttachments(buffer, attachments: ["b": "2", "c": "3"] as CFDictionary, attachmentMode: 1)
        var mode: CMAttachmentMode = 9
        let found = CMGetAttachment(buffer, key: "b" as CFString, attachmentModeOut: &mode)
        #expect(found as? NSString == "2" as NSString && mode == kCMAttachmentMode_ShouldPropagate)
        #expect(CMGetAttachment(buffer, key: "z" as CFString, attachmentModeOut: nil) == nil)
        #expect(buffer.attachments.nonPropagated.keys.sorted() == ["a"])
        CMPropagateAttachments(buffer, destination: other)
        #expect(other.attachments.propagated.keys.sorted() == ["b", "c"] && other.attachments["a"] == nil)
        CMSetAttachment(other, key: "b" as CFString, value: nil, attachmentMode: 1)
        let left = CMCopyDictionaryOfAttachments(allocator: nil, target: other, attachmentMode: 1)
        #expect(left?.count == 1)
        #expect(CMCopyDictionaryOfAttachments(allocator: nil, target: other, attachmentMode: 0) == nil)
        CMRemoveAllAttachments(other)
        #expect(other.attachments.propagated.isEmpty)
        other.attachments["d"] = .shouldPropagate(5)
        #expect(
            other.attachments["d"]?.value as? Int == 5 && other.attachments["d"]?.mode == .shouldPropagate)
        CMSetAttachment(NSObject(), key: "a" as CFString, value: nil, attachmentMode: 0)
    }

    @Test("attachments of single samples are live, in both spellings")
    func sampleAttachments() throws {
        let buffer = try Make.aac()
        #expect(CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: false) == nil)
        buffer.sampleAttachments[1][.notSync] = true
        let array = CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: true)
        let second = array?.object(at: 1) as? NSMutableDictionary
        #expect(array?.count == 4 && second?.object(forKey: kCMSampleAttachmentKey_NotSync) as? Bool == true)
        second?.removeObject(forKey: kCMSampleAttachmentKey_NotSync)
        #expect(buffer.sampleAttachments[1][.notSync] == nil && buffer.sampleAttachments.count == 4)
    }
}
