import Foundation

/// The immutable format of media data.
public final class CMFormatDescription: @unchecked Sendable {
    // Safe to share: nothing changes after `init`, and only `deinit` frees the memory.

    /// The kind of media: sound, pictures or text.
    public let mediaType: MediaType
    /// The encoding of the data.
    public let mediaSubType: MediaSubType
    /// Additional properties.
    public let extensions: Extensions
    /// The size of the picture; zero for other media.
    public let dimensions: CMVideoDimensions
    /// The format of an audio stream; `nil` for other media.
    public let audioStreamBasicDescription: AudioStreamBasicDescription?
    /// The decoder's configuration, in the form that the encoding defines.
    public let magicCookie: Data?
    /// The arrangement of the channels, if known.
    public let audioChannelLayout: ManagedAudioChannelLayout?

    // Copies in our own memory, because C callers get pointers that live as long as this object.
    let descriptionMemory: UnsafeMutablePointer<AudioStreamBasicDescription>?
    let cookieMemory: UnsafeMutableRawBufferPointer?
    let layoutMemory: UnsafeMutableRawBufferPointer?
    /// The parameter sets of a video, from the record in the extensions; `nil` without one.
    let parameterSetMemory: ParameterSetMemory?

    private init(
        mediaType: MediaType, mediaSubType: MediaSubType, extensions: Extensions?,
        dimensions: CMVideoDimensions = CMVideoDimensions(),
        description: AudioStreamBasicDescription? = nil, layout: ManagedAudioChannelLayout? = nil,
        cookie: Data? = nil
    ) {
        self.mediaType = mediaType
        self.mediaSubType = mediaSubType
        self.extensions = extensions ?? Extensions()
        self.dimensions = dimensions
        audioStreamBasicDescription = description
        magicCookie = cookie
        audioChannelLayout = layout
        descriptionMemory = description.map {
            let memory = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
            memory.initialize(to: $0)
            return memory
        }
        cookieMemory = cookie.map { cookie in
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: cookie.count, alignment: 16)
            cookie.copyBytes(to: memory)
            return memory
        }
        layoutMemory = layout?.allocated()
        parameterSetMemory = mediaType == .video ? ParameterSetMemory(mediaSubType, self.extensions) : nil
    }

    deinit {
        descriptionMemory?.deallocate()
        cookieMemory?.deallocate()
        layoutMemory?.deallocate()
    }

    /// Creates a format of which only the type is known.
    public convenience init(
        mediaType: MediaType, mediaSubType: MediaSubType, extensions: Extensions? = nil
    ) throws {
        self.init(typed: mediaType, mediaSubType, extensions)
    }

    private convenience init(typed type: MediaType, _ subType: MediaSubType, _ extensions: Extensions?) {
        self.init(mediaType: type, mediaSubType: subType, extensions: extensions, cookie: nil)
    }

    /// An audio format without any known property.
    package static let unknownAudio = CMFormatDescription(typed: .audio, MediaSubType(rawValue: 0), nil)

    /// Creates the format of an audio stream.
    ///
    /// - Throws: ``Error/invalidParameter`` if the sample rate is negative or not a number.
    public convenience init(
        audioStreamBasicDescription: AudioStreamBasicDescription, layout: ManagedAudioChannelLayout? = nil,
        magicCookie: Data? = nil, extensions: Extensions? = nil
    ) throws {
        let rate = audioStreamBasicDescription.mSampleRate
        guard rate.isFinite, rate >= 0 else { throw Error.invalidParameter }
        let cookie = magicCookie.flatMap { $0.isEmpty ? nil : Data($0) }
        self.init(
            mediaType: .audio, mediaSubType: MediaSubType(rawValue: audioStreamBasicDescription.mFormatID),
            extensions: extensions, description: audioStreamBasicDescription, layout: layout, cookie: cookie)
    }

    /// Creates the format of pictures.
    ///
    /// - Throws: ``Error/invalidParameter`` if the width or height is negative or exceeds 32 bits.
    public convenience init(
        videoCodecType: MediaSubType, width: Int, height: Int, extensions: Extensions? = nil
    ) throws {
        guard let width = Int32(exactly: width), let height = Int32(exactly: height), width >= 0, height >= 0
        else { throw Error.invalidParameter }
        self.init(
            mediaType: .video, mediaSubType: videoCodecType, extensions: extensions,
            dimensions: CMVideoDimensions(width: width, height: height))
    }

    /// The formats in which the data can be read, best first; here only the stream's own.
    public var audioFormatList: [AudioFormatListItem] {
        guard let audioStreamBasicDescription else { return [] }
        let tag = audioChannelLayout?.tag ?? kAudioChannelLayoutTag_Unknown
        return [AudioFormatListItem(mASBD: audioStreamBasicDescription, mChannelLayoutTag: tag)]
    }
}

/// The format of an audio stream.
public typealias CMAudioFormatDescription = CMFormatDescription
/// The format of pictures.
public typealias CMVideoFormatDescription = CMFormatDescription

extension CMFormatDescription: Hashable {
    /// Returns whether both formats are equal.
    public static func == (left: CMFormatDescription, right: CMFormatDescription) -> Bool {
        if left === right { return true }
        return left.mediaType == right.mediaType && left.mediaSubType == right.mediaSubType
            && left.dimensions == right.dimensions
            && left.equality(with: right) == kCMAudioFormatDescriptionMask_All
    }

    /// Hashes part of what equality compares: types, size, audio format, cookie and names of extensions.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(mediaType)
        hasher.combine(mediaSubType)
        hasher.combine(dimensions)
        hasher.combine(Set(extensions.keys))
        hasher.combine(audioStreamBasicDescription)
        hasher.combine(magicCookie)
    }

    /// Returns the parts in which two audio formats are equal.
    func equality(with other: CMFormatDescription) -> CMAudioFormatDescriptionMask {
        var mask: CMAudioFormatDescriptionMask = 0
        if audioStreamBasicDescription == other.audioStreamBasicDescription {
            mask |= kCMAudioFormatDescriptionMask_StreamBasicDescription
        }
        if magicCookie == other.magicCookie { mask |= kCMAudioFormatDescriptionMask_MagicCookie }
        if layoutMemory.map({ Data($0) }) == other.layoutMemory.map({ Data($0) }) {
            mask |= kCMAudioFormatDescriptionMask_ChannelLayout
        }
        if extensions.base.isEqual(other.extensions.base) { mask |= kCMAudioFormatDescriptionMask_Extensions }
        return mask
    }
}
