import Codecs
import KeyValueObserving
import Synchronization

/// An audio file, opened to be read.
///
/// Whatever the file's own format, reading gives samples in the *processing format*, at the file's sample
/// rate and with its channels. Reading goes on from ``framePosition`` in one pass over the file, decoding as
/// much as is asked for; setting the position makes the next reading begin exactly there. What encoders put
/// before and behind the sound is neither given nor counted.
///
/// Any thread; calls wait for each other, and for the disk.
open class AVAudioFile: NSObject, @unchecked Sendable {
    // Safe to share: the sound is only touched under its lock, and all else never changes after `init`.

    /// The file.
    open private(set) var url: URL
    /// The format of the data in the file.
    public let fileFormat: AVAudioFormat
    /// The format of the frames that are read.
    public let processingFormat: AVAudioFormat

    private let sound: Mutex<FileSound?>

    /// Opens a file, to be read in the standard format: 32-bit float, a buffer for each channel.
    ///
    /// - Throws: as ``init(forReading:commonFormat:interleaved:)``.
    public convenience init(forReading fileURL: URL) throws {
        try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Opens a file, to be read in one of the common formats.
    ///
    /// - Throws: an error of the domain `com.apple.coreaudio.avfaudio`; its code is one of the
    ///   `kAudioFile…Error` constants, or ``kAudio_ParamError`` for ``AVAudioCommonFormat/otherFormat``.
    public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
        guard fileURL.isFileURL else { throw AudioFileError.notAFile(fileURL) }
        let sound = try FileSound(path: fileURL.absoluteURL.path) {
            FrameWriter.sampleFormat(for: format, natural: $0.stream.naturalFormat.sampleFormat)
        }
        guard let fileFormat = FileSoundFormat.fileFormat(of: sound.info),
            let processing = FileSoundFormat.processingFormat(
                of: sound.info, format, interleaved: interleaved)
        else {
            throw AudioFileError.make(kAudio_ParamError, "no format to read \(fileURL.lastPathComponent) in")
        }
        url = fileURL
        self.fileFormat = fileFormat
        processingFormat = processing
        self.sound = Mutex(sound)
        super.init()
    }

    /// How many frames the file has.
    ///
    /// Where the file does not say, as MP3 without a header or AAC without a container, the first call reads
    /// it to its end, without decoding; in Matroska the last milliseconds may then be missing. Once reading
    /// came to the end, the length is where that is: a file that breaks off is shorter from then on than it
    /// promises. 0 after the file was closed.
    open var length: AVAudioFramePosition { sound.withLock { $0?.length ?? 0 } }

    /// The frame that is read next.
    ///
    /// Setting it costs nothing until the next reading. A place behind the end is kept, and there is nothing
    /// to read there; a negative one is a programmer's error.
    open var framePosition: AVAudioFramePosition {
        get { sound.withLock { $0?.position ?? 0 } }
        set {
            guard isRightUse(newValue >= 0, "a place in a file is 0 or more") else { return }
            sound.withLock { $0?.move(to: newValue) }
        }
    }

    /// Fills a buffer of the processing format; near the end of the file it is not filled to its capacity.
    ///
    /// - Throws: as ``read(into:frameCount:)``.
    open func read(into buffer: AVAudioPCMBuffer) throws {
        try read(into: buffer, frameCount: buffer.frameCapacity)
    }

    /// Reads up to `frames` frames, no more than the buffer has room for, into its start.
    ///
    /// The buffer's `frameLength` tells how many there were; it is smaller only at the end of the file.
    ///
    /// - Throws: at the end of the file, where there is nothing more to read, an error with the code
    ///   ``kAudioFileEndOfFileError``; the buffer's `frameLength` is 0 then. (Apple throws there an error
    ///   without any meaning.) ``kAudio_ParamError`` for a buffer of another format, which is not touched. An
    ///   error on the way is thrown when no frame before it is left to be read.
    open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
        guard buffer.format == processingFormat else { throw AudioFileError.foreignBuffer }
        let wanted = Int(min(frames, buffer.frameCapacity))
        buffer.frameLength = 0
        let count = try sound.withLock { sound in
            guard let sound else { throw AudioFileError.notOpen(url) }
            guard let writer = FrameWriter(buffer, from: sound.sampleFormat) else { return 0 }
            return try sound.read(wanted) { writer.write($0, count: $1, at: $2) }
        }
        guard count > 0 || wanted == 0 else { throw AudioFileError.endOfFile(url) }
        buffer.frameLength = AVAudioFrameCount(count)
    }

    /// Whether the file can be read.
    open var isOpen: Bool { sound.withLock { $0 != nil } }

    /// Lets go of the file; reading throws from now on.
    open func close() { sound.withLock { $0 = nil } }
}
