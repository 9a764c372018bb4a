import CoreAudioTypes
import Foundation
import TuttiCodecs

/// The answers to questions about formats, as bytes of their C forms.
enum FormatAnswers {
    static func bytes(
        _ id: AudioFormatPropertyID, _ specifier: UnsafeRawBufferPointer
    ) throws(FormatFailure) -> [UInt8] {
        switch id {
        case kAudioFormatProperty_EncodeFormatIDs: encoded.flatMap(valueBytes)
        case kAudioFormatProperty_DecodeFormatIDs: decoded.flatMap(valueBytes)
        case kAudioFormatProperty_Encoders: try codecs(kAudioEncoderComponentType, encoded, specifier)
        case kAudioFormatProperty_Decoders: try codecs(kAudioDecoderComponentType, decoded, specifier)
        case kAudioFormatProperty_FormatList: try formatList(specifier).flatMap(valueBytes)
        case kAudioFormatProperty_FirstPlayableFormatFromList: valueBytes(try firstPlayable(specifier))
        case kAudioFormatProperty_ASBDFromESDS: valueBytes(try descriptor(specifier).mASBD)
        case kAudioFormatProperty_ChannelLayoutFromESDS:
            ManagedAudioChannelLayout(tag: try descriptor(specifier).mChannelLayoutTag).bytes
        case kAudioFormatProperty_FormatIsVBR, kAudioFormatProperty_FormatIsExternallyFramed:
            flag(CompressedFormat.completed(try stream(specifier)).mBytesPerPacket == 0)
        case kAudioFormatProperty_FormatIsEncrypted: flag(false)
        case kAudioFormatProperty_AvailableEncodeBitRates:
            try value(specifier) == kAudioFormatMPEG4AAC
                ? EncoderRanges.bitRates(channels: 1).flatMap(valueBytes) : []
        case kAudioFormatProperty_AvailableEncodeSampleRates:
            EncoderRanges.sampleRates(of: try value(specifier)).flatMap(valueBytes)
        case kAudioFormatProperty_ID3TagSize: try tagSize(specifier)
        default: try layoutBytes(id, specifier)
        }
    }

    private static func layoutBytes(
        _ id: AudioFormatPropertyID, _ specifier: UnsafeRawBufferPointer
    ) throws(FormatFailure) -> [UInt8] {
        switch id {
        case kAudioFormatProperty_NumberOfChannelsForLayout:
            return valueBytes(UInt32(clamping: try layout(specifier).numberOfChannels))
        case kAudioFormatProperty_ChannelLayoutForTag: return try described(try value(specifier)).bytes
        case kAudioFormatProperty_ChannelLayoutForBitmap:
            let layout = ManagedAudioChannelLayout(bitmap: AudioChannelBitmap(rawValue: try value(specifier)))
            return layout.described.bytes
        case kAudioFormatProperty_TagForChannelLayout: return valueBytes(try tag(of: try layout(specifier)))
        case kAudioFormatProperty_BitmapForLayoutTag:
            guard let bits = ManagedAudioChannelLayout(tag: try value(specifier)).bits else {
                throw FormatFailure(kAudioFormatUnsupportedDataFormatError)
            }
            return valueBytes(bits)
        case kAudioFormatProperty_ValidateChannelLayout: return try validated(try layout(specifier)).bytes
        case kAudioFormatProperty_TagsForNumberOfChannels:
            let count: UInt32 = try value(specifier)
            return ChannelPlaces.table.map(\.tag).filter {
                AudioChannelLayoutTag_GetNumberOfChannels($0) == count
            }.flatMap(valueBytes)
        case kAudioFormatProperty_AreChannelLayoutsEquivalent: return try areEqual(specifier)
        default: throw FormatFailure(kAudioFormatUnsupportedPropertyError)
        }
    }

    /// Returns the text of a question whose answer is a name.
    static func name(
        _ id: AudioFormatPropertyID, _ specifier: UnsafeRawBufferPointer
    ) throws(FormatFailure) -> String {
        switch id {
        case kAudioFormatProperty_FormatName: return try formatName(try stream(specifier))
        case kAudioFormatProperty_ChannelName:
            let channel: AudioChannelDescription = try value(specifier)
            return ChannelPlaces.names[channel.mChannelLabel] ?? "Channel \(channel.mChannelLabel)"
        default: return try layoutName(try layout(specifier))
        }
    }

    // MARK: Formats

