/// Which speakers the channels of a format are meant for. It never changes. Any thread.
open class AVAudioChannelLayout: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init`, and the memory is freed by `deinit` alone.
    let managed: ManagedAudioChannelLayout
    private let memory: UnsafeMutableRawBufferPointer

    init(_ layout: ManagedAudioChannelLayout) {
        managed = layout
        memory = layout.allocated()
        super.init()
    }

    deinit { memory.deallocate() }

    /// A named arrangement; `nil` for the two tags that say that the arrangement is given elsewhere.
    public convenience init?(layoutTag: AudioChannelLayoutTag) {
        guard layoutTag != kAudioChannelLayoutTag_UseChannelDescriptions,
            layoutTag != kAudioChannelLayoutTag_UseChannelBitmap
        else { return nil }
        self.init(ManagedAudioChannelLayout(tag: layoutTag))
    }

    /// Copies an arrangement in its C form, with as many channel descriptions as it says it has.
    public convenience init(layout: UnsafePointer<AudioChannelLayout>) {
        self.init(ManagedAudioChannelLayout(pointer: layout))
    }

    /// The name of the arrangement.
    open var layoutTag: AudioChannelLayoutTag { managed.tag }

    /// The arrangement in its C form; lives as long as this object.
    open var layout: UnsafePointer<AudioChannelLayout> {
        UnsafePointer(memory.assumingMemoryBound(to: AudioChannelLayout.self).baseAddress.unsafelyUnwrapped)
    }

    /// How many channels it has.
    open var channelCount: AVAudioChannelCount { AVAudioChannelCount(clamping: managed.numberOfChannels) }

    /// The C form as bytes, as settings hold it under `AVChannelLayoutKey`.
    var data: Data { Data(memory) }

    /// Whether both have the same C form, byte by byte.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioChannelLayout else { return false }
        return other === self || memory.elementsEqual(other.memory)
    }

    /// Equal for layouts that are equal.
    open override var hash: Int { data.hashValue }

    /// Whether it says no more than the number of one or two channels does.
    var isUsual: Bool {
        managed.tag == kAudioChannelLayoutTag_Mono || managed.tag == kAudioChannelLayoutTag_Stereo
    }
}
