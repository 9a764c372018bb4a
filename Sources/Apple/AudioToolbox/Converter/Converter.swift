import CoreAudioTypes
import Foundation
import TuttiMediaTime
import TuttiPCM
import TuttiResampling

/// The object behind an ``AudioConverterRef``: input, one PCM stage, output. Only one thread at a time may
/// use it.
final class Converter {
    let input: ConverterInput
    let output: ConverterOutput
    var routing = ChannelRouting.usual { didSet { makeStage() } }
    var quality: UInt32 = kAudioConverterQuality_Medium { didSet { makeStage() } }
    var complexity = kAudioConverterSampleRateConverterComplexity_Normal
    var primeMethod: UInt32 = kConverterPrimeMethod_Normal
    var dithering: UInt32 = 0 { didSet { makeStage() } }
    var inputLayout: ManagedAudioChannelLayout? { didSet { routeByPlaces() } }
    var outputLayout: ManagedAudioChannelLayout? { didSet { routeByPlaces() } }
    private var stage: PCMStage
    /// Whether frames arrived since the last end of the input.
    private var isRunning = false

    init(
        from source: AudioStreamBasicDescription, to destination: AudioStreamBasicDescription
    ) throws(ConverterFailure) {
        guard LinearFormat.rate(of: source) != nil else {
            throw ConverterFailure(kAudioConverterErr_InputSampleRateOutOfRange)
        }
        guard let input = ConverterInput(CompressedFormat.completed(source)) else {
            throw ConverterFailure(kAudioConverterErr_FormatNotSupported)
        }
        var wanted = destination
        if wanted.mSampleRate == 0 { wanted.mSampleRate = source.mSampleRate }
        if wanted.mChannelsPerFrame == 0 { wanted.mChannelsPerFrame = source.mChannelsPerFrame }
        guard LinearFormat.rate(of: wanted) != nil else {
            throw ConverterFailure(kAudioConverterErr_OutputSampleRateOutOfRange)
        }
        self.input = input
        output = try ConverterOutput(wanted)
        stage = PCMStage(to: output.format, routing: .usual, quality: .high, dither: .none)
    }

    private func makeStage() {
        stage = PCMStage(
            to: output.format, routing: routing,
            quality: quality > kAudioConverterQuality_High ? .veryHigh : .high,
            dither: dithering == 0 ? .none : .triangular(seed: 1))
    }

    private func routeByPlaces() {
        guard let inputLayout, let outputLayout else { return }
        let (inputs, outputs) = (inputLayout.labels, outputLayout.labels)
        guard inputs.count == Int(input.stream.mChannelsPerFrame), outputs.count == output.format.channelCount
        else { return }
        // Channels without a known place keep their number.
        if (inputs + outputs).contains(kAudioChannelLabel_Unknown) { return }
        if outputs.contains(kAudioChannelLabel_Mono) || inputs.contains(kAudioChannelLabel_Mono) { return }
        routing = .map(outputs.map { label in inputs.firstIndex(of: label).map(Int32.init) ?? -1 })
    }

    /// Discards all input so far.
    func reset() {
        input.reset()
        output.reset()
        stage.reset()
        isRunning = false
    }

    /// Makes packets from the input procedure until there are `count`, or until room or input runs out.
    ///
    /// - Parameters:
    ///   - pull: Asks the caller for at least this many packets; returns the number supplied, a result code
    ///     and the data.
    ///   - take: Moves at most this many ready packets to the caller; returns the number that fit.
    /// - Returns: The number of packets moved, and the result code of the procedure or of a failure.
    func fill(
        count: Int, pull: (Int) -> (count: Int, status: OSStatus, feed: Feed?), take: (Int) -> Int
    ) -> (count: Int, status: OSStatus) {
        var made = 0
        while made < count {
            if output.readyPacketCount > 0 {
                let moved = take(count - made)
                made += moved
                if moved == 0 { return (made, made == 0 ? kAudioConverterErr_InvalidOutputSize : noErr) }
                continue
            }
            do throws(ConverterFailure) {
                if input.hasPackets {
                    try add(try input.decodeNext())
                    continue
                }
                let answer = pull(input.packetCount(forFrames: frames(forPackets: count - made)))
                if answer.status != noErr { return (made, answer.status) }
                guard answer.count > 0, let feed = answer.feed else {
                    // At the end of the input, drain what is inside; this call then pulls no more input.
                    guard isRunning else { return (made, noErr) }
                    try finish()
                    while made < count, output.readyPacketCount > 0 {
                        let moved = take(count - made)
                        if moved == 0 { break }
                        made += moved
                    }
                    return (made, noErr)
                }
                isRunning = true
                if let buffer = try input.take(feed.list, packetCount: answer.count, feed.descriptions) {
                    try add([buffer])
                }
            } catch {
                return (made, error.status)
            }
        }
        return (made, noErr)
    }

    /// The data that a procedure supplied, valid until the next call of the procedure.
    struct Feed {
        let list: UnsafeMutableAudioBufferListPointer
        let descriptions: UnsafePointer<AudioStreamPacketDescription>?
    }

    /// Returns the minimum number of source frames for this many destination packets.
    private func frames(forPackets count: Int) -> Int {
        let wanted = Double(count) * Double(max(1, output.encoder?.framesPerPacket ?? 1))
        let ratio = input.stream.mSampleRate / Double(output.format.sampleRate.hertz)
        return Int(min(max(1, (wanted * ratio).rounded(.up)), 0x1p30))
    }

    private func add(_ buffers: [PCMBuffer]) throws(ConverterFailure) {
        for buffer in buffers {
            guard let frames = try? stage.process(buffer) else {
                throw ConverterFailure(kAudioConverterErr_UnspecifiedError)
            }
            try output.append(frames)
        }
    }

    private func finish() throws(ConverterFailure) {
        isRunning = false
        try add(input.finish())
        guard let rest = try? stage.finish() else {
            throw ConverterFailure(kAudioConverterErr_UnspecifiedError)
        }
        try output.append(rest)
        try output.finish()
    }

    /// Whether the conversion keeps the rate and both sides are uncompressed, so that n frames give n frames.
    var isFrameForFrame: Bool {
        guard let linear = input.linear, output.linear != nil else { return false }
        return linear.work.sampleRate == output.format.sampleRate
    }
}
