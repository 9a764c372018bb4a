import Foundation

/// Whether an attachment propagates to other buffers.
public enum CVAttachmentMode: UInt32, Hashable, Sendable {
    /// The attachment stays with its buffer.
    case shouldNotPropagate = 0
    /// The attachment propagates with ``CVBufferPropagateAttachments(_:_:)``.
    case shouldPropagate = 1
}

/// An attached object and its mode.
package struct CVBufferAttachment: @unchecked Sendable {
    // Safe to share: the object is a value in Foundation's sense, which clients do not change while it is
    // attached.

    /// The object.
    package let value: AnyObject
    /// Whether the attachment propagates.
    package let mode: CVAttachmentMode

    /// Creates an attachment from an object and its mode.
    package init(value: AnyObject, mode: CVAttachmentMode) {
        self.value = value
        self.mode = mode
    }
}

extension CVBuffer {
    /// All attachments by name. Replacing them is atomic.
    package var allAttachments: [String: CVBufferAttachment] {
        get { attached.withLock { $0 } }
        set { change { $0 = newValue } }
    }

    /// Changes the attachments atomically. Objects that are no longer attached are released after the lock.
    package func change(_ body: (inout [String: CVBufferAttachment]) -> Void) {
        let former = attached.withLock { attachments in
            let former = attachments
            body(&attachments)
            return former
        }
        withExtendedLifetime(former) {}
    }

    /// Returns the attachments with one mode.
    func attachments(in mode: CVAttachmentMode) -> [String: AnyObject] {
        allAttachments.filter { $0.value.mode == mode }.mapValues(\.value)
    }
}

/// Attaches an object to a buffer under a name, replacing another one.
public func CVBufferSetAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ value: CFTypeRef, _ attachmentMode: CVAttachmentMode
) {
    buffer.change { $0[key as String] = CVBufferAttachment(value: value, mode: attachmentMode) }
}

/// Attaches all objects of a dictionary, replacing those with the same names.
public func CVBufferSetAttachments(
    _ buffer: CVBuffer, _ theAttachments: CFDictionary, _ attachmentMode: CVAttachmentMode
) {
    var added: [String: CVBufferAttachment] = [:]
    for case (let key as String, let value) in theAttachments {
        added[key] = CVBufferAttachment(value: value as AnyObject, mode: attachmentMode)
    }
    buffer.change { $0.merge(added) { _, new in new } }
}

/// Returns the object attached under a name, and its mode; `nil` without such an attachment.
@discardableResult
public func CVBufferCopyAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? {
    guard let attachment = buffer.allAttachments[key as String] else { return nil }
    attachmentMode?.pointee = attachment.mode
    return attachment.value
}

/// Returns the attachments with one mode; `nil` if there are none.
@discardableResult
public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
    let values = buffer.attachments(in: attachmentMode)
    return values.isEmpty ? nil : values as NSDictionary
}

/// Returns whether an object is attached under a name.
@discardableResult
public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: CFString) -> Bool {
    buffer.allAttachments[key as String] != nil
}

/// Removes the object attached under a name.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
    buffer.change { $0[key as String] = nil }
}

/// Removes all attachments.
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) { buffer.change { $0.removeAll() } }

/// Attaches the propagating attachments of a buffer to another one too, replacing those with the same names.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
    let added = sourceBuffer.allAttachments.filter { $0.value.mode == .shouldPropagate }
    destinationBuffer.change { $0.merge(added) { _, new in new } }
}

// MARK: Older spellings

/// Returns the object attached under a name, and its mode; valid as long as the object stays attached.
@available(*, deprecated, renamed: "CVBufferCopyAttachment")
@discardableResult
public func CVBufferGetAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Unmanaged<CFTypeRef>? {
    CVBufferCopyAttachment(buffer, key, attachmentMode).map { Unmanaged.passUnretained($0) }
}

/// Returns the attachments with one mode; `nil` if there are none.
@available(*, deprecated, renamed: "CVBufferCopyAttachments")
@discardableResult
public func CVBufferGetAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
    CVBufferCopyAttachments(buffer, attachmentMode)
}
