import AudioToolbox

/// First byte: cuts. Second: a packet to seek to. Then the bytes of a stream, parsed whole and in pieces.
public func fuzzAudioFileStream(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    let choice = input.byte()
    let packet = Int64(input.byte())
    let whole = try parse(input.rest, choice: .max, seeking: nil)
    let cut = try parse(input.rest, choice: choice, seeking: nil)
    // The end of the data may decide where the last packet of FLAC ends.
    if whole.fileType != kAudioFileFLACType, whole.failure == nil {
        try require(whole.sound == cut.sound, "pieces give the same bytes")
        try require(whole.packetCount == cut.packetCount, "pieces give the same packets")
        try require(cut.failure == nil, "pieces give no error")
    }
    _ = try parse(input.rest, choice: choice, seeking: packet)
}

private func parse(
    _ bytes: ArraySlice<UInt8>, choice: UInt8, seeking packet: Int64?
) throws(BrokenInvariant) -> (
    sound: [UInt8], packetCount: Int, fileType: AudioFileTypeID, failure: StreamFailure?
) {
    var parser = AudioStreamParser()
    var (sound, packetCount) = ([UInt8](), 0)
    var isReady = false
    var seekOffset: Int64?
    for piece in pieces(of: bytes, choice: choice) {
        do throws(StreamFailure) {
            if let packet, parser.isReady, seekOffset == nil {
                seekOffset = try parser.seek(to: packet).offset
            }
            try append(piece, to: &parser)
            while let event = try parser.next() {
                switch event {
                case .property: isReady = parser.isReady
                case .packets(let run):
                    sound += run.bytes
                    packetCount += run.count
                    if !isReady || !(run.packets.isEmpty || run.packets.count == run.count) {
                        packetCount = -1
                    }
                    for place in run.packets
                    where place.mStartOffset < 0
                        || place.mStartOffset + Int64(place.mDataByteSize) > Int64(run.bytes.count)
                    {
                        packetCount = -1
                    }
                }
            }
        } catch {
            try require(parser.pendingByteCount == 0 || packet != nil, "nothing is kept after an error")
            return (sound, packetCount, parser.facts.fileType, error)
        }
        try require(packetCount >= 0, "packets lie inside their bytes and come when the stream is ready")
    }
    try require(sound.count <= bytes.count, "no more bytes come out than went in")
    return (sound, packetCount, parser.facts.fileType, nil)
}

private func append(_ piece: ArraySlice<UInt8>, to parser: inout AudioStreamParser) throws(StreamFailure) {
    let result = piece.withUnsafeBytes { bytes -> StreamFailure? in
        do throws(StreamFailure) { try parser.append(bytes) } catch { return error }
        return nil
    }
    if let result { throw result }
}
