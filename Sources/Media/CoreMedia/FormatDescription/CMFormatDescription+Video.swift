import CoreVideo
import Foundation

extension CMFormatDescription {
    /// Creates the format of the pictures in an image buffer: its pixel format, its size, and its attachments
    /// that formats have too.
    public convenience init(imageBuffer: CVImageBuffer) throws {
        var extensions = Extensions()
        for key in Self.extensionKeysCommonWithImageBuffers {
            extensions[key] = CVBufferCopyAttachment(imageBuffer, key.rawValue, nil).map {
                Extensions.Value(rawValue: $0)
            }
        }
        try self.init(
            videoCodecType: MediaSubType(rawValue: CVPixelBufferGetPixelFormatType(imageBuffer)),
            width: CVPixelBufferGetWidth(imageBuffer), height: CVPixelBufferGetHeight(imageBuffer),
            extensions: extensions)
    }

    /// The names of the extensions that image buffers have as attachments.
    public static var extensionKeysCommonWithImageBuffers: [Extensions.Key] {
        [
            .cleanAperture, .pixelAspectRatio, .fieldCount, .fieldDetail, .colorPrimaries, .transferFunction,
            .yCbCrMatrix, .gammaLevel, .iccProfile, .chromaLocationTopField, .chromaLocationBottomField,
            .masteringDisplayColorVolume, .contentLightLevelInfo, .ambientViewingEnvironment,
            .alphaChannelMode,
        ]
    }

    /// Returns whether the format is that of the pictures in a buffer: pixel format, size and common
    /// extensions. A buffer that no format can describe matches none.
    public func matchesImageBuffer(_ imageBuffer: CVImageBuffer) -> Bool {
        guard let own = try? CMFormatDescription(imageBuffer: imageBuffer) else { return false }
        return mediaType == own.mediaType && mediaSubType == own.mediaSubType && dimensions == own.dimensions
            && Self.extensionKeysCommonWithImageBuffers.allSatisfy { extensions[$0] == own.extensions[$0] }
    }

    /// Returns the size of the picture on a display of square pixels.
    ///
    /// - Parameters:
    ///   - usePixelAspectRatio: Whether the width is multiplied by the pixel aspect ratio.
    ///   - useCleanAperture: Whether the size is that of the clean aperture instead of the whole picture.
    public func presentationDimensions(usePixelAspectRatio: Bool = true, useCleanAperture: Bool = true)
        -> CGSize
    {
        geometry.presentationSize(
            usePixelAspectRatio: usePixelAspectRatio, useCleanAperture: useCleanAperture)
    }

    /// Returns the clean aperture in pixels; the whole picture without one.
    ///
    /// - Parameter originIsAtTopLeft: Whether y grows downwards from the top instead of upwards from the
    ///   bottom.
    public func cleanAperture(originIsAtTopLeft: Bool) -> CGRect {
        var rect = geometry.cleanRect
        if !originIsAtTopLeft { rect.origin.y = CGFloat(dimensions.height) - rect.maxY }
        return rect
    }

    private var geometry: PictureGeometry {
        PictureGeometry(width: Int(dimensions.width), height: Int(dimensions.height)) { [extensions] key in
            extensions[key]
        }
    }
}

/// Creates a format of which only the type is known.
@discardableResult
public func CMFormatDescriptionCreate(
    allocator: CFAllocator?, mediaType: CMMediaType, mediaSubType: FourCharCode, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    status {
        formatDescriptionOut.pointee = try CMFormatDescription(
            mediaType: .init(rawValue: mediaType), mediaSubType: .init(rawValue: mediaSubType),
            extensions: extensions.map { CMFormatDescription.Extensions(base: $0) })
    }
}

/// Creates the format of pictures.
///
/// - Returns: `noErr`, or ``kCMFormatDescriptionError_InvalidParameter`` if the width or the height is
///   negative.
@discardableResult
public func CMVideoFormatDescriptionCreate(
    allocator: CFAllocator?, codecType: CMVideoCodecType, width: Int32, height: Int32,
    extensions: CFDictionary?, formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    status {
        formatDescriptionOut.pointee = try CMFormatDescription(
            videoCodecType: .init(rawValue: codecType), width: Int(width), height: Int(height),
            extensions: extensions.map { CMFormatDescription.Extensions(base: $0) })
    }
}

/// Creates the format of the pictures in an image buffer.
@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    status { formatDescriptionOut.pointee = try CMFormatDescription(imageBuffer: imageBuffer) }
}

/// Returns the size of the picture on a display of square pixels.
@discardableResult
public func CMVideoFormatDescriptionGetPresentationDimensions(
    _ videoDesc: CMVideoFormatDescription, usePixelAspectRatio: Bool, useCleanAperture: Bool
) -> CGSize {
    videoDesc.presentationDimensions(
        usePixelAspectRatio: usePixelAspectRatio, useCleanAperture: useCleanAperture)
}

/// Returns the clean aperture in pixels; the whole picture without one.
@discardableResult
public func CMVideoFormatDescriptionGetCleanAperture(
    _ videoDesc: CMVideoFormatDescription, originIsAtTopLeft: Bool
) -> CGRect {
    videoDesc.cleanAperture(originIsAtTopLeft: originIsAtTopLeft)
}

/// Returns the names of the extensions that image buffers have as attachments.
@discardableResult
public func CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers() -> CFArray {
    CMFormatDescription.extensionKeysCommonWithImageBuffers.map(\.rawValue) as NSArray
}

/// Returns whether the format is that of the pictures in a buffer.
@discardableResult
public func CMVideoFormatDescriptionMatchesImageBuffer(
    _ videoDesc: CMVideoFormatDescription, imageBuffer: CVImageBuffer
) -> Bool {
    videoDesc.matchesImageBuffer(imageBuffer)
}

/// Returns all extensions; `nil` if there are none.
@discardableResult
public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? {
    desc.extensions.isEmpty ? nil : desc.extensions.base
}

/// Returns the extension with a name; `nil` if there is none.
@discardableResult
public func CMFormatDescriptionGetExtension(
    _ desc: CMFormatDescription, extensionKey: CFString
) -> CFPropertyList? {
    desc.extensions[extensionKey]
}
