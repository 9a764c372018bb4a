import Foundation
import Playback
import Synchronization
import TuttiMediaTime
import TuttiSystemIO

/// The parts of an ``AVAudioPlayer``: the file, its repetitions on a route, and its settings. Any thread.
final class AudioPlayerCore: Sendable {
    /// The outputs and the clock of a player.
    struct Stage {
        /// The selection of outputs that the queue belongs to.
        var routes: RouteCatalogue
        var queue: RenderQueue
        var clock: any HostClock = SystemClock()
        /// Wakes the driver and steps fades; `nil` for timers on the driver's queue.
        var alarms: (driver: any WakeUp, fade: any WakeUp)?

        /// The program's common outputs.
        static var shared: Stage { Stage(routes: .shared, queue: RouteCatalogue.shared.makeQueue()) }
    }

    struct Settings: Sendable {
        var volume: Float = 1
        var fade: VolumeFade?
        var pan: Float = 0
        var rate: Float = 1
        var isRateEnabled = false
        var isMeteringEnabled = false
        var channels: [AVAudioSessionChannelDescription]?
        var delegate = WeakDelegate<any AVAudioPlayerDelegate>(nil)
    }

    let url: URL?
    let data: Data?
    let format: AVAudioFormat
    let routes: RouteCatalogue
    let loop: LoopingSound
    let settings = Mutex(Settings())
    private let sampleRate: Int
    private let frameCount: Int64
    private let fadeAlarm: any WakeUp
    /// The bytes of ``data``, in a file that the readers open by its path.
    private let bytes: SpillFile?
    private let metering: Mutex<(sound: FileSound, meter: SoundMeter)>

    /// Opens a file.
    convenience init(_ url: URL, on stage: Stage = .shared) throws {
        guard url.isFileURL else { throw AudioFileError.notAFile(url) }
        try self.init(path: url.absoluteURL.path, url: url, data: nil, bytes: nil, stage)
    }

    /// Opens a file in memory.
    convenience init(_ data: Data, on stage: Stage = .shared) throws {
        guard let bytes = SpillFile(), bytes.append(data) else {
            throw AudioFileError.make(
                kAudioFileUnspecifiedError, "the temporary folder has no room for \(data.count) bytes")
        }
        try self.init(path: bytes.path, url: nil, data: data, bytes: bytes, stage)
    }

    private init(path: String, url: URL?, data: Data?, bytes: SpillFile?, _ stage: Stage) throws {
        let sound = try FileSound(path: path) { _ in .float32 }
        let info = sound.info
        guard let format = FileSoundFormat.fileFormat(of: info) else {
            throw AudioFileError.make(kAudioFileUnsupportedDataFormatError, "the sound has no known format")
        }
        (self.url, self.data, self.bytes, self.format, routes) = (url, data, bytes, format, stage.routes)
        (sampleRate, frameCount) = (info.sampleRate.hertz, sound.length)
        let driver = PlayerDriver(
            renderQueue: stage.queue, endAction: .advance, alarm: stage.alarms?.driver,
            machine: SystemMachine(clock: stage.clock))
        fadeAlarm = stage.alarms?.fade ?? QueueWakeUp(on: driver.queue)
        loop = LoopingSound(
            path: path, duration: CMTime(value: frameCount, timescale: CMTimeScale(info.sampleRate.hertz)),
            driver: driver)
        metering = Mutex((sound, SoundMeter(channelCount: info.channelCount)))
    }

    /// The length in seconds.
    var duration: TimeInterval { Double(frameCount) / Double(sampleRate) }

    // MARK: Time

    /// The audible time in seconds, a whole frame.
    var currentTime: TimeInterval {
        get { loop.time.seconds }
        set {
            guard newValue.isFinite else { return }
            let frame = (min(max(0, newValue), duration) * Double(sampleRate)).rounded()
            loop.time = CMTime(value: Int64(frame), timescale: CMTimeScale(sampleRate))
        }
    }

    /// The host clock in seconds.
    var deviceTime: TimeInterval { Double(loop.driver.now.nanoseconds) / 1e9 }

    /// The rate of the next start.
    var usedRate: Float { settings.withLock { $0.isRateEnabled ? $0.rate : 1 } }

    // MARK: Sound

    /// Sets the volume, at once or along a ramp.
    func setVolume(_ volume: Float, over seconds: TimeInterval) {
        let volume = volume.isNaN ? 1 : min(max(volume, 0), 1)
        let now = loop.driver.now
        settings.withLock { settings in
            let from = settings.fade?.volume(at: now) ?? settings.volume
            settings.volume = volume
            settings.fade =
                seconds > 0 && seconds < 1e6
                ? VolumeFade(from: from, to: volume, start: now, length: .seconds(seconds)) : nil
        }
        stepFade()
    }

    private func stepFade() {
        let now = loop.driver.now
        var applied: Float?
        // Another thread may have set a volume meanwhile, and this one applies an older one after it: until both agree.
        while let volume = volume(at: now, unless: applied) {
            loop.driver.renderQueue.volume = volume
            applied = volume
        }
        if settings.withLock({ $0.fade != nil }) {
            fadeAlarm.set(after: VolumeFade.step) { [weak self] in self?.stepFade() }
        }
    }

    /// Returns the volume at a time, and ends a fade that is done; `nil` if it is `applied`.
    private func volume(at now: HostTime, unless applied: Float?) -> Float? {
        settings.withLock { settings in
            if settings.fade?.isDone(at: now) == true { settings.fade = nil }
            let volume = settings.fade?.volume(at: now) ?? settings.volume
            return volume == applied ? nil : volume
        }
    }

    /// Sets the balance of the channels.
    func setPan(_ pan: Float) {
        let pan = pan.isNaN ? 0 : min(max(pan, -1), 1)
        settings.withLock { $0.pan = pan }
        var mix = ItemMix()
        if pan != 0 { mix.playing = VolumeCurve(pan: pan) }
        loop.mix = mix
    }

    // MARK: Levels

    /// Takes the levels at the playhead; those of silence while nothing is heard.
    func updateMeters() {
        guard settings.withLock({ $0.isMeteringEnabled }) else { return }
        let frame = Int64(currentTime * Double(sampleRate))
        let isHeard = loop.isPlaying
        metering.withLock { metering in
            guard isHeard else { return metering.meter.clear() }
            metering.meter.read(metering.sound, until: frame)
        }
    }

    /// The levels as of the last update.
    var levels: SoundLevels { metering.withLock { $0.meter.levels } }
}
