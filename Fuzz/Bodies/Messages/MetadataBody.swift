import AirPlayMessages

/// Reads the bytes as track metadata, as volume, as progress and as an AirPlay 1 sender's announcement and
/// transport; valid values are written and read again.
public func fuzzMetadata(_ bytes: [UInt8]) throws(BrokenInvariant) {
    try roundTripMetadata(bytes)
    if let volume = try? Volume(body: bytes) {
        let again = try? Volume(body: volume.body)
        try require(again.map { isClose($0, volume) } ?? false, "a volume that was encoded is the same")
    }
    if let progress = try? Progress(body: bytes) {
        try require(
            (try? Progress(body: progress.body)) == progress, "a progress that was encoded is the same")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if let time = RTPInfo.rtpTime(headerValue: text) {
        try require(
            RTPInfo.rtpTime(headerValue: RTPInfo.headerValue(time)) == time,
            "an RTP-Info that was encoded is the same")
    }
    _ = ArtworkKind(of: bytes)
    if let transport = RealtimeTransport(headerValue: text) {
        try require(
            RealtimeTransport(headerValue: transport.headerValue) == transport,
            "a transport that was encoded is the same")
    }
    try roundTripAnnouncement(bytes)
}

private func roundTripAnnouncement(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let stream = try? StreamAnnouncement(body: bytes) else { return }
    if let format = stream.format {
        try require(format.sampleRate.hertz == 44_100 && format.channelCount == 2, "formats are few")
        let plain = StreamAnnouncement(stream.coding)
        let again = try? StreamAnnouncement(body: plain.body(session: 1, from: "192.0.2.1", to: "192.0.2.2"))
        try require(again == plain, "an announcement that was encoded is the same")
    }
    try require(
        stream.name.map { $0.utf8.count <= StreamAnnouncement.nameByteLimit } ?? true, "names are bounded")
}

private func roundTripMetadata(_ bytes: [UInt8]) throws(BrokenInvariant) {
    let readable = try? DMAPMetadata(readable: bytes)
    guard let metadata = try? DMAPMetadata(exactly: bytes) else { return }
    try require(readable == metadata, "what is whole is readable")
    let encoded = metadata.encoded
    guard let again = try? DMAPMetadata(exactly: encoded) else {
        throw BrokenInvariant(description: "metadata that was encoded can be read")
    }
    try require(again.encoded == encoded, "metadata that was encoded is the same")
    try require(again.durationMilliseconds == metadata.durationMilliseconds, "numbers stay")
    let title = metadata.title.map { $0.utf8.count <= DMAPMetadata.textByteLimit ? $0 : nil }
    if let title, let title { try require(again.title == title, "a short text stays") }
}

private func isClose(_ one: Volume, _ two: Volume) -> Bool {
    abs(one.decibels - two.decibels) < 0.000_001
}
