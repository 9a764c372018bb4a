import CTuttiALSA
import Glibc
import TuttiMediaTime
import TuttiSystemIO

/// An open ALSA device with the buffer for one period. Confined to one thread.
struct ALSADevice: PlaybackDevice {
    /// Closes the device with its last owner.
    private final class Handle {
        let pcm: OpaquePointer
        let status: OpaquePointer

        init(device: String) throws(OutputError) {
            shim_silence_errors()
            var opened: OpaquePointer?
            let code = snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
            guard code == 0, let opened else { throw .alsa("snd_pcm_open", code, device) }
            var status: OpaquePointer?
            guard snd_pcm_status_malloc(&status) == 0, let status else {
                snd_pcm_close(opened)
                throw .alsa("snd_pcm_status_malloc", -ENOMEM, device)
            }
            pcm = opened
            self.status = status
        }

        deinit {
            snd_pcm_drop(pcm)
            snd_pcm_close(pcm)
            snd_pcm_status_free(status)
        }
    }

    /// Largest plausible distance, in nanoseconds, of a stamp from now.
    private static let stampLimit: UInt64 = 1_000_000_000

    let name: String
    let configuration: ALSAConfiguration
    // Shared by copies of the value; closed with its last owner.
    private let handle: Handle
    private var bytes: [UInt8]

    init(name: String, rate: SampleRate, periodFrames: Int?) throws(OutputError) {
        self.name = name
        handle = try Handle(device: name)
        configuration = try ALSAConfiguration.negotiate(
            handle.pcm, rate: rate, periodFrames: periodFrames, device: name)
        try configuration.apply(to: handle.pcm, device: name)
        bytes = Array(repeating: 0, count: configuration.periodFrames * configuration.encoder.bytesPerFrame)
    }

    mutating func startWithSilence() throws(OutputError) -> Int {
        snd_pcm_drop(handle.pcm)
        try check(snd_pcm_prepare(handle.pcm), "snd_pcm_prepare")
        for index in bytes.indices { bytes[index] = 0 }
        var frames = 0
        while frames + configuration.periodFrames <= configuration.bufferFrames {
            let count = write()
            guard count > 0 else {
                if count == 0 || count == -EAGAIN { break }
                throw .alsa("snd_pcm_writei", Int32(count), name)
            }
            frames += count
        }
        try check(snd_pcm_start(handle.pcm), "snd_pcm_start")
        return frames
    }

    func waitForRoom(milliseconds: Int32) -> Int32 { snd_pcm_wait(handle.pcm, milliseconds) }

    var room: Int { snd_pcm_avail_update(handle.pcm) }

    func delay() -> (frames: Int, time: HostTime)? {
        guard snd_pcm_status(handle.pcm, handle.status) == 0 else { return nil }
        var stamp = snd_htimestamp_t()
        snd_pcm_status_get_htstamp(handle.status, &stamp)
        let now = SystemClock.now
        let nanoseconds = Int64(stamp.tv_sec) &* 1_000_000_000 &+ Int64(stamp.tv_nsec)
        let isPlausible = (now.nanoseconds &- nanoseconds).magnitude < Self.stampLimit
        return (
            Int(snd_pcm_status_get_delay(handle.status)),
            isPlausible ? HostTime(nanoseconds: nanoseconds) : now
        )
    }

    mutating func write(_ frames: UnsafeBufferPointer<Float>) -> Int {
        let encoder = configuration.encoder
        bytes.withUnsafeMutableBytes { encoder.encode(frames, into: $0) }
        return write()
    }

    private func write() -> Int {
        let count = bytes.withUnsafeBytes {
            snd_pcm_writei(handle.pcm, $0.baseAddress, snd_pcm_uframes_t(configuration.periodFrames))
        }
        return Int(count)
    }

    private func check(_ code: Int32, _ operation: String) throws(OutputError) {
        if code < 0 { throw .alsa(operation, code, name) }
    }
}
