import CoreMedia

/// The decoded pictures around the playhead, in the order of their times. A value.
///
/// Each picture is shown from its time to that of the next one. Generic, so that tests need no pictures.
package struct PictureWindow<Image: Sendable>: Sendable {
    /// A picture and its time.
    package struct Entry: Sendable {
        /// The picture.
        package let image: Image
        /// Item time from which the picture is shown.
        package let time: CMTime
        /// Item time at which the picture ends, by the file's duration or rate.
        package let end: CMTime
        /// The memory that the picture occupies, in bytes.
        package let byteCount: Int

        /// Creates an entry.
        package init(image: Image, time: CMTime, end: CMTime, byteCount: Int) {
            (self.image, self.time, self.end, self.byteCount) = (image, time, end, byteCount)
        }
    }

    private var entries: [Entry] = []
    /// The memory of all pictures, in bytes.
    package private(set) var byteCount = 0
    /// Whether the last picture is the film's last.
    package var isComplete = false
    /// Whether the first picture is the film's first; it is shown at earlier times, too.
    package private(set) var hasFilmStart = false

    /// Makes an empty window.
    package init() {}

    /// The number of pictures.
    package var count: Int { entries.count }
    /// Item time of the first picture.
    package var start: CMTime? { entries.first?.time }
    /// Item time after the last picture.
    package var end: CMTime? { entries.last?.end }

    /// Adds a picture in its place; a picture at the time of another replaces it.
    ///
    /// - Parameter isFilmStart: Whether no picture of the film is earlier.
    package mutating func insert(_ entry: Entry, isFilmStart: Bool = false) {
        let place = entries.lastIndex { $0.time <= entry.time }
        if let place, entries[place].time == entry.time {
            byteCount += entry.byteCount - entries[place].byteCount
            entries[place] = entry
        } else {
            entries.insert(entry, at: place.map { $0 + 1 } ?? 0)
            byteCount += entry.byteCount
        }
        hasFilmStart = hasFilmStart || isFilmStart
    }

    /// Returns the picture shown at a time: the last one that has begun. `nil` before the first picture, unless that is
    /// the film's first, and after the film's end by more than the window knows.
    package func picture(at time: CMTime) -> Entry? {
        if let index = entries.lastIndex(where: { $0.time <= time }) { return entries[index] }
        return hasFilmStart ? entries.first : nil
    }

    /// Returns the first picture that begins after a time.
    package func next(after time: CMTime) -> Entry? {
        let begun = entries.lastIndex { $0.time <= time }
        let next = begun.map { $0 + 1 } ?? (hasFilmStart ? 1 : 0)
        return next < entries.count ? entries[next] : nil
    }

    /// Returns the last picture that begins before a time.
    package func last(before time: CMTime) -> Entry? { entries.last { $0.time < time } }

    /// The number of pictures that begin after one time and no later than another.
    package func count(after first: CMTime, until last: CMTime) -> Int {
        entries.count { $0.time > first && $0.time <= last }
    }

    /// Whether a picture for a time is at hand.
    package func covers(_ time: CMTime) -> Bool {
        guard let last = entries.last, picture(at: time) != nil else { return false }
        return isComplete || time < last.end
    }

    /// Drops pictures before the one shown at a time, except `kept` of them.
    ///
    /// - Returns: The number of dropped pictures.
    @discardableResult
    package mutating func drop(before time: CMTime, keeping kept: Int = 0) -> Int {
        guard let shown = entries.lastIndex(where: { $0.time <= time }), shown > kept else { return 0 }
        let count = shown - kept
        byteCount -= entries[..<count].reduce(0) { $0 + $1.byteCount }
        entries.removeFirst(count)
        hasFilmStart = false
        return count
    }

    /// Drops all pictures.
    package mutating func removeAll() { self = PictureWindow() }
}
