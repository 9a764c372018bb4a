import TuttiMediaTime
import TuttiPCM

/// The answers of version 13 of the protocol, field by field.
extension TunnelConversation {
    /// The name of the sink that the stream is connected to.
    private static let sinkName = "tutti-output"
    /// The name of the only sink that is described: another one, so that the tunnel keeps the title that it was
    /// given.
    private static let describedName = "tutti-description"

    private var specification: NativeSampleSpecification { .stereo(hertz: format.sampleRate.hertz) }

    mutating func replyStreamCreated(_ tag: UInt32, firstRequest: UInt32) {
        let bytesPerFrame = Int64(format.bytesPerFrame)
        let target = UInt32(
            clamping: format.sampleRate.frames(in: TunnelTimeline.lead.wholeNanoseconds) * bytesPerFrame)
        let latency = latencyInMicroseconds
        let specification = specification
        reply(tag) { message in
            message.integer(Self.stream)
            message.integer(Self.stream)  // the sink input
            message.integer(firstRequest)
            message.integer(4 * target)  // longest buffer
            message.integer(target)
            message.integer(0)  // prebuffering
            message.integer(target / 3)  // smallest request
            message.sampleSpecification(specification)
            message.stereoMap()
            message.integer(0)  // the sink
            message.text(Self.sinkName)
            message.boolean(false)  // suspended
            message.microseconds(latency)
        }
    }

    mutating func replyLatency(_ tag: UInt32, asked: NativeTime, at now: HostTime, timeOfDay: NativeTime) {
        let latency = latencyInMicroseconds
        let bytesPerFrame = Int64(format.bytesPerFrame)
        let (received, position) = (timeline.received, timeline.position(at: now))
        let isRunning = timeline.isRunning
        reply(tag) { message in
            message.microseconds(latency)
            message.microseconds(0)  // a source's
            message.boolean(isRunning)
            message.time(asked)
            message.time(timeOfDay)
            message.signed(received * bytesPerFrame)
            message.signed(position * bytesPerFrame)
            message.unsigned(0)  // underrun for
            message.unsigned(0)  // playing for
        }
    }

    /// Before the volume is known, answers for another sink input, which the tunnel ignores: the mixer keeps
    /// what it remembers.
    mutating func replyStreamInfo(_ tag: UInt32) {
        let (levels, isMuted, specification) = (levels, isMuted, specification)
        reply(tag) { message in
            message.integer(levels == nil ? Self.stream + 1 : Self.stream)
            message.text("Tutti")
            message.integer(NativeCommand.noIndex)  // module
            message.integer(0)  // client
            message.integer(0)  // sink
            message.sampleSpecification(specification)
            message.stereoMap()
            message.volumes(levels ?? PulseLevels.levels(100, balancedLike: []))
            message.microseconds(0)  // buffer's latency
            message.microseconds(0)  // sink's latency
            message.text("")  // resampler
            message.text("")  // driver
            message.boolean(isMuted)
            message.noProperties()
        }
    }

    mutating func replyServerInfo(_ tag: UInt32) {
        let specification = specification
        reply(tag) { message in
            message.text("Tutti")
            message.text("1")
            message.text("")  // user
            message.text("")  // host
            message.sampleSpecification(specification)
            message.text(Self.sinkName)
            message.text("")  // default source
            message.integer(0)  // cookie
        }
    }

    mutating func replySinkInfo(_ tag: UInt32) {
        let (latency, specification) = (latencyInMicroseconds, specification)
        reply(tag) { message in
            message.integer(0)
            message.text(Self.describedName)
            message.text("Tutti")
            message.sampleSpecification(specification)
            message.stereoMap()
            message.integer(NativeCommand.noIndex)  // module
            message.volumes(PulseLevels.levels(100, balancedLike: []))
            message.boolean(false)  // muted
            message.integer(NativeCommand.noIndex)  // monitor
            message.text("")
            message.microseconds(latency)
            message.text("")  // driver
            message.integer(0)  // flags
            message.noProperties()
            message.microseconds(latency)
        }
    }

    private var latencyInMicroseconds: UInt64 {
        UInt64(max(0, timeline.latency.wholeNanoseconds / 1_000))
    }
}
