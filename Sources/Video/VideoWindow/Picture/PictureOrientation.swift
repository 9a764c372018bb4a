/// A rotation and reflection between stored and shown pixels, with the numbers of EXIF.
///
/// The names say which side of the shown picture the stored top row is on.
public enum PictureOrientation: Int, Hashable, Sendable, CaseIterable {
    /// Shown as stored.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by half a turn.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored left to right, then turned a quarter counterclockwise.
    case leftMirrored = 5
    /// Turned a quarter clockwise.
    case right = 6
    /// Mirrored left to right, then turned a quarter clockwise.
    case rightMirrored = 7
    /// Turned a quarter counterclockwise.
    case left = 8

    /// Clockwise degrees of the rotation that follows the reflection.
    var degrees: Int {
        switch self {
        case .up, .upMirrored: 0
        case .right, .rightMirrored: 90
        case .down, .downMirrored: 180
        case .left, .leftMirrored: 270
        }
    }

    /// Whether left and right are exchanged before the rotation.
    var isMirrored: Bool {
        switch self {
        case .up, .right, .down, .left: false
        case .upMirrored, .rightMirrored, .downMirrored, .leftMirrored: true
        }
    }

    /// Whether the shown width is the stored height.
    var swapsAxes: Bool { degrees % 180 != 0 }
}
