/// A subtitle as FFmpeg's decoders give it: an event of an ASS script.
public struct SubtitleCue: Hashable, Sendable {
    /// A header with one plain style, for events of sources without a header: white with a black border, centered
    /// at the bottom, on a canvas of 384 × 288.
    public static let plainHeader = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 384
        PlayResY: 288
        ScaledBorderAndShadow: yes

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, \
        Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, \
        MarginL, MarginR, MarginV, Encoding
        Style: Default,sans-serif,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """

    /// Milliseconds of the media's time at which the subtitle appears.
    public var start: Int64
    /// Milliseconds for which the subtitle stays.
    public var duration: Int64
    /// The event: `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
    public var text: String
    /// The script's header up to its events, such as FFmpeg's `subtitle_header`.
    public var header: String

    /// Creates a cue.
    public init(
        start: Int64, duration: Int64, text: String, header: String = SubtitleCue.plainHeader
    ) {
        self.start = start
        self.duration = duration
        self.text = text
        self.header = header
    }
}

extension SubtitleCue {
    /// The longest time after its start at which a subtitle is drawn; an animation of a longer one has ended by then.
    private static let longestWait: Int64 = 30_000

    /// Returns the moment at which to draw subtitles that are shown together and drawn once, in milliseconds.
    ///
    /// That is midway between the latest start and the earliest end: a subtitle that fades in is invisible at its start, and
    /// one that fades out at its end.
    static func drawingTime(of cues: [SubtitleCue]) -> Int64 {
        guard let start = cues.map(\.start).max(), let end = cues.map(\.end).min(), end > start else {
            return cues.map(\.start).max() ?? 0
        }
        let (length, isHuge) = end.subtractingReportingOverflow(start)
        return start + (isHuge ? longestWait : min(length / 2, longestWait))
    }

    private var end: Int64 {
        let (end, isEndless) = start.addingReportingOverflow(duration)
        return isEndless ? .max : end
    }
}