    static let decoded: [AudioFormatID] = [
        kAudioFormatLinearPCM, kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2,
        kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD, kAudioFormatAppleLossless, kAudioFormatMPEGLayer3,
        kAudioFormatFLAC, kAudioFormatOpus, kAudioFormatULaw, kAudioFormatALaw,
    ]
    static let encoded: [AudioFormatID] = [
        kAudioFormatLinearPCM, kAudioFormatMPEG4AAC, kAudioFormatAppleLossless,
    ]

    private static func codecs(
        _ kind: OSType, _ ids: [AudioFormatID], _ specifier: UnsafeRawBufferPointer
    ) throws(FormatFailure) -> [UInt8] {
        let id: AudioFormatID = try value(specifier)
        guard ids.contains(id), id != kAudioFormatLinearPCM else { return [] }
        return valueBytes(
            AudioClassDescription(
                mType: kind, mSubType: id, mManufacturer: kAppleSoftwareAudioCodecManufacturer))
    }

    private static func formatList(
        _ specifier: UnsafeRawBufferPointer
    ) throws(FormatFailure) -> [AudioFormatListItem] {
        let info: AudioFormatInfo = try value(specifier)
        let cookie = UnsafeRawBufferPointer(
            start: info.mMagicCookie, count: info.mMagicCookie == nil ? 0 : Int(info.mMagicCookieSize))
        return CompressedFormat.formats(of: info.mASBD, cookie: Array(cookie))
    }

    private static func firstPlayable(_ specifier: UnsafeRawBufferPointer) throws(FormatFailure) -> UInt32 {
        let stride = MemoryLayout<AudioFormatListItem>.stride
        guard specifier.count % stride == 0 else { throw FormatFailure(kAudioFormatBadSpecifierSizeError) }
        let index = (0..<specifier.count / stride).first {
            let item = specifier.loadUnaligned(fromByteOffset: $0 * stride, as: AudioFormatListItem.self)
            return decoded.contains(item.mASBD.mFormatID)
        }
        guard let index else { throw FormatFailure(kAudioFormatUnsupportedDataFormatError) }
        return UInt32(index)
    }

    private static func descriptor(
        _ specifier: UnsafeRawBufferPointer
    ) throws(FormatFailure) -> AudioFormatListItem {
        let bytes = DecoderCookie.normalized(Array(specifier.prefix(4096)), for: .aac)
        guard let configuration = AACConfiguration(bytes) else {
            throw FormatFailure(kAudioFormatUnsupportedDataFormatError)
        }
        return configuration.formats()[0]
    }

    private static func formatName(_ stream: AudioStreamBasicDescription) throws(FormatFailure) -> String {
        if stream.mFormatID == kAudioFormatLinearPCM {
            let isFloat = stream.mFormatFlags & kAudioFormatFlagIsFloat != 0
            let order =
                stream.mFormatFlags & kAudioFormatFlagIsBigEndian != 0 ? "big-endian" : "little-endian"
            let sign =
                isFloat
                ? "floating point"
                : stream.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0
                    ? "signed integer" : "unsigned integer"
            return "Linear PCM, \(stream.mBitsPerChannel) bit \(order) \(sign)"
        }
        guard let name = names[stream.mFormatID] else { throw FormatFailure(kAudioFormatUnknownFormatError) }
        return name
    }

    private static let names: [AudioFormatID: String] = [
        kAudioFormatMPEG4AAC: "AAC", kAudioFormatMPEG4AAC_HE: "High Efficiency AAC",
        kAudioFormatMPEG4AAC_HE_V2: "High Efficiency AAC, version 2",
        kAudioFormatMPEG4AAC_LD: "AAC Low Delay",
        kAudioFormatMPEG4AAC_ELD: "AAC Enhanced Low Delay",
        kAudioFormatMPEGD_USAC: "Extended High Efficiency AAC",
        kAudioFormatAppleLossless: "Apple Lossless", kAudioFormatMPEGLayer1: "MPEG Layer 1",
        kAudioFormatMPEGLayer2: "MPEG Layer 2", kAudioFormatMPEGLayer3: "MPEG Layer 3",
        kAudioFormatFLAC: "FLAC",
        kAudioFormatOpus: "Opus", kAudioFormatAC3: "AC-3", kAudioFormatEnhancedAC3: "Enhanced AC-3",
        kAudioFormatULaw: "µLaw 2:1", kAudioFormatALaw: "ALaw 2:1", kAudioFormatAppleIMA4: "IMA 4:1",
    ]

    // MARK: Layouts

