import CTuttiFFmpeg

extension MediaChapter {
    /// - Returns: `nil` if the chapter is empty or its times are out of range.
    init?(_ chapter: AVChapter) {
        guard chapter.time_base.num > 0, chapter.time_base.den > 0, chapter.end > chapter.start else {
            return nil
        }
        let unit = AVRational(num: 1, den: Self.timescale)
        // `av_rescale_q` saturates on overflow.
        let start = av_rescale_q(max(0, chapter.start), chapter.time_base, unit)
        let end = av_rescale_q(chapter.end, chapter.time_base, unit)
        guard start >= 0, end > start, end < 1 << 56 else { return nil }
        func text(_ key: String) -> String? {
            guard let value = av_dict_get(chapter.metadata, key, nil, 0)?.pointee.value else { return nil }
            let text = String(String(cString: value).prefix(Self.textLimit))
            return text.isEmpty ? nil : text
        }
        self.init(start: start, end: end, title: text("title"), language: text("language"))
    }
}
