import AirPlayMessages

/// Reads the bytes as track metadata, as volume and as progress; valid values are written and
/// read again.
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
}

private func roundTripMetadata(_ bytes: [UInt8]) throws(BrokenInvariant) {
    guard let metadata = try? DMAPMetadata(exactly: bytes) else { return }
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
