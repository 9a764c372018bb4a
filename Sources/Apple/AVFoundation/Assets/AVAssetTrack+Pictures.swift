import CoreMedia
import Foundation
import TuttiCodecs

extension AVPartialAsyncProperty where Root: AVAssetTrack {
    /// The size of the pictures on a display of square pixels, before the preferred transform; zero for sound.
    public static var naturalSize: AVAsyncProperty<Root, CGSize> {
        AVAsyncProperty("naturalSize") { $0.displaySize }
    }

    /// The transform that shows the pictures upright with the upper left corner at the origin; the identity for sound.
    public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
        AVAsyncProperty("preferredTransform") { $0.uprightTransform }
    }

    /// Pictures per second on average; 0 for sound, or if unknown.
    public static var nominalFrameRate: AVAsyncProperty<Root, Float> {
        AVAsyncProperty("nominalFrameRate") { Float($0.stream.pictureRate) }
    }

    /// The shortest duration of a picture; invalid for sound, or if unknown.
    public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
        AVAsyncProperty("minFrameDuration") { $0.shortestDuration }
    }

    /// Whether pictures are stored in another order than that in which they are shown.
    public static var requiresFrameReordering: AVAsyncProperty<Root, Bool> {
        AVAsyncProperty("requiresFrameReordering") { $0.isReordered }
    }
}

extension AVAssetTrack {
    fileprivate var displaySize: CGSize {
        guard let video = stream.video else { return CGSize(width: stream.width, height: stream.height) }
        return CGSize(width: CGFloat(video.width) * video.pixelAspect.ratio, height: CGFloat(video.height))
    }

    fileprivate var uprightTransform: CGAffineTransform {
        stream.video?.orientation.transform(of: displaySize) ?? .identity
    }

    fileprivate var shortestDuration: CMTime {
        guard let duration = stream.video?.shortestDuration else { return .invalid }
        return CMTime(value: Int64(duration.numerator), timescale: duration.denominator)
    }

    fileprivate var isReordered: Bool { stream.video.map { $0.reorderingDepth > 0 } ?? false }

    // Deprecated getters. None of them blocks, because a track has all its values from the start.

    /// The size of the pictures on a display of square pixels, before the preferred transform; zero for sound.
    @available(*, deprecated, message: "Use load(.naturalSize) instead")
    public var naturalSize: CGSize { displaySize }

    /// The transform that shows the pictures upright with the upper left corner at the origin; the identity for sound.
    @available(*, deprecated, message: "Use load(.preferredTransform) instead")
    public var preferredTransform: CGAffineTransform { uprightTransform }

    /// Pictures per second on average; 0 for sound, or if unknown.
    @available(*, deprecated, message: "Use load(.nominalFrameRate) instead")
    public var nominalFrameRate: Float { Float(stream.pictureRate) }

    /// The shortest duration of a picture; invalid for sound, or if unknown.
    @available(*, deprecated, message: "Use load(.minFrameDuration) instead")
    public var minFrameDuration: CMTime { shortestDuration }

    /// Whether pictures are stored in another order than that in which they are shown.
    @available(*, deprecated, message: "Use load(.requiresFrameReordering) instead")
    public var requiresFrameReordering: Bool { isReordered }
}

extension PixelAspect {
    /// The width of a pixel divided by its height.
    var ratio: CGFloat { CGFloat(width) / CGFloat(height) }
}

extension PictureOrientation {
    /// Returns the transform of points of a stored picture, y downwards, to points of the upright one, whose upper left
    /// corner is at the origin.
    func transform(of size: CGSize) -> CGAffineTransform {
        let (width, height) = (size.width, size.height)
        return switch self {
        case .upright: .identity
        case .upMirrored: CGAffineTransform(-1, 0, 0, 1, width, 0)
        case .down: CGAffineTransform(-1, 0, 0, -1, width, height)
        case .downMirrored: CGAffineTransform(1, 0, 0, -1, 0, height)
        case .leftMirrored: CGAffineTransform(0, 1, 1, 0, 0, 0)
        case .right: CGAffineTransform(0, 1, -1, 0, height, 0)
        case .rightMirrored: CGAffineTransform(0, -1, -1, 0, height, width)
        case .left: CGAffineTransform(0, -1, 1, 0, 0, width)
        }
    }
}

extension VideoStreamParameters {
    /// Whether the transfer function is one of ITU-R BT.2100.
    var isHighDynamicRange: Bool { [16, 18].contains(statedColor.transfer) }

    /// Whether the primaries are those of ITU-R BT.2020 or of DCI-P3.
    var hasWideGamut: Bool { [9, 11, 12].contains(statedColor.primaries) }
}

extension MediaStream {
    /// The reason why a stream of pictures has no ``video``.
    var sizeRefusal: String {
        width > 0 && height > 0
            ? "pictures of \(width) × \(height) pixels are not supported"
            : "the size of the pictures is unknown or not supported"
    }
}
