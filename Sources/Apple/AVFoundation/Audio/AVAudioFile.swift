import Synchronization
import TuttiCodecs
import TuttiKeyValueObserving

/// An audio file, opened for reading.
///
/// Reading delivers samples in the *processing format*, at the file's sample rate and with its channels.
/// Each read continues at ``framePosition`` and decodes on demand; after the position is set, the next read
/// begins exactly there. Encoder delay and padding are neither delivered nor counted.
///
/// Any thread; calls are serialized and block on the disk.
open class AVAudioFile: NSObject, @unchecked Sendable {
    // Safe to share: the sound is only accessed under its lock; nothing else changes after `init`.

    /// The URL of the file.
    open private(set) var url: URL
    /// The format of the data in the file.
    public let fileFormat: AVAudioFormat
    /// The PCM format of the frames that reading delivers.
    public let processingFormat: AVAudioFormat

    private let sound: Mutex<FileSound?>

    /// Opens a file for reading in the standard format: 32-bit float, a buffer for each channel.
    ///
    /// - Throws: The errors of ``init(forReading:commonFormat:interleaved:)``.
    public convenience init(forReading fileURL: URL) throws {
        try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Opens a file for reading in one of the common formats.
    ///
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio`; its code is one of the
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
            throw AudioFileError.make(
                kAudio_ParamError, "there is no format in which \(fileURL.lastPathComponent) can be read")
        }
        url = fileURL
        self.fileFormat = fileFormat
        processingFormat = processing
        self.sound = Mutex(sound)
        super.init()
    }

    /// The length in frames; 0 after the file is closed.
    ///
    /// If the file does not state its length, such as MP3 without a header or AAC without a container, the
    /// first call reads it to its end, without decoding; in Matroska the last milliseconds may then be
    /// missing. A read that reaches the end corrects the length, so a truncated file becomes shorter than it
    /// states.
    open var length: AVAudioFramePosition { sound.withLock { $0?.length ?? 0 } }

    /// The next frame to read.
    ///
    /// Setting the position costs nothing until the next read. Reading at a position past the end throws
    /// ``kAudioFileEndOfFileError``. A negative position stops a debug build; a release build ignores it.
    open var framePosition: AVAudioFramePosition {
        get { sound.withLock { $0?.position ?? 0 } }
        set {
            guard checkAPIUse(newValue >= 0, "a position in a file must be 0 or more") else { return }
            sound.withLock { $0?.move(to: newValue) }
        }
    }

    /// Fills a buffer of the processing format to its capacity; only partly near the end of the file.
    ///
    /// - Throws: The errors of ``read(into:frameCount:)``.
    open func read(into buffer: AVAudioPCMBuffer) throws {
        try read(into: buffer, frameCount: buffer.frameCapacity)
    }

    /// Reads up to `frames` frames, at most the buffer's capacity, into the start of the buffer.
    ///
    /// Sets the buffer's `frameLength` to the number of frames read, which is smaller only at the end of the
    /// file or before an error.
    ///
    /// - Throws: An error with the code ``kAudioFileEndOfFileError`` at the end of the file, with a
    ///   `frameLength` of 0 (Apple throws an error without any meaning there); ``kAudioFileNotOpenError``
    ///   after ``close()``; ``kAudio_ParamError`` for a buffer of another format, which stays untouched. A
    ///   read error is thrown only when no frame before it is left to read.
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

    /// Whether the file is open; false after ``close()``.
    open var isOpen: Bool { sound.withLock { $0 != nil } }

    /// Closes the file; later reads throw ``kAudioFileNotOpenError``.
    open func close() { sound.withLock { $0 = nil } }
}
