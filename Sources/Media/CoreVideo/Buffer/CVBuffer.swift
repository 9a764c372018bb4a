import Foundation
import Synchronization

/// A plane of pixels in memory.
package struct CVPlane: @unchecked Sendable {
    // Safe to share: the value has only numbers and an address; who owns the memory decides about access.

    /// The first byte of the first row.
    package var address: UnsafeMutableRawPointer
    /// The width in samples of this plane.
    package var width: Int
    /// The number of rows.
    package var height: Int
    /// The distance from one row to the next, in bytes.
    package var bytesPerRow: Int

    /// Creates a plane from its place and its size.
    package init(address: UnsafeMutableRawPointer, width: Int, height: Int, bytesPerRow: Int) {
        self.address = address
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
    }

    /// The bytes of all rows.
    package var byteCount: Int { bytesPerRow * height }
}

/// A picture in memory with named attachments.
///
/// Size, format and addresses never change. Any thread may read and change the attachments. Threads that
/// write and read the same pixels concurrently must synchronise themselves; the lock functions count locks
/// and do not wait.
public final class CVBuffer: @unchecked Sendable {
    // Safe to share: the layout never changes, and `attached` and `locks` guard what changes. The owner is
    // `Sendable` and keeps the memory valid; clients synchronise access to the pixels themselves.

    let pixelFormat: OSType
    let width: Int
    let height: Int
    /// The planes; one for a format without planes.
    package let planes: [CVPlane]
    /// Whether the format has planes in Core Video's sense.
    let isPlanar: Bool
    /// The attributes that the buffer's creator gave.
    private let givenAttributes: NSDictionary?
    private let owner: any AnyObject & Sendable
    let attached = Mutex<[String: CVBufferAttachment]>([:])
    let locks = Mutex(LockCounts())

    /// Wraps memory without copying it.
    ///
    /// - Parameters:
    ///   - pixelFormat: A format type; a supported one decides whether the buffer is planar, for another one
    ///     the number of planes does.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    ///   - planes: The planes; a single one for a format without planes. At least one.
    ///   - owner: An object that keeps the memory valid; released with the buffer.
    package convenience init(
        pixelFormat: OSType, width: Int, height: Int, planes: [CVPlane], owner: any AnyObject & Sendable
    ) {
        self.init(
            pixelFormat, width, height, planes,
            isPlanar: PixelFormat(pixelFormat)?.isPlanar ?? (planes.count > 1), owner: owner, attributes: nil)
    }

    init(
        _ pixelFormat: OSType, _ width: Int, _ height: Int, _ planes: [CVPlane], isPlanar: Bool,
        owner: any AnyObject & Sendable, attributes: CFDictionary?
    ) {
        precondition(!planes.isEmpty, "a picture has at least one plane")
        self.pixelFormat = pixelFormat
        self.width = width
        self.height = height
        self.planes = planes
        self.isPlanar = isPlanar
        self.owner = owner
        // The creator may change a mutable dictionary later.
        givenAttributes = attributes.map { NSDictionary(dictionary: $0 as? [AnyHashable: Any] ?? [:]) }
    }

    /// The attributes with which a buffer of the same kind can be created.
    var creationAttributes: NSDictionary {
        let all = NSMutableDictionary(dictionary: givenAttributes as? [AnyHashable: Any] ?? [:])
        all[kCVPixelBufferPixelFormatTypeKey] = NSNumber(value: pixelFormat)
        all[kCVPixelBufferWidthKey] = NSNumber(value: width)
        all[kCVPixelBufferHeightKey] = NSNumber(value: height)
        return all
    }

    /// The bytes of all rows of all planes.
    package var byteCount: Int { planes.reduce(0) { $0 + $1.byteCount } }

    /// Returns a plane of a planar buffer; `nil` if there is none.
    func plane(_ index: Int) -> CVPlane? {
        isPlanar && planes.indices.contains(index) ? planes[index] : nil
    }
}

extension CVBuffer: Hashable {
    /// Returns whether both are the same object.
    public static func == (left: CVBuffer, right: CVBuffer) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A buffer that holds a picture.
public typealias CVImageBuffer = CVBuffer
/// A buffer that holds a picture in main memory.
public typealias CVPixelBuffer = CVImageBuffer
