import CoreMedia
import Foundation
import TuttiCodecs

/// A maker of public pixel buffers from decoded pictures. Not thread-safe.
///
/// A picture in a wanted layout is wrapped without a copy; others are converted.
package final class PixelBufferMaker {
    private let layouts: [PictureLayout]?
    private let width: Int?
    private let height: Int?
    private let isForScreen: Bool
    private let converter = PictureConverter()
    private var pool: (key: PoolKey, pool: CVPixelBufferPool)?

    private struct PoolKey: Equatable {
        var format: OSType
        var width: Int
        var height: Int
    }

    /// - Parameters:
    ///   - formats: The wanted pixel formats, best first; formats to which pictures cannot be converted are skipped.
    ///     `nil` for the picture's own layout if there is a public format for it, else for the layout that screens show.
    ///   - width: The wanted width in pixels; `nil` for the picture's own.
    ///   - height: The wanted height in pixels; `nil` for the picture's own.
    package init(formats: [OSType]? = nil, width: Int? = nil, height: Int? = nil) {
        layouts = formats.map { $0.compactMap { PictureLayout(pixelFormat: $0) } }
        (self.width, self.height, isForScreen) = (width, height, false)
    }

    /// Makes buffers for a screen: 4:2:0 of 8 bits, or BGRA, see ``PictureConverter/shownLayout(of:)``.
    package static func forScreen() -> PixelBufferMaker { PixelBufferMaker(isForScreen: true) }

    private init(isForScreen: Bool) {
        (layouts, width, height, self.isForScreen) = (nil, nil, nil, isForScreen)
    }

    /// Returns a buffer with the picture, its colours, its pixels' shape and its orientation attached.
    ///
    /// - Throws: ``CodecError`` if the picture cannot be converted or there is no memory.
    package func make(_ frame: VideoFrame, orientation: PictureOrientation) throws -> CVPixelBuffer {
        let size = (width: width ?? frame.width, height: height ?? frame.height)
        let own = frame.layout.flatMap { $0.hasPublicFormat ? $0 : nil }
        let wanted: PictureLayout =
            if let layouts {
                own.flatMap { layouts.contains($0) ? $0 : nil } ?? layouts.first ?? .bgra
            } else if isForScreen {
                PictureConverter.shownLayout(of: frame)
            } else {
                own ?? PictureConverter.shownLayout(of: frame)
            }
        let isAsItIs = wanted == own && size == (frame.width, frame.height) && frame.hasAllPlanes
        let buffer = isAsItIs ? wrapped(frame, wanted) : try converted(frame, to: wanted, size)
        guard let buffer else { throw MakingError.noMemory }
        frame.color.attach(to: buffer, isRGB: wanted.isRGB)
        attachShape(of: frame, isScaled: size != (frame.width, frame.height), orientation, to: buffer)
        return buffer
    }

    /// Returns a program's own buffer in a format for a screen, with its attachments.
    ///
    /// - Throws: ``MakingError/unknownFormat(_:)`` for a format that is not converted; else as above.
    package func make(forScreen buffer: CVPixelBuffer) throws -> CVPixelBuffer {
        let format = CVPixelBufferGetPixelFormatType(buffer)
        guard let own = PictureLayout(pixelFormat: format) else { throw MakingError.unknownFormat(format) }
        let wanted = own.shown
        guard wanted != own else { return buffer }
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        guard
            let target = makeBuffer(PoolKey(format: wanted.pixelFormat, width: width, height: height))
        else { throw MakingError.noMemory }
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        try converter.convert(
            buffer.planes.map(PicturePlane.init), of: own, matrix: .attached(to: buffer), width: width,
            height: height, to: wanted, into: target.planes.map(PicturePlane.init))
        CVBufferPropagateAttachments(buffer, target)
        return target
    }

    /// An error of the maker.
    package enum MakingError: Error, CustomStringConvertible {
        /// A buffer cannot be allocated.
        case noMemory
        /// Pictures of this pixel format cannot be converted.
        case unknownFormat(OSType)

        /// The sentence for users.
        package var description: String {
            switch self {
            case .noMemory: "There is no memory for a picture."
            case .unknownFormat(let format):
                "The pixel format '\(Self.name(of: format))' cannot be shown; convert it to kCVPixelFormatType_32BGRA."
            }
        }

        /// Four characters if all are printable, as programs write formats, else the number.
        private static func name(of format: OSType) -> String {
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: format >> $0) }
            let isText = bytes.allSatisfy { (0x20..<0x7F).contains($0) }
            return isText ? String(decoding: bytes, as: UTF8.self) : "\(format)"
        }
    }

    private func wrapped(_ frame: VideoFrame, _ layout: PictureLayout) -> CVPixelBuffer? {
        let planes = frame.planes.map {
            CVPlane(address: $0.address, width: $0.width, height: $0.height, bytesPerRow: $0.bytesPerRow)
        }
        guard !planes.isEmpty else { return nil }
        return CVPixelBuffer(
            pixelFormat: layout.pixelFormat, width: frame.width, height: frame.height, planes: planes,
            owner: frame)
    }

    private func converted(
        _ frame: VideoFrame, to layout: PictureLayout, _ size: (width: Int, height: Int)
    ) throws -> CVPixelBuffer? {
        guard
            let buffer = makeBuffer(
                PoolKey(format: layout.pixelFormat, width: size.width, height: size.height))
        else { return nil }
        try converter.convert(
            frame, to: layout, width: size.width, height: size.height,
            into: buffer.planes.map(PicturePlane.init))
        return buffer
    }

    /// Takes a buffer from the pool of its kind; the memory of buffers that were released is used again.
    private func makeBuffer(_ key: PoolKey) -> CVPixelBuffer? {
        if pool?.key != key {
            var fresh: CVPixelBufferPool?
            let attributes: NSDictionary = [
                kCVPixelBufferPixelFormatTypeKey: NSNumber(value: key.format),
                kCVPixelBufferWidthKey: NSNumber(value: key.width),
                kCVPixelBufferHeightKey: NSNumber(value: key.height),
            ]
            CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, attributes, &fresh)
            pool = fresh.map { (key, $0) }
        }
        guard let pool = pool?.pool else { return nil }
        var buffer: CVPixelBuffer?
        CVPixelBufferPoolCreatePixelBuffer(kCFAllocatorDefault, pool, &buffer)
        return buffer
    }

    private func attachShape(
        of frame: VideoFrame, isScaled: Bool, _ orientation: PictureOrientation, to buffer: CVPixelBuffer
    ) {
        let aspect = frame.pixelAspect
        if aspect != PixelAspect(), !isScaled {
            let value: NSDictionary = [
                kCVImageBufferPixelAspectRatioHorizontalSpacingKey: NSNumber(value: aspect.width),
                kCVImageBufferPixelAspectRatioVerticalSpacingKey: NSNumber(value: aspect.height),
            ]
            CVBufferSetAttachment(buffer, kCVImageBufferPixelAspectRatioKey, value, .shouldPropagate)
        }
        if orientation != .upright {
            CVBufferSetAttachment(
                buffer, kTuttiImageBufferOrientationKey, NSNumber(value: orientation.rawValue),
                .shouldPropagate)
        }
    }
}

extension PicturePlane {
    fileprivate init(_ plane: CVPlane) {
        self.init(
            address: plane.address, width: plane.width, height: plane.height, bytesPerRow: plane.bytesPerRow)
    }
}
