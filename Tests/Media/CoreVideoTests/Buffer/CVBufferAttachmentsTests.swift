import Testing

@testable import CoreVideo

@Suite("CVBuffer: attachments")
struct CVBufferAttachmentsTests {
    static var key: CFString { "key" as CFString }
    static var other: CFString { "other" as CFString }

    @Test("an attached object keeps its identity and its mode")
    func identity() throws {
        let buffer = try Make.buffer(1, 1)
        let value = NSMutableArray(array: [1, 2])
        CVBufferSetAttachment(buffer, Self.key, value, .shouldPropagate)
        var mode = CVAttachmentMode.shouldNotPropagate
        #expect(CVBufferCopyAttachment(buffer, Self.key, &mode) === value && mode == .shouldPropagate)
        #expect(CVBufferHasAttachment(buffer, Self.key) && !CVBufferHasAttachment(buffer, Self.other))
        #expect(CVBufferCopyAttachment(buffer, Self.other, &mode) == nil && mode == .shouldPropagate)
        CVBufferSetAttachment(buffer, Self.key, "new" as CFString, .shouldNotPropagate)
        #expect(CVBufferCopyAttachment(buffer, Self.key, &mode) as? NSString == "new")
        #expect(mode == .shouldNotPropagate)
    }

    @Test("attachments are listed by mode")
    func dictionaries() throws {
        let buffer = try Make.buffer(1, 1)
        #expect(CVBufferCopyAttachments(buffer, .shouldPropagate) == nil)
        CVBufferSetAttachments(buffer, ["a": 1, "b": "two"] as CFDictionary, .shouldPropagate)
        CVBufferSetAttachment(buffer, Self.key, kCFBooleanTrue, .shouldNotPropagate)
        let propagating = try #require(CVBufferCopyAttachments(buffer, .shouldPropagate))
        #expect(propagating.isEqual(["a": 1, "b": "two"] as NSDictionary))
        #expect(CVBufferCopyAttachments(buffer, .shouldNotPropagate)?.count == 1)
    }

    @Test("only propagating attachments reach another buffer, and replace those of the same name")
    func propagation() throws {
        let (source, destination) = (try Make.buffer(1, 1), try Make.buffer(1, 1))
        CVBufferSetAttachment(source, Self.key, "from source" as CFString, .shouldPropagate)
        CVBufferSetAttachment(source, Self.other, "stays" as CFString, .shouldNotPropagate)
        CVBufferSetAttachment(destination, Self.key, "old" as CFString, .shouldNotPropagate)
        CVBufferPropagateAttachments(source, destination)
        var mode = CVAttachmentMode.shouldNotPropagate
        #expect(CVBufferCopyAttachment(destination, Self.key, &mode) as? NSString == "from source")
        #expect(mode == .shouldPropagate && !CVBufferHasAttachment(destination, Self.other))
        CVBufferPropagateAttachments(source, source)
        #expect(CVBufferHasAttachment(source, Self.other))
    }

    @Test("removal takes one attachment or all, and releases the objects")
    func removal() throws {
        let buffer = try Make.buffer(1, 1)
        weak var object: NSMutableArray?
        do {
            let strong = NSMutableArray()
            object = strong
            CVBufferSetAttachment(buffer, Self.key, strong, .shouldPropagate)
        }
        #expect(object != nil)
        CVBufferSetAttachment(buffer, Self.other, kCFBooleanTrue, .shouldPropagate)
        CVBufferRemoveAttachment(buffer, Self.key)
        #expect(object == nil && CVBufferHasAttachment(buffer, Self.other))
        CVBufferRemoveAllAttachments(buffer)
        #expect(!CVBufferHasAttachment(buffer, Self.other))
    }

    @Test("an object that uses its buffer while it is released does not deadlock")
    func releaseOutsideLock() throws {
        final class Attached {
            var buffer: CVBuffer?
            deinit { if let buffer { CVBufferRemoveAllAttachments(buffer) } }
        }
        let buffer = try Make.buffer(1, 1)
        do {
            let attached = Attached()
            attached.buffer = buffer
            CVBufferSetAttachment(buffer, Self.key, attached, .shouldPropagate)
        }
        CVBufferSetAttachment(buffer, Self.other, kCFBooleanTrue, .shouldPropagate)
        CVBufferSetAttachment(buffer, Self.key, kCFBooleanTrue, .shouldPropagate)
        #expect(!CVBufferHasAttachment(buffer, Self.key))
    }

    @Test("concurrent changes of one buffer lose nothing")
    func concurrency() throws {
        let buffer = try Make.buffer(1, 1)
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            CVBufferSetAttachment(buffer, "\(index)" as NSString, NSNumber(value: index), .shouldPropagate)
        }
        #expect(CVBufferCopyAttachments(buffer, .shouldPropagate)?.count == 64)
    }

    @Test("the older spellings return what is attached")
    func olderSpellings() throws {
        let buffer = try Make.buffer(1, 1)
        let value = NSMutableArray()
        CVBufferSetAttachment(buffer, Self.key, value, .shouldPropagate)
        let old: any OlderSpellings = Older(buffer: buffer)
        #expect(old.attachment === value && old.attachments?.count == 1)
    }
}

/// Uses deprecated names without a warning at the caller.
private protocol OlderSpellings {
    var attachment: AnyObject? { get }
    var attachments: CFDictionary? { get }
}

private struct Older: OlderSpellings {
    let buffer: CVBuffer

    @available(*, deprecated)
    var attachment: AnyObject? {
        CVBufferGetAttachment(buffer, CVBufferAttachmentsTests.key, nil)?.takeUnretainedValue()
    }

    @available(*, deprecated)
    var attachments: CFDictionary? { CVBufferGetAttachments(buffer, .shouldPropagate) }
}
