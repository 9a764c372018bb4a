import Foundation

// The C functions of CMFormatDescription.

/// A parameter is missing or invalid.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710
/// Memory allocation failed.
public let kCMFormatDescriptionError_AllocationFailed: OSStatus = -12711
/// The description lacks the value.
public let kCMFormatDescriptionError_ValueNotAvailable: OSStatus = -12718

extension CMFormatDescription {
    /// The errors that format descriptions throw.
    public struct Error {
        /// A parameter is missing or invalid.
        public static var invalidParameter: NSError {
            statusError(kCMFormatDescriptionError_InvalidParameter)
        }
        /// Memory allocation failed.
        public static var allocationFailed: NSError {
            statusError(kCMFormatDescriptionError_AllocationFailed)
        }
        /// The description lacks the value.
        public static var valueNotAvailable: NSError {
            statusError(kCMFormatDescriptionError_ValueNotAvailable)
        }
    }
}

/// The parts of an audio format that a comparison covers.
public typealias CMAudioFormatDescriptionMask = UInt32

/// The stream description.
public let kCMAudioFormatDescriptionMask_StreamBasicDescription: CMAudioFormatDescriptionMask = 1 << 0
/// The magic cookie.
public let kCMAudioFormatDescriptionMask_MagicCookie: CMAudioFormatDescriptionMask = 1 << 1
/// The channel layout.
public let kCMAudioFormatDescriptionMask_ChannelLayout: CMAudioFormatDescriptionMask = 1 << 2
/// The extensions.
public let kCMAudioFormatDescriptionMask_Extensions: CMAudioFormatDescriptionMask = 1 << 3
/// All parts.
public let kCMAudioFormatDescriptionMask_All: CMAudioFormatDescriptionMask = 0b1111

/// Creates the description of an audio format.
@discardableResult
public func CMAudioFormatDescriptionCreate(
    allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int,
    layout: UnsafePointer<AudioChannelLayout>?, magicCookieSize: Int, magicCookie: UnsafeRawPointer?,
    extensions: CFDictionary?, formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
    status {
        guard layoutSize >= 0, magicCookieSize >= 0, magicCookieSize == 0 || magicCookie != nil else {
            throw CMFormatDescription.Error.invalidParameter
        }
        var managedLayout: ManagedAudioChannelLayout?
        if layoutSize > 0, let layout {
            managedLayout = ManagedAudioChannelLayout(pointer: layout, size: layoutSize)
            if managedLayout == nil { throw CMFormatDescription.Error.invalidParameter }
        }
        formatDescriptionOut.pointee = try CMFormatDescription(
            audioStreamBasicDescription: asbd.pointee, layout: managedLayout,
            magicCookie: magicCookie.map { Data(bytes: $0, count: magicCookieSize) },
            extensions: extensions.map { CMFormatDescription.Extensions(base: $0) })
    }
}

/// Returns the stream description; the pointer is valid as long as the format description.
@discardableResult
public func CMAudioFormatDescriptionGetStreamBasicDescription(
    _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
    desc.descriptionMemory.map { UnsafePointer($0) }
}

/// Returns the magic cookie and its size in bytes; the pointer is valid as long as the format description.
@discardableResult
public func CMAudioFormatDescriptionGetMagicCookie(
    _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
    sizeOut?.pointee = desc.cookieMemory?.count ?? 0
    return desc.cookieMemory?.baseAddress.map { UnsafeRawPointer($0) }
}

/// Returns the channel layout and its size in bytes; the pointer is valid as long as the format description.
@discardableResult
public func CMAudioFormatDescriptionGetChannelLayout(
    _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
    sizeOut?.pointee = desc.layoutMemory?.count ?? 0
    return desc.layoutMemory?.baseAddress.map {
        UnsafePointer($0.assumingMemoryBound(to: AudioChannelLayout.self))
    }
}

/// Returns whether the parts in `equalityMask` are equal, and which of those parts are.
@discardableResult
public func CMAudioFormatDescriptionEqual(
    _ formatDescription: CMAudioFormatDescription, otherFormatDescription: CMAudioFormatDescription,
    equalityMask: CMAudioFormatDescriptionMask,
    equalityMaskOut: UnsafeMutablePointer<CMAudioFormatDescriptionMask>?
) -> Bool {
    let equal = formatDescription.equality(with: otherFormatDescription) & equalityMask
    equalityMaskOut?.pointee = equal
    return equal == equalityMask
}

/// Returns the media type.
@discardableResult
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType {
    desc.mediaType.rawValue
}

/// Returns the media subtype, which is the encoding.
@discardableResult
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode {
    desc.mediaSubType.rawValue
}

/// Returns whether two descriptions are equal; two missing descriptions are.
@discardableResult
public func CMFormatDescriptionEqual(
    _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
    formatDescription == otherFormatDescription
}

/// Returns the size of the picture in pixels.
@discardableResult
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions
{
    videoDesc.dimensions
}