    private static func described(
        _ tag: AudioChannelLayoutTag
    ) throws(FormatFailure) -> ManagedAudioChannelLayout {
        let layout = ManagedAudioChannelLayout(tag: tag)
        guard ChannelPlaces.table.contains(where: { $0.tag == tag }) else {
            throw FormatFailure(kAudioFormatUnsupportedDataFormatError)
        }
        return layout.described
    }

    private static func tag(of layout: ManagedAudioChannelLayout) throws(FormatFailure)
        -> AudioChannelLayoutTag
    {
        if layout.tag != kAudioChannelLayoutTag_UseChannelDescriptions,
            layout.tag != kAudioChannelLayoutTag_UseChannelBitmap
        {
            return layout.tag
        }
        let labels = layout.labels
        if labels == [kAudioChannelLabel_Center] { return kAudioChannelLayoutTag_Mono }
        guard let found = ChannelPlaces.table.first(where: { $0.labels == labels }) else {
            throw FormatFailure(kAudioFormatUnsupportedDataFormatError)
        }
        return found.tag
    }

    private static func validated(
        _ layout: ManagedAudioChannelLayout
    ) throws(FormatFailure) -> ManagedAudioChannelLayout {
        guard layout.numberOfChannels > 0 else { throw FormatFailure(kAudioFormatUnsupportedDataFormatError) }
        switch layout.tag {
        case kAudioChannelLayoutTag_UseChannelDescriptions:
            return ManagedAudioChannelLayout(channelDescriptions: layout.channelDescriptions)
        case kAudioChannelLayoutTag_UseChannelBitmap: return ManagedAudioChannelLayout(bitmap: layout.bitmap)
        default: return ManagedAudioChannelLayout(tag: layout.tag)
        }
    }

    private static func areEqual(_ specifier: UnsafeRawBufferPointer) throws(FormatFailure) -> [UInt8] {
        let size = MemoryLayout<UnsafePointer<AudioChannelLayout>>.size
        guard specifier.count == 2 * size,
            let first = specifier.loadUnaligned(as: UnsafePointer<AudioChannelLayout>?.self),
            let second = specifier.loadUnaligned(
                fromByteOffset: size, as: UnsafePointer<AudioChannelLayout>?.self)
        else { throw FormatFailure(kAudioFormatBadSpecifierSizeError) }
        let (left, right) = (
            ManagedAudioChannelLayout(pointer: first), ManagedAudioChannelLayout(pointer: second)
        )
        // Unknown places are equal only under one tag.
        let isKnown = left.tag == right.tag || !left.labels.contains(kAudioChannelLabel_Unknown)
        return flag(isKnown && left.labels == right.labels)
    }

    private static func layoutName(_ layout: ManagedAudioChannelLayout) throws(FormatFailure) -> String {
        switch layout.numberOfChannels {
        case 0: throw FormatFailure(kAudioFormatUnsupportedDataFormatError)
        case 1: return "Mono"
        case 2: return "Stereo"
        default:
            return layout.labels.map { ChannelPlaces.names[$0] ?? "Unknown" }.joined(separator: ", ")
        }
    }

    // MARK: Specifiers

    private static func value<Value: BitwiseCopyable>(
        _ specifier: UnsafeRawBufferPointer
    ) throws(FormatFailure) -> Value {
        guard specifier.count >= MemoryLayout<Value>.size else {
            throw FormatFailure(kAudioFormatBadSpecifierSizeError)
        }
        return specifier.loadUnaligned(as: Value.self)
    }

    private static func stream(
        _ specifier: UnsafeRawBufferPointer
    ) throws(FormatFailure) -> AudioStreamBasicDescription {
        try value(specifier)
    }

    private static func layout(
        _ specifier: UnsafeRawBufferPointer
    ) throws(FormatFailure) -> ManagedAudioChannelLayout {
        guard let layout = ManagedAudioChannelLayout(bytes: specifier) else {
            throw FormatFailure(kAudioFormatBadSpecifierSizeError)
        }
        return layout
    }

    private static func flag(_ value: Bool) -> [UInt8] { valueBytes(UInt32(value ? 1 : 0)) }

    private static func tagSize(_ specifier: UnsafeRawBufferPointer) throws(FormatFailure) -> [UInt8] {
        guard specifier.count >= 10 else { throw FormatFailure(kAudioFormatBadSpecifierSizeError) }
        guard let size = ID3Tag.byteCount(Array(specifier.prefix(10))) else {
            throw FormatFailure(kAudioFormatUnsupportedDataFormatError)
        }
        return valueBytes(UInt32(clamping: size))
    }
}
