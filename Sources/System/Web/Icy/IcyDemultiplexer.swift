/// A demultiplexer that separates the titles from a radio station's sound.
///
/// Layout: after every `interval` bytes of sound, one length byte, then 16 times as many bytes of text: at
/// most 4080.
struct IcyDemultiplexer {
    private let interval: Int
    /// Bytes of sound until the next length byte.
    private var soundLeft: Int
    private var textLeft = 0
    private var text: [UInt8] = []

    init(interval: Int) { (self.interval, soundLeft) = (interval, interval) }

    /// Separates a piece of the stream.
    ///
    /// - Parameters:
    ///   - onSound: Receives the sound in pieces.
    ///   - onTitle: Receives each title in order between the pieces of sound.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, onSound: (UnsafeRawBufferPointer) -> Void, onTitle: (String) -> Void
    ) {
        var rest = bytes[...]
        while let first = rest.first {
            if soundLeft > 0 {
                let piece = rest.prefix(soundLeft)
                soundLeft -= piece.count
                onSound(UnsafeRawBufferPointer(rebasing: piece))
                rest = rest.dropFirst(piece.count)
            } else if textLeft == 0 {
                textLeft = Int(first) * 16
                if textLeft == 0 { soundLeft = interval }
                rest = rest.dropFirst()
            } else {
                let piece = rest.prefix(textLeft)
                text += piece
                textLeft -= piece.count
                rest = rest.dropFirst(piece.count)
                if textLeft == 0 {
                    if let title = IcyTitle.parse(text) { onTitle(title) }
                    (text, soundLeft) = ([], interval)
                }
            }
        }
    }
}
