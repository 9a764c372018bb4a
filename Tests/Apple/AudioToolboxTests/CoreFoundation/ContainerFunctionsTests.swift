import AudioToolbox
import AVFoundation
import CoreMedia
import Testing

@Suite("Core Foundation containers in the C spelling")
struct ContainerFunctionsTests {
    private func sample() throws -> CMSampleBuffer {
        var format: CMAudioFormatDescription?
        var stream = AudioStreamBasicDescription(
            mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
            mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0)
        CMAudioFormatDescriptionCreate(
            allocator: nil, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
            extensions: nil, formatDescriptionOut: &format)
        var buffer: CMSampleBuffer?
        CMSampleBufferCreate(
            allocator: nil, dataBuffer: nil, dataReady: false, makeDataReadyCallback: nil, refcon: nil,
            formatDescription: format, sampleCount: 2, sampleTimingEntryCount: 0, sampleTimingArray: nil,
            sampleSizeEntryCount: 0, sampleSizeArray: nil, sampleBufferOut: &buffer)
        return try #require(buffer)
    }

    @Test("a value set through an address reaches the sample")
    func attachmentByAddress() throws {
        let buffer = try sample()
        let attachments = try #require(
            CMSampleBufferGetSampleAttachmentsArray(buffer, createIfNecessary: true))
        #expect(CFArrayGetCount(attachments) == 2)
        let dictionary = unsafeBitCast(CFArrayGetValueAtIndex(attachments, 0), to: CFMutableDictionary.self)
        let key = Unmanaged.passUnretained(kCMSampleAttachmentKey_DisplayImmediately).toOpaque()
        CFDictionarySetValue(dictionary, key, Unmanaged.passUnretained(kCFBooleanTrue).toOpaque())
        #expect(buffer.sampleAttachments[0][.displayImmediately] as? Bool == true)
        #expect(buffer.sampleAttachments[1][.displayImmediately] == nil)
        #expect(CFDictionaryContainsKey(dictionary, key) && CFDictionaryGetCount(dictionary) == 1)

        let address = try #require(CFDictionaryGetValue(dictionary, key))
        let value: CFBoolean = Unmanaged.fromOpaque(address).takeUnretainedValue()
        #expect(CFBooleanGetValue(value))
        CFDictionaryRemoveValue(dictionary, key)
        #expect(CFDictionaryGetValue(dictionary, key) == nil)
        #expect(buffer.sampleAttachments[0][.displayImmediately] == nil)
    }

    @Test("the address of a constant is stable")
    func constants() {
        #expect(kCMSampleAttachmentKey_NotSync === kCMSampleAttachmentKey_NotSync)
        #expect(
            kCMSampleBufferAttachmentKey_TrimDurationAtStart
                === kCMSampleBufferAttachmentKey_TrimDurationAtStart)
        #expect(kCMTimeValueKey === kCMTimeValueKey && kCMTimeRangeStartKey === kCMTimeRangeStartKey)
    }

    @Test("a value bridged to Swift keeps its address while its container lives")
    func bridgedValues() throws {
        let array = ["one", "two"] as NSArray
        let first = try #require(CFArrayGetValueAtIndex(array, 0))
        let again = try #require(CFArrayGetValueAtIndex(array, 0))
        #expect(first == again)
        let text: CFString = Unmanaged.fromOpaque(first).takeUnretainedValue()
        #expect(text as String == "one")
        let key: CFString = "place" as NSString
        let dictionary = ["place": 7] as NSDictionary
        let value = try #require(CFDictionaryGetValue(dictionary, Unmanaged.passUnretained(key).toOpaque()))
        #expect(Unmanaged<NSNumber>.fromOpaque(value).takeUnretainedValue() == 7)
    }

    @Test("a changed value has a new address")
    func changedValues() throws {
        let dictionary = NSMutableDictionary()
        let key: CFString = "k" as NSString
        let (one, two) = (NSNumber(value: 1000), NSNumber(value: 2000))
        let name = Unmanaged.passUnretained(key).toOpaque()
        CFDictionaryReplaceValue(dictionary, name, Unmanaged.passUnretained(one).toOpaque())
        #expect(CFDictionaryGetCount(dictionary) == 0)
        CFDictionaryAddValue(dictionary, name, Unmanaged.passUnretained(one).toOpaque())
        CFDictionaryAddValue(dictionary, name, Unmanaged.passUnretained(two).toOpaque())
        let before = try #require(CFDictionaryGetValue(dictionary, name))
        #expect(Unmanaged<NSNumber>.fromOpaque(before).takeUnretainedValue() == 1000)
        CFDictionaryReplaceValue(dictionary, name, Unmanaged.passUnretained(two).toOpaque())
        var after: UnsafeRawPointer?
        #expect(CFDictionaryGetValueIfPresent(dictionary, name, &after))
        #expect(try Unmanaged<NSNumber>.fromOpaque(#require(after)).takeUnretainedValue() == 2000)
    }

    @Test("an index or a range outside an array finds nothing")
    func outside() {
        let array = ["one", "two"] as NSArray
        #expect(CFArrayGetValueAtIndex(array, 2) == nil && CFArrayGetValueAtIndex(array, -1) == nil)
        let two: CFString = "two" as NSString
        let address = UnsafeRawPointer(Unmanaged.passUnretained(two).toOpaque())
        #expect(CFArrayGetFirstIndexOfValue(array, CFRangeMake(0, 2), address) == 1)
        #expect(CFArrayGetFirstIndexOfValue(array, CFRangeMake(-3, .max), address) == 1)
        #expect(!CFArrayContainsValue(array, CFRangeMake(0, 1), address))
        #expect(CFArrayGetCount(nil) == 0)
    }

    @Test("results of C functions may be ignored, and the audio clock is the host's")
    func ignoredResults() throws {
        var clock: CMClock?
        CMAudioClockCreate(allocator: kCFAllocatorDefault, clockOut: &clock)
        let timebase = CMTimebase(sourceClock: try #require(clock))
        CMTimebaseSetTime(timebase, time: .zero)
        CMTimebaseSetRate(timebase, rate: 1)
        #expect(CMTimebaseGetRate(timebase) == 1 && clock === CMClockGetHostTimeClock())
    }
}
