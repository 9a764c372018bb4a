import AirPlayMessages
import AirPlaySender
import CoreMedia
import TuttiCodecs
import TuttiMediaTime
import TuttiPCM

@testable import Playback

/// A speaker's output for the packets of a store, after the observed behaviour of receivers.
///
/// Packets come in order. ALAC is decoded and placed by its frame; AAC goes through one decoder for each
/// run. A packet that begins before the expected frame is decoded, and its overlap is dropped. The
/// first AAC packet after a codec change is muted.
struct ModelReceiver {
    struct Packet: Equatable {
        var frame: Int64
        var frameCount: Int
        var format: AudioWireFormat
        var payload: [UInt8]

        var end: Int64 { frame + Int64(frameCount) }
    }

    private(set) var packets: [Packet] = []
    /// The first decoded frame.
    private(set) var start: Int64 = 0
    /// Stereo floats from ``start`` on; gaps are silence.
    private(set) var sound: PCMBuffer
    private(set) var holes: [Range<Int64>] = []

    private var aac: AACPacketDecoder?
    private let rate: SampleRate

    init(_ store: PacketStore, rate: SampleRate = .hz44100) throws {
        self.rate = rate
        sound = PCMBuffer(format: PCMFormat(sampleRate: rate, channelCount: 2, sampleFormat: .float32))
        for packet in store.packets(before: .max, count: 1 << 30) {
            let copy = Packet(
                frame: packet.frame, frameCount: Int(packet.frameCount), format: packet.format,
                payload: packet.withPayload { Array($0) })
            packets.append(copy)
            try receive(copy)
        }
    }

    var end: Int64 { start + Int64(sound.frameCount) }

    /// Returns the audio of a range of frames; silence outside.
    subscript(frames: Range<Int64>) -> PCMBuffer {
        let before = PCMBuffer(
            format: sound.format,
            silentFrameCount: Int(max(0, min(frames.upperBound, start) - frames.lowerBound)))
        let from = max(0, frames.lowerBound - start)
        return before + sound[Int(from)..<Int(max(from, frames.upperBound - start))]
    }

    /// The AAC units, and the gaps between them.
    var codecs: [AudioWireFormat] {
        packets.reduce(into: []) { if $0.last != $1.format { $0.append($1.format) } }
    }

    private mutating func receive(_ packet: Packet) throws {
        if packet.format.codec == .alac {
            aac = nil
            place(Sound.float(try decodeALAC(packet)), at: packet.frame)
        } else {
            let isFirst = aac == nil
            let decoder = try aac ?? AACPacketDecoder(sampleRate: rate)
            aac = decoder
            let frames = try decoder.decode(packet.payload)
            place(isFirst ? Sound.silence(frames.frameCount, like: frames) : frames, at: packet.frame)
        }
    }

    private func decodeALAC(_ packet: Packet) throws -> PCMBuffer {
        let configuration: ALACConfiguration = packet.format.sampleRate == .hz48000 ? .studio : .cd
        return try ALACPacketDecoder(configuration).decode(packet.payload)
    }

    private mutating func place(_ frames: PCMBuffer, at frame: Int64) {
        if sound.isEmpty { start = frame }
        if frame > end {
            holes.append(end..<frame)
            sound.appendSilence(frameCount: Int(min(frame - end, 1 << 20)))
        }
        sound.append(frames[Int(min(end - frame, Int64(frames.frameCount)))..<frames.frameCount])
    }
}

extension PacketStore {
    /// The ALAC packets as their original samples, complete and exact.
    func lossless(_ configuration: ALACConfiguration = .cd) throws -> PCMBuffer {
        let decoder = try ALACPacketDecoder(configuration)
        return try packets(before: .max, count: 1 << 30)
            .reduce(into: PCMBuffer(format: configuration.pcmFormat)) { sum, packet in
                sum.append(try decoder.decode(packet.withPayload { Array($0) }))
            }
    }

    /// Whether every packet begins where the one before it ends.
    var isContiguous: Bool {
        let all = packets(before: .max, count: 1 << 30)
        return zip(all, all.dropFirst()).allSatisfy { $0.endFrame == $1.frame }
    }

    var shortest: Int32? { packets(before: .max, count: 1 << 30).map(\.frameCount).min() }
}

extension RenderPipeline {
    func feed(_ buffers: [CMSampleBuffer]) throws {
        for buffer in buffers { _ = try process(buffer) }
    }
}
