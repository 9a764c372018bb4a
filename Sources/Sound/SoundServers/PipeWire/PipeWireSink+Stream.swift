import CTuttiPipeWire
import Glibc
import TuttiMediaTime
import TuttiPCM
import TuttiSystemIO

/// The library's callbacks: on the loop's thread, which then has the loop's lock, but for ``takeCycle()``.
extension PipeWireSink {
    func take(_ info: pw_core_info) {
        serverVersion = info.version.map { String(cString: $0) } ?? "of unknown version"
        pw_thread_loop_signal(loop, false)
    }

    /// An error of the connection ends the output; errors of single requests do not.
    func takeError(of id: UInt32, _ result: Int32) {
        guard id == shim_core_id, result == -EPIPE else { return }
        report(.ended("PipeWire ended."))
    }

    func takeState(_ state: pw_stream_state) {
        switch state {
        case PW_STREAM_STATE_ERROR: report(.ended("PipeWire refused the output."))
        case PW_STREAM_STATE_UNCONNECTED: report(.ended("The output was removed in PipeWire."))
        case PW_STREAM_STATE_PAUSED:
            if isStreaming { report(.idle) }
            isStreaming = false
            if !hasOpened { report(.opened) }
            hasOpened = true
            tellLatency()
            applyVolume()
        case PW_STREAM_STATE_STREAMING:
            isStreaming = true
            timeline.reset()
            tellLatency()
            applyVolume()
        default: break
        }
    }

    func takeParameter(_ id: UInt32, _ parameter: UnsafePointer<spa_pod>?) {
        switch id {
        // A new format makes new ports, which do not know the latency.
        case SPA_PARAM_Format.rawValue: tellLatency()
        case SPA_PARAM_Props.rawValue:
            if let parameter { takeVolume(parameter) }
        default: break
        }
    }

    private func takeVolume(_ parameter: UnsafePointer<spa_pod>) {
        var found = [Float](repeating: 0, count: Self.channelLimit)
        var mute: Int32 = -1
        let count = shim_read_volumes(parameter, &found, UInt32(Self.channelLimit), &mute)
        if count > 0 { levels = Array(found.prefix(Int(count))) }
        if mute >= 0 { isMuted = mute > 0 }
        keepSoundUnscaled()
        guard count > 0 || mute >= 0, let percent = AmplitudeLevels.slider(levels) else { return }
        report(.volume(MixerVolume(percent: percent, isMuted: isMuted)))
    }

    /// Tells the server how much later than here the sound is heard.
    func tellLatency() {
        guard let stream else { return }
        Self.withParameterMemory { memory in
            var parameter = shim_latency(memory, Self.parameterSize, timeline.latency.wholeNanoseconds)
            pw_stream_update_params(stream, &parameter, 1)
        }
    }

    /// Shows the wanted volume, once the node takes it.
    func applyVolume() {
        guard let stream, let wanted = wantedVolume else { return }
        var levels = AmplitudeLevels.levels(wanted.percent, balancedLike: levels)
        var mute: Float = wanted.isMuted ? 1 : 0
        guard
            shim_set_floats(stream, SPA_PROP_channelVolumes.rawValue, UInt32(levels.count), &levels) >= 0,
            shim_set_floats(stream, SPA_PROP_mute.rawValue, 1, &mute) >= 0
        else { return }
        wantedVolume = nil
        keepSoundUnscaled()
    }

    /// The speakers have the volume: what comes here stays as the programs play it. A changed volume of the
    /// node resets this.
    private func keepSoundUnscaled() {
        guard let stream else { return }
        var factors = [Float](repeating: 1, count: max(2, levels.count))
        _ = shim_set_floats(stream, SPA_PROP_softVolumes.rawValue, UInt32(factors.count), &factors)
    }

    // MARK: On the data thread, without locks or allocations

    func takeCycle() {
        guard let stream, let event else { return }
        if !isPriorityRaised {
            isPriorityRaised = true
            RealtimeThread.raiseCurrent(to: Self.priority)
        }
        guard let buffer = pw_stream_dequeue_buffer(stream) else { return }
        defer { pw_stream_queue_buffer(stream, buffer) }
        var time = pw_time()
        guard pw_stream_get_time_n(stream, &time, MemoryLayout<pw_time>.size) == 0,
            let content = buffer.pointee.buffer, content.pointee.n_datas > 0,
            let data = content.pointee.datas?.pointee, let memory = data.data,
            let chunk = data.chunk?.pointee,
            chunk.offset <= data.maxsize, chunk.size <= data.maxsize - chunk.offset
        else { return }
        let samples = (memory + Int(chunk.offset)).assumingMemoryBound(to: Float.self)
        let header = CycleHeader(
            time: time.now, frameCount: Int(chunk.size) / 8, buffered: Int64(clamping: time.buffered))
        if ring.write(samples, header) { shim_signal_event(pw_thread_loop_get_loop(loop), event) }
    }

    // MARK: On the loop's thread

    /// Reports the cycles that came.
    func drain() {
        while let (header, samples) = ring.next() {
            let heardAt = timeline.heardAt(
                cycle: HostTime(nanoseconds: header.time), frames: Int64(header.frameCount),
                buffered: header.buffered)
            let block = PCMBuffer(
                sampleRate: configuration.sampleRate, channelCount: 2, samples: samples)
            for (part, time) in SoundBlocks.parts(of: block, heardAt: heardAt) {
                report(.sound(part, heardAt: time))
            }
        }
    }
}
