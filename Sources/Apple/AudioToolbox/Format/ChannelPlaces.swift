import CoreAudioTypes

/// The places of the channels of each layout tag, in order.
enum ChannelPlaces {
    private static let (left, right, center) = (
        kAudioChannelLabel_Left, kAudioChannelLabel_Right, kAudioChannelLabel_Center
    )
    private static let (low, behind) = (kAudioChannelLabel_LFEScreen, kAudioChannelLabel_CenterSurround)
    private static let (sideLeft, sideRight) = (
        kAudioChannelLabel_LeftSurround, kAudioChannelLabel_RightSurround
    )
    private static let (nearLeft, nearRight) = (
        kAudioChannelLabel_LeftCenter, kAudioChannelLabel_RightCenter
    )
    private static let (rearLeft, rearRight) = (
        kAudioChannelLabel_RearSurroundLeft, kAudioChannelLabel_RearSurroundRight
    )

    static let table: [(tag: AudioChannelLayoutTag, labels: [AudioChannelLabel])] = [
        (kAudioChannelLayoutTag_Mono, [kAudioChannelLabel_Mono]),
        (kAudioChannelLayoutTag_Stereo, [left, right]),
        (kAudioChannelLayoutTag_StereoHeadphones, [left, right]),
        (kAudioChannelLayoutTag_Quadraphonic, [left, right, sideLeft, sideRight]),
        (kAudioChannelLayoutTag_MPEG_3_0_A, [left, right, center]),
        (kAudioChannelLayoutTag_MPEG_3_0_B, [center, left, right]),
        (kAudioChannelLayoutTag_MPEG_4_0_A, [left, right, center, behind]),
        (kAudioChannelLayoutTag_MPEG_4_0_B, [center, left, right, behind]),
        (kAudioChannelLayoutTag_MPEG_5_0_A, [left, right, center, sideLeft, sideRight]),
        (kAudioChannelLayoutTag_MPEG_5_0_B, [left, right, sideLeft, sideRight, center]),
        (kAudioChannelLayoutTag_MPEG_5_0_C, [left, center, right, sideLeft, sideRight]),
        (kAudioChannelLayoutTag_MPEG_5_0_D, [center, left, right, sideLeft, sideRight]),
        (kAudioChannelLayoutTag_MPEG_5_1_A, [left, right, center, low, sideLeft, sideRight]),
        (kAudioChannelLayoutTag_MPEG_5_1_B, [left, right, sideLeft, sideRight, center, low]),
        (kAudioChannelLayoutTag_MPEG_5_1_C, [left, center, right, sideLeft, sideRight, low]),
        (kAudioChannelLayoutTag_MPEG_5_1_D, [center, left, right, sideLeft, sideRight, low]),
        (kAudioChannelLayoutTag_MPEG_6_1_A, [left, right, center, low, sideLeft, sideRight, behind]),
        (
            kAudioChannelLayoutTag_MPEG_7_1_A,
            [left, right, center, low, sideLeft, sideRight, nearLeft, nearRight]
        ),
        (
            kAudioChannelLayoutTag_MPEG_7_1_B,
            [center, nearLeft, nearRight, left, right, sideLeft, sideRight, low]
        ),
        (
            kAudioChannelLayoutTag_MPEG_7_1_C,
            [left, right, center, low, sideLeft, sideRight, rearLeft, rearRight]
        ),
    ]

    /// The labels of the bitmap's lowest bits, in order.
    static let ofBits: [AudioChannelLabel] = [
        left, right, center, low, sideLeft, sideRight, nearLeft, nearRight, behind,
        kAudioChannelLabel_LeftSurroundDirect, kAudioChannelLabel_RightSurroundDirect,
        kAudioChannelLabel_TopCenterSurround, kAudioChannelLabel_VerticalHeightLeft,
        kAudioChannelLabel_VerticalHeightCenter, kAudioChannelLabel_VerticalHeightRight,
        kAudioChannelLabel_TopBackLeft, kAudioChannelLabel_TopBackCenter, kAudioChannelLabel_TopBackRight,
    ]

    static let names: [AudioChannelLabel: String] = [
        left: "Left", right: "Right", center: "Center", low: "LFE", sideLeft: "Left Surround",
        sideRight: "Right Surround", nearLeft: "Left Center", nearRight: "Right Center",
        behind: "Center Surround", kAudioChannelLabel_LeftSurroundDirect: "Left Surround Direct",
        kAudioChannelLabel_RightSurroundDirect: "Right Surround Direct", rearLeft: "Rear Left",
        rearRight: "Rear Right", kAudioChannelLabel_Mono: "Mono",
    ]
}

extension ManagedAudioChannelLayout {
    /// The label of each channel; unknown labels for a tag without places.
    var labels: [AudioChannelLabel] {
        switch tag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: return channelDescriptions.map(\.mChannelLabel)
        case kAudioChannelLayoutTag_UseChannelBitmap:
            return (0..<32).filter { bitmap.rawValue >> UInt32($0) & 1 == 1 }.map {
                ChannelPlaces.ofBits.indices.contains($0)
                    ? ChannelPlaces.ofBits[$0] : kAudioChannelLabel_Unknown
            }
        default:
            let labels = ChannelPlaces.table.first { $0.tag == tag }?.labels
            return labels ?? Array(repeating: kAudioChannelLabel_Unknown, count: min(numberOfChannels, 64))
        }
    }

    /// The same layout as a description of each channel.
    var described: ManagedAudioChannelLayout {
        ManagedAudioChannelLayout(
            channelDescriptions: labels.map {
                AudioChannelDescription(mChannelLabel: $0, mChannelFlags: [], mCoordinates: (0, 0, 0))
            })
    }

    /// The bitmap of the places; `nil` if a place has no bit.
    var bits: UInt32? {
        if tag == kAudioChannelLayoutTag_Mono { return 1 << 2 }
        var bits: UInt32 = 0
        for label in labels {
            guard let bit = ChannelPlaces.ofBits.firstIndex(of: label) else { return nil }
            bits |= 1 << UInt32(bit)
        }
        return bits
    }

    /// The bytes of the C form.
    var bytes: [UInt8] {
        let memory = allocated()
        defer { memory.deallocate() }
        return Array(memory)
    }
}
