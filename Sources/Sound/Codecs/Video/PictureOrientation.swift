/// The turn, and mirroring, that shows stored pictures upright: the eight orientations of EXIF, by their numbers.
///
/// Source: Exif 2.32, tag 274.
package enum PictureOrientation: Int, Hashable, Sendable {
    /// Shown as stored.
    case upright = 1
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

    /// Whether width and height change places.
    package var swapsSides: Bool { rawValue >= 5 }

    /// Reads a display matrix of ISO/IEC 14496-12, rounded to the nearest quarter turn.
    ///
    /// - Parameter matrix: Nine numbers a, b, u, c, d, v, x, y, w: a stored point (p, q) is shown at
    ///   (a p + c q + x, b p + d q + y), y downwards.
    init(displayMatrix matrix: [Int32]) {
        guard matrix.count == 9 else {
            self = .upright
            return
        }
        let (a, b, c, d) = (Double(matrix[0]), Double(matrix[1]), Double(matrix[3]), Double(matrix[4]))
        let isTurned = abs(b) + abs(c) > abs(a) + abs(d)
        self =
            switch (isTurned, (isTurned ? b : a) >= 0, (isTurned ? c : d) >= 0) {
            case (false, true, true): .upright
            case (false, false, true): .upMirrored
            case (false, false, false): .down
            case (false, true, false): .downMirrored
            case (true, true, true): .leftMirrored
            case (true, true, false): .right
            case (true, false, false): .rightMirrored
            case (true, false, true): .left
            }
    }
}
