import CoreMedia
import Foundation
import TuttiCodecs

/// The atom of a sample description that configures a decoder.
struct DecoderAtom {
    /// The decoder's set-up bytes, as ``VideoStreamParameters/configuration`` has them.
    let configuration: [UInt8]
    /// The codec's number in an MPEG-4 descriptor.
    private(set) var objectType: UInt8?

    /// The name of the atom for codecs that have none of their own; observed in FFmpeg's QuickTime files.
    private static let generalName = "glbl"

    /// Reads the atom of a format; `nil` without one.
    init?(of format: CMFormatDescription) {
        if format.mediaSubType.rawValue == kCMVideoCodecType_MPEG4Video,
            let content = format.decoderConfiguration,
            let descriptor = ElementaryStreamDescriptor(atom: Array(content))
        {
            (configuration, objectType) = (descriptor.configuration, descriptor.objectType)
        } else if let content = format.decoderConfiguration,
            format.mediaSubType.rawValue != kCMVideoCodecType_VP9
        {
            configuration = Array(content)
        } else if let content = format.extensions.atom(Self.generalName) {
            configuration = Array(content)
        } else {
            return nil
        }
    }

    /// Returns the name and the content of the atom for a stream; `nil` if its decoder needs none.
    static func atom(of video: VideoStreamParameters) -> (name: String, content: [UInt8])? {
        let own = video.configuration
        switch video.codecName {
        case "h264": return record(of: video).map { ("avcC", $0) }
        case "hevc": return record(of: video).map { ("hvcC", $0) }
        case "av1": return ("av1C", AV1Configuration.record(of: video))
        case "vp8", "vp9": return ("vpcC", VPConfiguration.record(of: video))
        case "mpeg4":
            return own.isEmpty
                ? nil : ("esds", ElementaryStreamDescriptor(objectType: 0x20, configuration: own).atom)
        default: return own.isEmpty ? nil : (generalName, own)
        }
    }

    /// Returns the record of a stream of NAL units, made from the parameter sets if the stream has start codes.
    ///
    /// - Returns: `nil` if the stream does not state its parameter sets.
    private static func record(of video: VideoStreamParameters) -> [UInt8]? {
        guard StartCodes.begin(video.configuration) else {
            return video.configuration.isEmpty ? nil : video.configuration
        }
        let isH264 = video.codecName == "h264"
        let sets = video.configuration.withUnsafeBytes { StartCodes.units(of: $0).map { Data($0) } }
            .filter { isH264 ? [7, 8].contains($0[0] & 0x1F) : (32...34).contains($0[0] >> 1 & 0x3F) }
        // Parameter sets that CoreMedia does not understand stay in the packets.
        let format =
            isH264
            ? try? CMFormatDescription(h264ParameterSets: sets, nalUnitHeaderLength: 4)
            : try? CMFormatDescription(hevcParameterSets: sets, nalUnitHeaderLength: 4)
        return format?.extensions.atom(isH264 ? "avcC" : "hvcC").map { Array($0) }
    }
}
