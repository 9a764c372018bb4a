import AirPlayMessages
import Foundation
import TuttiAudioOutput
import TuttiClockService
import TuttiMediaTime
import TuttiTestSupport

@testable import AirPlayReceiver

/// A drifting device, a drifting sender's clock, and a playout between them; time is a count of frames.
struct VirtualRoom {
    /// Frames mixed ahead of the device, which make the given device time that old.
    static let lead: Int64 = 2400
    static let clock = ClockIdentity(rawValue: 0x1122_3344_5566_7788)

    var playout: Playout
    let rate: SampleRate
    /// Skew of the device against host time, parts of 1.
    var deviceDrift = 0.0
    /// Skew that the device reports.
    var toldDrift = 0.0
    /// Skew of the sender's clock against host time.
    var clockDrift = 0.0
    /// Largest error of the measured mapping, nanoseconds.
    var noise = 0.0
    var random = SeededGenerator(seed: 7)
    /// The sender's clock less host time at host time 0.
    let clockOffset: Int64 = 1_000_000_000_000
    /// Offset of the device's play times after a loss or an underrun.
    var slip: Int64 = 0
    var knowsClock = true
    /// Error of the mapping, equal to its stated uncertainty, nanoseconds.
    var clockError: Int64 = 0
    var uncertainty: Int64 = 0
    /// The mapping's standard deviation of the clock's rate.
    var rateError = 0.0
    /// The rate at which the mapping's error goes to 0, parts of 1.
    var slew = 0.0
    /// Whether the mapping tells what ``slew`` still changes.
    var tellsCorrection = false
    /// The next frame.
    var frame: Int64 = 0
    private var wander = 0.0

    init(
        rate: SampleRate = .hz44100, configuration: PlayoutConfiguration = PlayoutConfiguration(),
        makeDecoder: @escaping (AudioWireFormat) -> (any PacketDecoder)? = WireDecoders.make
    ) {
        self.rate = rate
        playout = Playout(configuration: configuration, deviceRate: rate, makeDecoder: makeDecoder)
    }

    /// Host time at which a frame leaves the device, nanoseconds.
    func hostTime(of frame: Int64) -> Double {
        Double(frame) * 1e9 / (Double(rate.hertz) * (1 + deviceDrift)) + Double(slip)
    }

    func networkTime(of frame: Int64) -> NetworkTime {
        let host = hostTime(of: frame)
        return NetworkTime(nanoseconds: clockOffset + Int64((host * (1 + clockDrift)).rounded()))
    }

    mutating func mapping(near host: Int64) -> ClockMapping {
        // Correlated noise, as that of a filtered clock.
        wander += (Double.random(in: -1...1, using: &random) * noise - wander) * 0.05
        let network = clockOffset + Int64((Double(host) * (1 + clockDrift) + wander * 3).rounded())
        var mapping = ClockMapping(
            host: HostTime(nanoseconds: host), network: NetworkTime(nanoseconds: network + clockError),
            rateRatio: 1 + clockDrift)
        if slew > 0, clockError != 0 {
            mapping.slew = clockError > 0 ? -slew : slew
            mapping.rateRatio += mapping.slew
            if tellsCorrection { mapping.correction = -Double(clockError) }
        }
        (mapping.uncertainty, mapping.rateError) = (.nanoseconds(uncertainty), rateError)
        return mapping
    }

    /// Returns the next frames, stereo, interleaved.
    mutating func run(_ count: Int, chunk: Int = 441) -> [Float] {
        var output = [Float](repeating: 0, count: count * 2)
        var done = 0
        while done < count {
            let part = min(chunk, count - done)
            step(part, &output, at: done)
            done += part
        }
        return output
    }

    /// Runs as ``run(_:chunk:)`` does, without keeping the frames.
    mutating func skip(_ count: Int, chunk: Int = 441) {
        var output = [Float](repeating: 0, count: chunk * 2)
        var done = 0
        while done < count {
            let part = min(chunk, count - done)
            step(part, &output, at: 0)
            done += part
        }
    }

