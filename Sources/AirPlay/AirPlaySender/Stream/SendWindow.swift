import TuttiMediaTime

/// Flow control of one stream: the bytes to write now or, if none, the time to check again.
///
/// Three limits apply:
/// - the bytes in the kernel, because a seek cannot take them back;
/// - the speaker's buffer, because beyond it the TCP window closes, and a closed window makes recovery after
///   a link outage slow;
/// - the pace of a speaker that reads its socket slowly, because it must read everything queued before a seek
///   takes effect.
struct SendWindow {
    /// The limit of bytes that the kernel may hold unsent or unacknowledged.
    static let kernelLimit = 64 * 1024
    /// The margin to the speaker's own limit, bytes: its framing and one packet being read. Less for a small
    /// buffer, see ``margin``.
    static let bufferMargin = 64 * 1024
    /// The burst, bytes, that a slow reader takes before its pace counts.
    static let slowReaderBurst = 96 * 1024

    /// The `audioBufferSize` of the stream SETUP answer.
    let bufferBytes: Int
    /// The pace of a slow reader, bytes per second; `nil` for line speed.
    let slowReaderBytesPerSecond: Int?

    private var credit: Double
    private var creditTime: HostTime?

    init(bufferBytes: Int, slowReaderBytesPerSecond: Int?) {
        self.bufferBytes = bufferBytes
        self.slowReaderBytesPerSecond = slowReaderBytesPerSecond
        credit = Double(Self.slowReaderBurst)
    }

    enum Verdict: Equatable {
        /// At least one packet may be sent; stop after this many bytes.
        case send(Int)
        /// The kernel holds enough; check again when it has sent some.
        case kernelFull
        /// The speaker holds enough; check again when it has played some.
        case speakerFull
        /// The pace is used up; check again after this time.
        case paced(Duration)
    }

    /// - Parameters:
    ///   - kernelBytes: The bytes that the kernel holds of this connection.
    ///   - speakerBytes: The bytes that were sent and are not played yet.
    mutating func verdict(kernelBytes: Int, speakerBytes: Int, at now: HostTime) -> Verdict {
        let room = bufferBytes - margin - speakerBytes
        if room <= 0 { return .speakerFull }
        let kernelRoom = Self.kernelLimit - kernelBytes
        if kernelRoom <= 0 { return .kernelFull }
        var allowed = min(room, kernelRoom)
        if let rate = slowReaderBytesPerSecond {
            earn(rate: rate, at: now)
            if credit < 4096 {
                return .paced(.milliseconds(max(5, Int64((16_384 - credit) * 1000 / Double(rate)))))
            }
            allowed = min(allowed, Int(credit))
        }
        return .send(allowed)
    }

    /// Whether the speaker takes the first sound of a start on top of what it holds.
    func hasRoom(speakerBytes: Int) -> Bool { bufferBytes - margin - speakerBytes >= margin }

    private var margin: Int { min(Self.bufferMargin, bufferBytes / 4) }

    mutating func sent(_ byteCount: Int) {
        if slowReaderBytesPerSecond != nil { credit -= Double(byteCount) }
    }

    /// Allows a burst again after a flush, because the speaker drops what it holds.
    mutating func restart() {
        credit = Double(Self.slowReaderBurst)
    }

    private mutating func earn(rate: Int, at now: HostTime) {
        if let last = creditTime {
            credit = min(
                Double(Self.slowReaderBurst), credit + now.since(last).inSeconds * Double(rate))
        }
        creditTime = now
    }
}
