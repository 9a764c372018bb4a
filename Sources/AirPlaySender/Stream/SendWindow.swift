import MediaTime

/// How much one stream may write now, and if nothing, when to look again.
///
/// Three limits, each with its own reason:
/// - what the kernel holds, because bytes there cannot be taken back by a seek;
/// - what the speaker can hold, because beyond it the TCP window closes, and a closed window makes a
///   recovery after a cut slow;
/// - the pace of a speaker that reads its socket slowly, because what it has not read it must read
///   before a seek takes effect.
struct SendWindow {
    /// Bytes the kernel may hold unsent or unacknowledged.
    static let kernelLimit = 64 * 1024
    /// Distance kept from the speaker's own limit: its framing and one packet being read. Less for a small
    /// buffer, see ``margin``.
    static let bufferMargin = 64 * 1024
    /// How much a slow reader takes at once before its pace counts.
    static let slowReaderBurst = 96 * 1024

    /// `audioBufferSize` of the stream SETUP answer.
    let bufferBytes: Int
    /// Bytes per second a slow reader takes; `nil` for line speed.
    let slowReaderBytesPerSecond: Int?

    private var credit: Double
    private var creditTime: HostTime?

    init(bufferBytes: Int, slowReaderBytesPerSecond: Int?) {
        self.bufferBytes = bufferBytes
        self.slowReaderBytesPerSecond = slowReaderBytesPerSecond
        credit = Double(Self.slowReaderBurst)
    }

    enum Verdict: Equatable {
        /// At least one packet may go; stop after this many bytes.
        case send(Int)
        /// The kernel holds enough; look again when it has sent some.
        case kernelFull
        /// The speaker holds enough; look again when it has played some.
        case speakerFull
        /// The pace is used up; look again after this time.
        case paced(Duration)
    }

    /// - Parameters:
    ///   - kernelBytes: what the kernel holds of this connection.
    ///   - speakerBytes: what was sent and is not played yet.
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

    private var margin: Int { min(Self.bufferMargin, bufferBytes / 4) }

    mutating func sent(_ byteCount: Int) {
        if slowReaderBytesPerSecond != nil { credit -= Double(byteCount) }
    }

    /// A flush: the speaker drops what it holds, so it takes a burst again.
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
