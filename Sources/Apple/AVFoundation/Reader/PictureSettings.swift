import CoreMedia
import Foundation
import Playback
import TuttiCodecs

/// The pixel buffers that a program's output settings request.
struct PictureSettings {
    /// The pixel format; `nil` for that of the pictures.
    let format: OSType?
    /// The width in pixels; `nil` for that of the pictures.
    let width: Int?
    /// The height in pixels; `nil` for that of the pictures.
    let height: Int?

    /// Keys that have no effect here.
    private static let ignoredKeys: Set<String> = Set(
        [
            kCVPixelBufferBytesPerRowAlignmentKey, kCVPixelBufferPlaneAlignmentKey,
            kCVPixelBufferExtendedPixelsLeftKey, kCVPixelBufferExtendedPixelsTopKey,
            kCVPixelBufferExtendedPixelsRightKey, kCVPixelBufferExtendedPixelsBottomKey,
            kCVPixelBufferMemoryAllocatorKey, kCVPixelBufferIOSurfacePropertiesKey,
            kCVPixelBufferMetalCompatibilityKey, kCVPixelBufferOpenGLCompatibilityKey,
            kCVPixelBufferOpenGLESCompatibilityKey, kCVPixelBufferOpenGLESTextureCacheCompatibilityKey,
            kCVPixelBufferCGImageCompatibilityKey, kCVPixelBufferCGBitmapContextCompatibilityKey,
        ].map { $0 as String })

    /// - Parameter settings: Settings by the `kCVPixelBuffer…Key` names. Of several formats the first supported one counts.
    /// - Throws: ``AVError/unsupportedOutputSettings`` with the reason as text.
    init(_ settings: [String: Any]) throws(AVError) {
        var rest = settings.filter { !Self.ignoredKeys.contains($0.key) }
        let format = rest.removeValue(forKey: kCVPixelBufferPixelFormatTypeKey as String)
        let width = rest.removeValue(forKey: kCVPixelBufferWidthKey as String)
        let height = rest.removeValue(forKey: kCVPixelBufferHeightKey as String)
        if let unknown = rest.keys.min() { throw Self.refusal("\(unknown) for pictures") }
        self.format = try Self.format(format)
        self.width = try Self.side(width)
        self.height = try Self.side(height)
        // One side may be that of the pictures, which have their own limits.
        guard (self.width ?? 1) * (self.height ?? 1) <= VideoStreamParameters.pixelLimit else {
            throw Self.refusal("\(self.width ?? 0) × \(self.height ?? 0) pixels")
        }
    }

    private static func format(_ value: Any?) throws(AVError) -> OSType? {
        guard let value else { return nil }
        let wishes = (value as? [Any] ?? [value]).map { wish in
            integer(wish).flatMap { OSType(exactly: $0) }.flatMap { PictureLayout(pixelFormat: $0) }
        }
        guard let layout = wishes.compactMap(\.self).first else {
            throw refusal("the pixel format under kCVPixelBufferPixelFormatTypeKey")
        }
        return layout.pixelFormat
    }

    private static func side(_ value: Any?) throws(AVError) -> Int? {
        guard let value else { return nil }
        guard let number = integer(value), (1...VideoStreamParameters.sideLimit).contains(number) else {
            throw refusal("a side of \(value) pixels")
        }
        return number
    }

    private static func integer(_ value: Any) -> Int? {
        (value as? NSNumber).flatMap { Int(exactly: $0.doubleValue) }
    }

    private static func refusal(_ reason: String) -> AVError {
        AVError(.unsupportedOutputSettings, reason: "the output settings are not supported: \(reason)")
    }
}
