import CTuttiALSA
import Glibc
import TuttiMediaTime

/// The negotiated parameters of a device.
struct ALSAConfiguration: Hashable, Sendable {
    /// Periods in the device's buffer.
    static let periodCount = 3
    /// Sample formats in order of preference; the first that the device accepts is used.
    static let encodings: [(SampleEncoding, snd_pcm_format_t)] = [
        (.float32, SND_PCM_FORMAT_FLOAT_LE), (.int32, SND_PCM_FORMAT_S32_LE),
        (.int24in32, SND_PCM_FORMAT_S24_LE), (.int24, SND_PCM_FORMAT_S24_3LE),
        (.int16, SND_PCM_FORMAT_S16_LE),
    ]

    var sampleRate: SampleRate
    var encoder: FrameEncoder
    var periodFrames: Int
    var bufferFrames: Int

    /// Sets the parameters that the device supports nearest to the wanted ones.
    static func negotiate(
        _ pcm: OpaquePointer, rate: SampleRate, periodFrames: Int?, device: String
    ) throws(OutputError) -> ALSAConfiguration {
        var parameters: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&parameters) == 0, let parameters else {
            throw .alsa("snd_pcm_hw_params_malloc", -ENOMEM, device)
        }
        defer { snd_pcm_hw_params_free(parameters) }
        try check(snd_pcm_hw_params_any(pcm, parameters), "snd_pcm_hw_params_any", device)
        // Native rates only: Tutti resamples elsewhere, once and better.
        _ = snd_pcm_hw_params_set_rate_resample(pcm, parameters, 0)
        try check(
            snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED),
            "snd_pcm_hw_params_set_access", device)
        let encoding = try chooseEncoding(pcm, parameters, device)
        var channelCount: UInt32 = 2
        try check(
            snd_pcm_hw_params_set_channels_near(pcm, parameters, &channelCount),
            "snd_pcm_hw_params_set_channels_near", device)
        var hertz = UInt32(rate.hertz)
        try check(
            snd_pcm_hw_params_set_rate_near(pcm, parameters, &hertz, nil), "snd_pcm_hw_params_set_rate_near",
            device)
        guard let sampleRate = SampleRate(hertz: Int(hertz)), (1...64).contains(channelCount) else {
            throw .alsa("snd_pcm_hw_params_set_rate_near", -EINVAL, device)
        }
        let (period, buffer) = try applyBuffer(
            pcm, parameters, period: periodFrames ?? sampleRate.defaultPeriodFrames, device)
        return ALSAConfiguration(
            sampleRate: sampleRate,
            encoder: FrameEncoder(encoding: encoding, channelCount: Int(channelCount)),
            periodFrames: period, bufferFrames: buffer)
    }

    /// Upper bound of period and buffer in frames, about 20 s at 48 kHz.
    private static let sizeLimit: snd_pcm_uframes_t = 1 << 20

    private static func chooseEncoding(
        _ pcm: OpaquePointer, _ parameters: OpaquePointer, _ device: String
    ) throws(OutputError) -> SampleEncoding {
        var code: Int32 = -EINVAL
        for (encoding, format) in encodings {
            code = snd_pcm_hw_params_set_format(pcm, parameters, format)
            if code == 0 { return encoding }
        }
        throw .alsa("snd_pcm_hw_params_set_format", code, device)
    }

    /// Sets the period nearest to the wanted one, sizes the buffer for it, and applies all parameters.
    private static func applyBuffer(
        _ pcm: OpaquePointer, _ parameters: OpaquePointer, period wanted: Int, _ device: String
    ) throws(OutputError) -> (period: Int, buffer: Int) {
        var period = snd_pcm_uframes_t(max(1, wanted))
        try check(
            snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil),
            "snd_pcm_hw_params_set_period_size_near", device)
        var buffer = period * snd_pcm_uframes_t(periodCount)
        try check(
            snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer),
            "snd_pcm_hw_params_set_buffer_size_near", device)
        try check(snd_pcm_hw_params(pcm, parameters), "snd_pcm_hw_params", device)
        guard period <= sizeLimit, buffer <= sizeLimit, buffer >= 2 * period else {
            throw .alsa("snd_pcm_hw_params", -EINVAL, device)
        }
        return (Int(period), Int(buffer))
    }

    /// Sets an explicit start and position stamps on the monotonic clock.
    func apply(to pcm: OpaquePointer, device: String) throws(OutputError) {
        var parameters: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&parameters) == 0, let parameters else {
            throw .alsa("snd_pcm_sw_params_malloc", -ENOMEM, device)
        }
        defer { snd_pcm_sw_params_free(parameters) }
        try Self.check(snd_pcm_sw_params_current(pcm, parameters), "snd_pcm_sw_params_current", device)
        var boundary: snd_pcm_uframes_t = 0
        try Self.check(
            snd_pcm_sw_params_get_boundary(parameters, &boundary), "snd_pcm_sw_params_get_boundary", device)
        try Self.check(
            snd_pcm_sw_params_set_start_threshold(pcm, parameters, boundary),
            "snd_pcm_sw_params_set_start_threshold", device)
        try Self.check(
            snd_pcm_sw_params_set_avail_min(pcm, parameters, snd_pcm_uframes_t(periodFrames)),
            "snd_pcm_sw_params_set_avail_min", device)
        // Without the device's stamps, positions get the host clock's time.
        _ = snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE)
        _ = snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)
        try Self.check(snd_pcm_sw_params(pcm, parameters), "snd_pcm_sw_params", device)
    }

    private static func check(_ code: Int32, _ operation: String, _ device: String) throws(OutputError) {
        if code < 0 { throw .alsa(operation, code, device) }
    }
}

extension OutputError {
    /// Whether another program uses the device. The codes of PulseAudio, which mixes programs, mean other things.
    package var isBusy: Bool { code == EBUSY && !operation.hasPrefix("pa_") }

    /// - Parameter code: A negative ALSA code.
    static func alsa(_ operation: String, _ code: Int32, _ device: String) -> OutputError {
        let hint =
            switch -code {
            case ENOENT: "; 'tutti outputs' lists the devices"
            case EBUSY: "; another program uses it"
            case EACCES, EPERM: "; the user must be in the group audio"
            case ENODEV, ENXIO: "; the device is not connected"
            case EINVAL where device.hasPrefix("hw:"):
                "; Tutti supports none of its formats, try alsa:plug\(device)"
            default: ""
            }
        let text = snd_strerror(code).map { String(cString: $0) } ?? "error \(-code)"
        return OutputError(
            operation: operation, code: -code, description: "ALSA device \(device): \(text)\(hint)")
    }
}
