/// The speaker positions of a stream's channels, in channel order.
package struct ChannelLayout: Hashable, Sendable {
    /// One speaker position; the bit numbers are those of WAVEFORMATEXTENSIBLE and its common extensions.
    package enum Position: Int, Hashable, Sendable, CaseIterable {
        /// A front speaker.
        case frontLeft = 0
        /// Front, bass or back speakers.
        case frontRight, frontCenter, lowFrequency, backLeft, backRight
        /// Side speakers.
        case frontLeftOfCenter, frontRightOfCenter, backCenter, sideLeft, sideRight
        /// Speakers above the listener, in front.
        case topCenter, topFrontLeft, topFrontCenter, topFrontRight
        /// Speakers above the listener, at the back.
        case topBackLeft, topBackCenter, topBackRight
        /// The left channel of a stereo downmix.
        case stereoLeft = 29
        /// The right channel of a stereo downmix.
        case stereoRight
        /// Speakers outside the front pair.
        case wideLeft, wideRight
    }

    /// The number of channels, at least 1.
    package let channelCount: Int
    /// The positions, lowest bit first; empty if unknown.
    package let positions: [Position]

    /// One channel, front centre.
    package static let mono = ChannelLayout(mask: 0x4, channelCount: 1)
    /// Two channels, front left and front right.
    package static let stereo = ChannelLayout(mask: 0x3, channelCount: 2)

    /// Creates a layout from a mask with one bit per position. If the mask does not name exactly
    /// `channelCount` known positions, the usual layout of that many channels is assumed.
    package init(mask: UInt64, channelCount: Int) {
        let count = max(1, channelCount)
        let named = Self.positions(of: mask)
        self.channelCount = count
        positions =
            mask.nonzeroBitCount == count && named.count == count
            ? named : Self.positions(of: Self.usualMask(channelCount: count))
    }

    private static func positions(of mask: UInt64) -> [Position] {
        Position.allCases.filter { mask & (1 << UInt64($0.rawValue)) != 0 }
    }

    private static func usualMask(channelCount: Int) -> UInt64 {
        let masks: [UInt64] = [0, 0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x70F, 0x63F]
        return masks.indices.contains(channelCount) ? masks[channelCount] : 0
    }
}
