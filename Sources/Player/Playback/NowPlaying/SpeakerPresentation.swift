import AirPlayMessages
import AirPlaySender
import CoreMedia
import TuttiMediaTime

/// A value that places a program's publications on the presentation timeline, for the speakers' displays.
///
/// A publication says "this item is at e seconds now". If now is presentation time t, the item begins at t −
/// e. That holds while the line runs, stops and starts again. After a jump of the line, the item continues
/// from the position that the old line had reached.
struct SpeakerPresentation: Sendable {
    /// Seconds. Publications lag a moment behind, and displays count whole seconds: a smaller difference is
    /// the same position, and the artwork is not sent again.
    static let tolerance = 0.3

    /// The tracks for the speakers' displays; empty until the first publication while a timeline is known.
    private(set) var tracks: [PresentedTrack] = []
    private var snapshot: NowPlayingSnapshot?
    private var line: PresentationLine?
    /// Presentation time of the item's first sample.
    private var start: CMTime?

    /// Takes a publication.
    ///
    /// - Returns: Whether ``tracks`` changed and must be sent to the speakers.
    mutating func publish(_ new: NowPlayingSnapshot, at now: HostTime) -> Bool {
        // There is still no publication.
        if snapshot == nil, new.isEmpty { return false }
        let isSame = snapshot.map { new.isSameItem(as: $0) } ?? false
        snapshot = new
        guard let line else { return false }
        let time = line.time(at: new.elapsedHostTime)
        place(at: new.elapsed.map { time - Self.time($0) } ?? (isSame ? start : nil) ?? time, isSame: isSame)
        return renew()
    }

    /// Takes a new line.
    ///
    /// - Parameter line: `nil` without a timeline.
    /// - Returns: Whether ``tracks`` changed and must be sent to the speakers.
    mutating func lineDidChange(_ line: PresentationLine?, at now: HostTime) -> Bool {
        let old = self.line
        self.line = line
        guard let line, let snapshot else { return false }
        let time = line.time(at: now)
        if let old, start != nil, abs((old.time(at: now) - time).seconds) <= Self.tolerance { return false }
        place(at: elapsed(of: snapshot, along: old, at: now).map { time - $0 } ?? start ?? time, isSame: true)
        return renew()
    }

    /// Returns the position in the item that the old line reached, or without an old line the published
    /// position.
    private func elapsed(
        of snapshot: NowPlayingSnapshot, along old: PresentationLine?, at now: HostTime
    ) -> CMTime? {
        guard let published = snapshot.elapsed(at: now) else { return nil }
        guard let old, let start else { return Self.time(published) }
        let seconds = min((old.time(at: now) - start).seconds, snapshot.duration ?? Self.longest)
        return Self.time(max(0, seconds))
    }

    /// Seconds. Displays receive RTP times, which wrap after 27 hours at 44.1 kHz.
    static let longest = 86_400.0

    private static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: min(seconds, longest), preferredTimescale: 1_000_000_000)
    }

    private mutating func place(at new: CMTime, isSame: Bool) {
        if isSame, let start, abs((new - start).seconds) <= Self.tolerance { return }
        start = new
    }

    private mutating func renew() -> Bool {
        guard let snapshot, let start else { return false }
        let seconds =
            snapshot.isLiveStream ? nil : snapshot.duration.flatMap { $0 <= Self.longest ? $0 : nil }
        let track = PresentedTrack(
            start: start, duration: seconds.map(Self.time) ?? .invalid,
            metadata: snapshot.isEmpty ? .nothing : TrackMetadata(snapshot))
        defer { tracks = [track] }
        guard let shown = tracks.first else { return true }
        return shown.start != track.start || shown.duration != track.duration
            || shown.metadata != track.metadata
    }
}

extension TrackMetadata {
    /// Clears a display. The texts are empty rather than missing, because a message without a text leaves
    /// that text unchanged.
    static let nothing: TrackMetadata = {
        var dmap = DMAPMetadata()
        (dmap.title, dmap.artist, dmap.album) = ("", "", "")
        return TrackMetadata(dmap: dmap, artwork: .cleared)
    }()

    /// Takes the part of a publication that speakers show. Clears missing texts and missing artwork.
    init(_ snapshot: NowPlayingSnapshot) {
        var dmap = DMAPMetadata()
        dmap.title = snapshot.title ?? ""
        dmap.artist = snapshot.artist ?? ""
        dmap.album = snapshot.album ?? ""
        dmap.albumArtist = snapshot.albumArtist
        dmap.genre = snapshot.genre
        dmap.composer = snapshot.composer
        dmap.trackNumber = snapshot.trackNumber.flatMap(UInt16.init(exactly:))
        dmap.trackCount = snapshot.trackCount.flatMap(UInt16.init(exactly:))
        dmap.discNumber = snapshot.discNumber.flatMap(UInt16.init(exactly:))
        dmap.durationMilliseconds = snapshot.duration.flatMap { UInt32(exactly: ($0 * 1000).rounded()) }
        dmap.persistentID = snapshot.persistentID
        if snapshot.isLiveStream { dmap.songDataKind = 1 }
        let artwork = snapshot.artwork.flatMap { bytes in
            ArtworkKind(of: bytes).flatMap { Artwork(kind: $0, bytes: bytes) }
        }
        if artwork != nil { dmap.artworkCount = 1 }
        self.init(dmap: dmap, artwork: artwork ?? .cleared)
    }
}
