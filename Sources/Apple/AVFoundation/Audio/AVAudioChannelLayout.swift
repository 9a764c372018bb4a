/// An immutable assignment of a format's channels to speaker positions. Any thread.
open class AVAudioChannelLayout: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`, and only `deinit` frees the memory.
    let managed: ManagedAudioChannelLayout
    private let memory: UnsafeMutableRawBufferPointer

    init(_ layout: ManagedAudioChannelLayout) {
        managed = layout
        memory = layout.allocated()
        super.init()
    }

    deinit { memory.deallocate() }

    /// Creates the layout of a tag; `nil` for the two tags that refer to channel descriptions or a bitmap.
    public convenience init?(layoutTag: AudioChannelLayoutTag) {
        guard layoutTag != kAudioChannelLayoutTag_UseChannelDescriptions,
            layoutTag != kAudioChannelLayoutTag_UseChannelBitmap
        else { return nil }
        self.init(ManagedAudioChannelLayout(tag: layoutTag))
    }

    /// Copies a layout in its C form, with as many channel descriptions as the layout states.
    public convenience init(layout: UnsafePointer<AudioChannelLayout>) {
        self.init(ManagedAudioChannelLayout(pointer: layout))
    }

    /// The tag of the layout.
    open var layoutTag: AudioChannelLayoutTag { managed.tag }

    /// The layout in its C form; the pointer is valid as long as this object lives.
    open var layout: UnsafePointer<AudioChannelLayout> {
        UnsafePointer(memory.assumingMemoryBound(to: AudioChannelLayout.self).baseAddress.unsafelyUnwrapped)
    }

    /// The number of channels.
    open var channelCount: AVAudioChannelCount { AVAudioChannelCount(clamping: managed.numberOfChannels) }

    /// The bytes of the C form, for the settings key `AVChannelLayoutKey`.
    var data: Data { Data(memory) }

    /// Returns whether both layouts have the same C form, byte by byte.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioChannelLayout else { return false }
        return other === self || memory.elementsEqual(other.memory)
    }

    /// A hash that is equal for equal layouts.
    open override var hash: Int { data.hashValue }

    /// Whether the layout is that of mono or stereo, which the channel count alone describes.
    var isUsual: Bool {
        managed.tag == kAudioChannelLayoutTag_Mono || managed.tag == kAudioChannelLayoutTag_Stereo
    }
}