    private mutating func step(_ count: Int, _ output: inout [Float], at start: Int) {
        let told = max(0, frame - Self.lead)
        let host = Int64(hostTime(of: told).rounded())
        let device = DeviceLine(
            time: DeviceTime(frame: told, playTime: HostTime(nanoseconds: host), rateRatio: 1 + toldDrift),
            rate: rate)
        let mapping = knowsClock ? mapping(near: host) : nil
        let frame = self.frame
        output.withUnsafeMutableBufferPointer { room in
            guard let base = room.baseAddress else { return }
            playout.fill(base + start * 2, count: count, at: frame, device: device, mapping: mapping)
        }
        self.frame += Int64(count)
        if slew > 0 {
            let step = Int64((slew * Double(count) * 1e9 / Double(rate.hertz)).rounded())
            clockError = clockError > 0 ? max(0, clockError - step) : min(0, clockError + step)
        }
        playout.heard(to: told)
        for _ in 0..<12 where !playout.decodeAhead() { break }
    }

    /// Plays `rtpTime` at a frame of the device, in the past or future.
    mutating func play(_ rtpTime: RTPTime, at frame: Int64) {
        playout.play(along: Anchor(rtpTime: rtpTime, networkTime: networkTime(of: frame)), on: Self.clock)
    }

    /// Returns how late the next frame is by the true clocks, seconds.
    var trueError: Double? {
        guard let cursor = playout.cursor, let line = playout.line else { return nil }
        let network =
            Double(clockOffset - line.networkTime.nanoseconds) + hostTime(of: cursor.frame) * (1 + clockDrift)
        let wanted = (network - line.extraNanoseconds) * 1e-9 * Double(line.rate.hertz)
        return (wanted - Double(cursor.position - line.position) - cursor.fraction) / Double(line.rate.hertz)
    }

    /// Pauses as the driver does: frames mixed ahead are not played.
    mutating func pause(heard: Int64) {
        playout.pause()
        playout.invalidateCursor(from: heard)
        frame = heard
    }
}

/// Makes packets whose samples state their position.
enum TestPackets {
    static func value(_ position: Int64, seed: Int64 = 0) -> (left: Int16, right: Int16) {
        var mixed = UInt64(bitPattern: position &+ seed &* 1_000_003) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed >> 29
        // Never 0, to distinguish it from silence.
        return (Int16(truncatingIfNeeded: mixed) | 1, Int16(truncatingIfNeeded: mixed >> 16) | 1)
    }

    static func pcm(
        _ sequence: UInt32, rtpTime: RTPTime, position: Int64? = nil, frames: Int = 352, seed: Int64 = 0
    ) -> ReceivedPacket {
        var payload: [UInt8] = []
        let start = position ?? Int64(rtpTime.rawValue)
        for frame in 0..<frames {
            let value = value(start + Int64(frame), seed: seed)
            for sample in [value.left, value.right] {
                payload.append(UInt8(truncatingIfNeeded: sample >> 8))
                payload.append(UInt8(truncatingIfNeeded: sample))
            }
        }
        return ReceivedPacket(
            sequenceNumber: sequence, rtpTime: rtpTime, format: .pcm44100x16, payload: payload)
    }

    /// Returns those samples from a position on.
    static func samples(_ range: Range<Int64>, seed: Int64 = 0) -> [Float] {
        range.flatMap { position -> [Float] in
            let value = value(position, seed: seed)
            return [Float(value.left) / 0x1p15, Float(value.right) / 0x1p15]
        }
    }
}

extension Playout {
    mutating func append(_ packets: Range<Int>, first: UInt32 = 0, rtpTime: UInt32 = 0, seed: Int64 = 0) {
        for index in packets {
            append(
                TestPackets.pcm(
                    (first &+ UInt32(index)) & 0x7F_FFFF,
                    rtpTime: RTPTime(rawValue: rtpTime &+ UInt32(index * 352)),
                    position: Int64(index * 352), seed: seed))
        }
    }
}
