import CoreVideo
import Foundation

/// An object that may carry attachments; here sample buffers and image buffers do.
public typealias CMAttachmentBearer = CFTypeRef
/// Whether an attachment propagates to copies of its object.
public typealias CMAttachmentMode = UInt32

/// The attachment stays with its object.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// The attachment propagates to copies.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// An object that carries named attachments.
public protocol CMAttachmentBearerProtocol: AnyObject {
    /// All attachments.
    var attachments: CMAttachmentBearerAttachments { get set }
}

extension CMAttachmentBearerProtocol {
    /// Copies the propagating attachments to `destination`.
    public func propagateAttachments(to destination: some CMAttachmentBearerProtocol) {
        destination.attachments.merge(attachments.propagated, mode: .shouldPropagate)
    }
}

/// The attachments of an object.
public struct CMAttachmentBearerAttachments {
    /// Whether an attachment propagates to copies of its object.
    public enum Mode: CMAttachmentMode, Sendable {
        /// The attachment stays with its object.
        case shouldNotPropagate = 0
        /// The attachment propagates to copies.
        case shouldPropagate = 1
    }

    /// One attachment.
    public enum Value {
        /// An attachment that stays with its object.
        case shouldNotPropagate(Any)
        /// An attachment that propagates to copies.
        case shouldPropagate(Any)

        /// Creates an attachment from a value and its mode.
        public init(_ value: Any, mode: Mode) {
            self = mode == .shouldPropagate ? .shouldPropagate(value) : .shouldNotPropagate(value)
        }

        /// The attached object.
        public var value: Any {
            switch self {
            case .shouldNotPropagate(let value), .shouldPropagate(let value): value
            }
        }

        /// Whether the attachment propagates to copies.
        public var mode: Mode {
            if case .shouldPropagate = self { .shouldPropagate } else { .shouldNotPropagate }
        }
    }

    var values: [String: Value] = [:]

    /// The attachments that propagate to copies.
    public var propagated: [String: Any] { values(in: .shouldPropagate) }

    /// The attachments that stay with their object.
    public var nonPropagated: [String: Any] { values(in: .shouldNotPropagate) }

    func values(in mode: Mode) -> [String: Any] {
        values.filter { $0.value.mode == mode }.mapValues(\.value)
    }

    /// The attachment with this name; setting `nil` removes it.
    public subscript(key: String) -> Value? {
        get { values[key] }
        set { values[key] = newValue }
    }

    /// The attachment with this name; setting `nil` removes it.
    public subscript(key: CFString) -> Value? {
        get { values[key as String] }
        set { values[key as String] = newValue }
    }

    /// Sets these attachments, replacing those with the same names.
    public mutating func merge(_ attachments: [String: Any], mode: Mode) {
        for (key, value) in attachments { values[key] = Value(value, mode: mode) }
    }

    /// Removes all attachments.
    public mutating func removeAll() { values.removeAll() }
}

/// Attaches a value to an object under a name; a missing value removes the attachment.
public func CMSetAttachment(
    _ target: CMAttachmentBearer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
) {
    let mode = CMAttachmentBearerAttachments.Mode(rawValue: attachmentMode) ?? .shouldNotPropagate
    change(target) { $0[key] = value.map { .init($0, mode: mode) } }
}

/// Returns the value attached under a name.
@discardableResult
public func CMGetAttachment(
    _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? {
    guard let value = (target as? any CMAttachmentBearerProtocol)?.attachments[key] else { return nil }
    attachmentModeOut?.pointee = value.mode.rawValue
    return value.value as AnyObject
}

/// Removes the value attached under a name.
public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
    change(target) { $0[key] = nil as CMAttachmentBearerAttachments.Value? }
}

/// Removes all attachments.
public func CMRemoveAllAttachments(_ target: CMAttachmentBearer) { change(target) { $0.removeAll() } }

/// Attaches all values of a dictionary.
public func CMSetAttachments(
    _ target: CMAttachmentBearer, attachments theAttachments: CFDictionary, attachmentMode: CMAttachmentMode
) {
    for case (let key as String, let value) in theAttachments {
        CMSetAttachment(
            target, key: key as NSString, value: value as AnyObject, attachmentMode: attachmentMode)
    }
}

/// Returns the attachments with one mode; `nil` if there are none.
@discardableResult
public func CMCopyDictionaryOfAttachments(
    allocator: CFAllocator?, target: CMAttachmentBearer, attachmentMode: CMAttachmentMode
) -> CFDictionary? {
    guard let bearer = target as? any CMAttachmentBearerProtocol,
        let mode = CMAttachmentBearerAttachments.Mode(rawValue: attachmentMode)
    else { return nil }
    let values = bearer.attachments.values(in: mode)
    return values.isEmpty ? nil : values as NSDictionary
}

/// Copies the propagating attachments to another object.
public func CMPropagateAttachments(_ source: CMAttachmentBearer, destination: CMAttachmentBearer) {
    guard let source = source as? any CMAttachmentBearerProtocol else { return }
    change(destination) { $0.merge(source.attachments.propagated, mode: .shouldPropagate) }
}

private func change(_ target: CMAttachmentBearer, _ body: (inout CMAttachmentBearerAttachments) -> Void) {
    if let buffer = target as? CMSampleBuffer {
        buffer.changeAttachments(body)
    } else if let buffer = target as? CVBuffer {
        buffer.changeAttachments(body)
    } else if let bearer = target as? any CMAttachmentBearerProtocol {
        body(&bearer.attachments)
    }
}
