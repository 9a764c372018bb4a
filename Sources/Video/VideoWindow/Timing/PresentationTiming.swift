/// The measured duration of the way from a handed-over picture to the screen.
struct PresentationTiming {
    /// Whether a presentation waits for the display's refresh.
    let isSynchronized: Bool
    private var period: DisplayPeriod
    private var upload = RunningAverage()
    private var present = RunningAverage()

    init(hertz: Int, isSynchronized: Bool) {
        period = DisplayPeriod(hertz: hertz)
        self.isSynchronized = isSynchronized
    }

    /// Nanoseconds between refreshes of the display.
    var displayPeriod: Int64 { period.nanoseconds }
    /// Nanoseconds from the handover of a picture to its presentation.
    var uploadTime: Int64 { upload.value }
    /// Nanoseconds that a presentation takes, with the wait for the display.
    var presentTime: Int64 { present.value }

    /// Nanoseconds before its time at which a picture should be handed over.
    ///
    /// A synchronized presentation appears at the next refresh, on average half a period later.
    var leadTime: Int64 { uploadTime + (isSynchronized ? displayPeriod / 2 : presentTime) }

    /// Begins a new measurement of the period, for a display of another rate.
    mutating func setDisplay(hertz: Int) { period = DisplayPeriod(hertz: hertz) }

    mutating func noteUpload(nanoseconds: Int64) { upload.note(nanoseconds) }

    mutating func notePresentation(from start: Int64, to end: Int64) {
        present.note(end - start)
        if isSynchronized { period.notePresentation(from: start, to: end) }
    }

    /// Nanoseconds by which a picture shown at `end` is late; `nil` within half a display period.
    func lateness(due: Int64, shownAt end: Int64) -> Int64? {
        let (late, overflow) = end.subtractingReportingOverflow(due)
        return !overflow && late > displayPeriod / 2 ? late : nil
    }
}
