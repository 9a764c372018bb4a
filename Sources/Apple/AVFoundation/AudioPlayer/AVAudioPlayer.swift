import Foundation
import Playback
import TuttiMediaTime
import TuttiSystemIO

/// A player of one sound, from a file or from memory, on the current output route.
///
/// The sound plays once or repeats without a gap. AirPlay speakers and this machine's outputs play it as they play an
/// ``AVPlayer``'s items: `RouteCatalogue.shared` chooses them. The player must live as long as it is to be heard.
/// Callable from any thread.
open class AVAudioPlayer: NSObject, @unchecked Sendable {
    // Safe to share: the only stored property is immutable and Sendable.

    let core: AudioPlayerCore

    // MARK: Making

    /// Creates a player of a file.
    ///
    /// Blocks on the disk. A file that does not state its length, such as MP3 without a header, is read to its end, without
    /// decoding.
    ///
    /// - Throws: An error of the domain `com.apple.coreaudio.avfaudio` with one of the `kAudioFile…Error` codes, if
    ///   the URL is not that of a file, or if the file cannot be read or has no playable sound.
    public init(contentsOf url: URL) throws {
        core = try AudioPlayerCore(url)
        super.init()
        listen()
    }

    /// Creates a player of a file.
    ///
    /// - Parameters:
    ///   - url: The URL of the file.
    ///   - utiString: The type of the file; accepted and ignored, because the contents tell it.
    /// - Throws: The errors of ``init(contentsOf:)``.
    public init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        core = try AudioPlayerCore(url)
        super.init()
        listen()
    }

    /// Creates a player of a file in memory.
    ///
    /// - Throws: The errors of ``init(contentsOf:)``.
    public init(data: Data) throws {
        core = try AudioPlayerCore(data)
        super.init()
        listen()
    }

    /// Creates a player of a file in memory.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - utiString: The type of the file; accepted and ignored, because the contents tell it.
    /// - Throws: The errors of ``init(contentsOf:)``.
    public init(data: Data, fileTypeHint utiString: String?) throws {
        core = try AudioPlayerCore(data)
        super.init()
        listen()
    }

    /// Creates a player of a file for another selection of outputs than the program's common one, see
    /// `RouteCatalogue.makeSelection()`. Tutti's extension.
    ///
    /// - Throws: The errors of ``init(contentsOf:)``.
    public init(contentsOf url: URL, tuttiRoutes: RouteCatalogue) throws {
        core = try AudioPlayerCore(
            url, on: AudioPlayerCore.Stage(routes: tuttiRoutes, queue: tuttiRoutes.makeQueue()))
        super.init()
        listen()
    }

    init(core: AudioPlayerCore) {
        self.core = core
        super.init()
        listen()
    }

    private func listen() {
        core.loop.setEnded { [weak self] end in
            guard let self else { return }
            DispatchQueue.main.async { self.report(end) }
        }
    }

    private func report(_ end: LoopingSound.End) {
        switch end {
        case .finished: delegate?.audioPlayerDidFinishPlaying(self, successfully: true)
        case .interrupted: delegate?.audioPlayerBeginInterruption(self)
        case .failed(let error):
            delegate?.audioPlayerDecodeErrorDidOccur(self, error: AudioFileError.make(error))
            delegate?.audioPlayerDidFinishPlaying(self, successfully: false)
        }
    }

    // MARK: Transport

    /// Reads the beginning of the sound and fills the outputs, so that a start is heard sooner.
    ///
    /// - Returns: `true`: a file that cannot be read makes the initialiser throw.
    @discardableResult
    open func prepareToPlay() -> Bool {
        core.loop.prepare()
        return true
    }

    /// Plays from ``currentTime`` on.
    ///
    /// - Returns: `true`; the delegate learns of later errors.
    @discardableResult
    open func play() -> Bool {
        core.loop.play(core.usedRate)
        return true
    }

    /// Starts so that the sound at ``currentTime`` is heard when ``deviceCurrentTime`` reads `time`.
    ///
    /// A time in the past, or too near for the outputs, starts as soon as possible.
    ///
    /// - Parameter time: Seconds on the clock of ``deviceCurrentTime``, which all players share.
    /// - Returns: `false`, and nothing happens, if the time is not a number.
    @discardableResult
    open func play(atTime time: TimeInterval) -> Bool {
        guard time.isFinite, abs(time) < 9e9 else { return false }
        core.loop.play(core.usedRate, at: HostTime(nanoseconds: Int64(time * 1e9)))
        return true
    }

    /// Pauses; ``play()`` continues at once.
    open func pause() { core.loop.pause() }

    /// Stops and takes the sound from the outputs. ``currentTime`` stays.
    open func stop() { core.loop.stop() }

    /// Whether the sound plays or is about to; `false` after its end.
    open var isPlaying: Bool { core.loop.isPlaying }

    /// Number of repetitions after the first time; negative for endless ones. 0 at first.
    ///
    /// Repetitions join without a gap. A change while the sound plays counts from where the playback began.
    open var numberOfLoops: Int {
        get { core.loop.loopCount }
        set { core.loop.loopCount = newValue }
    }

    // MARK: Time

    /// The length of the sound in seconds, without repetitions.
    open var duration: TimeInterval { core.duration }

    /// The audible time in seconds from the beginning of the sound, from 0 again in each repetition; 0 after the end.
    ///
    /// Setting it continues there, to the frame; values outside of the sound are clamped.
    open var currentTime: TimeInterval {
        get { core.currentTime }
        set { core.currentTime = newValue }
    }

    /// The host clock in seconds, on which ``play(atTime:)`` counts.
    open var deviceCurrentTime: TimeInterval { core.deviceTime }

    // MARK: Sound

    /// The linear gain, 0 ... 1; 1 at first. During a fade it is the target.
    open var volume: Float {
        get { core.settings.withLock { $0.volume } }
        set { core.setVolume(newValue, over: 0) }
    }

    /// Changes the volume evenly over a time.
    ///
    /// - Parameters:
    ///   - volume: The target, 0 ... 1.
    ///   - duration: Seconds from now on; 0 or less sets the volume at once.
    open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
        core.setVolume(volume, over: duration)
    }

    /// The balance of the two channels, -1 (left) ... 1 (right); 0, at first, leaves both as they are.
    ///
    /// A change is heard within a few seconds, because the outputs hold sound already.
    open var pan: Float {
        get { core.settings.withLock { $0.pan } }
        set { core.setPan(newValue) }
    }

    /// Whether ``rate`` has an effect; `false` at first.
    open var enableRate: Bool {
        get { core.settings.withLock { $0.isRateEnabled } }
        set {
            core.settings.withLock { $0.isRateEnabled = newValue }
            followRate()
        }
    }

    /// The speed, 0.5 ... 2, at the same pitch; 1 at first. Requires ``enableRate``.
    open var rate: Float {
        get { core.settings.withLock { $0.rate } }
        set {
            guard newValue.isFinite else { return }
            core.settings.withLock { $0.rate = min(max(newValue, 0.5), 2) }
            followRate()
        }
    }

    private func followRate() { if isPlaying { core.loop.driver.setRate(core.usedRate) } }

    /// The local output device that the player is pinned to; `nil`, at first, follows the route.
    open var currentDevice: String? {
        get { core.routes.device(of: core.loop.driver.renderQueue) }
        set { core.routes.pin(core.loop.driver.renderQueue, to: newValue) }
    }

    /// Stored without effect: outputs are stereo.
    open var channelAssignments: [AVAudioSessionChannelDescription]? {
        get { core.settings.withLock { $0.channels } }
        set { core.settings.withLock { $0.channels = newValue } }
    }

    // MARK: Source

    /// The URL of the file; `nil` for a sound in memory.
    open var url: URL? { core.url }

    /// The bytes of a sound in memory; `nil` for a file.
    open var data: Data? { core.data }

    /// The format of the data in the file.
    open var format: AVAudioFormat { core.format }

    /// The settings of ``format``, with the `AV…Key` constants.
    open var settings: [String: Any] { core.format.settings }

    /// Number of channels in the file.
    open var numberOfChannels: Int { Int(core.format.channelCount) }

    // MARK: Levels

    /// Whether ``updateMeters()`` has an effect; `false` at first.
    open var isMeteringEnabled: Bool {
        get { core.settings.withLock { $0.isMeteringEnabled } }
        set { core.settings.withLock { $0.isMeteringEnabled = newValue } }
    }

    /// Takes the levels of what was heard since the last call, at most a quarter of a second. Blocks on the disk.
    ///
    /// The levels are those of the file's samples at the audible time, before ``volume`` and ``pan``.
    open func updateMeters() { core.updateMeters() }

    /// The mean power of a channel at the last ``updateMeters()``, in decibels from -160; 0 is full scale.
    open func averagePower(forChannel channelNumber: Int) -> Float {
        Self.level(channelNumber, of: core.levels.average)
    }

    /// The largest sample of a channel at the last ``updateMeters()``, in decibels from -160; 0 is full scale.
    open func peakPower(forChannel channelNumber: Int) -> Float {
        Self.level(channelNumber, of: core.levels.peak)
    }

    private static func level(_ channel: Int, of levels: [Float]) -> Float {
        levels.indices.contains(channel) ? levels[channel] : SoundLevels.silence
    }

    // MARK: Delegate

    /// The recipient of events, on the main queue; held weakly.
    open weak var delegate: (any AVAudioPlayerDelegate)? {
        get { core.settings.withLock { $0.delegate }.delegate }
        set {
            let reference = WeakDelegate<any AVAudioPlayerDelegate>(newValue)
            core.settings.withLock { $0.delegate = reference }
        }
    }
}
