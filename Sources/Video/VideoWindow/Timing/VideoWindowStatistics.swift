/// Counts and measurements of a window, since it was opened. Durations and times are nanoseconds.
public struct VideoWindowStatistics: Hashable, Sendable {
    /// Pictures that reached the screen.
    public internal(set) var shownCount = 0
    /// Pictures that a newer one replaced before they were drawn, or that came while the window was hidden.
    public internal(set) var droppedCount = 0
    /// Pictures shown more than half a display period after their time.
    public internal(set) var lateCount = 0
    /// The largest delay of a late picture.
    public internal(set) var worstLateness: Int64 = 0
    /// Host time (`CLOCK_MONOTONIC`) at which the last presentation returned; 0 before the first.
    public internal(set) var lastPresentationTime: Int64 = 0
    /// The time between refreshes of the window's display.
    public internal(set) var displayPeriod: Int64 = 0
    /// The average time from the handover of a picture to its presentation.
    public internal(set) var uploadTime: Int64 = 0
    /// The average time of a presentation, with the wait for the display.
    public internal(set) var presentTime: Int64 = 0
    /// Whether presentations wait for the display's refresh, so that no picture tears.
    public internal(set) var isSynchronized = false
    /// SDL's name of the renderer, such as `opengl` or `software`.
    public internal(set) var rendererName = ""

    mutating func notePicture(shownAt end: Int64, due: Int64, timing: PresentationTiming) {
        shownCount += 1
        if let late = timing.lateness(due: due, shownAt: end) {
            lateCount += 1
            worstLateness = max(worstLateness, late)
        }
    }

    mutating func notePresentation(at end: Int64, timing: PresentationTiming) {
        lastPresentationTime = end
        displayPeriod = timing.displayPeriod
        uploadTime = timing.uploadTime
        presentTime = timing.presentTime
    }
}
