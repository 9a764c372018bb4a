import CTuttiFFmpeg

extension MediaFile {
    /// A chapter of a file to write.
    package struct Chapter: Sendable {
        let seconds: Range<Int64>
        let title: String

        package init(_ seconds: Range<Int64>, _ title: String) {
            (self.seconds, self.title) = (seconds, title)
        }
    }

    /// Adds chapters to a context; the library frees them with it.
    static func add(_ chapters: [Chapter], to output: UnsafeMutablePointer<AVFormatContext>) {
        guard !chapters.isEmpty,
            let list = av_calloc(chapters.count, MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride)
        else { return }
        let places = list.bindMemory(to: UnsafeMutablePointer<AVChapter>?.self, capacity: chapters.count)
        for (index, chapter) in chapters.enumerated() {
            guard let made = av_mallocz(MemoryLayout<AVChapter>.size) else { return }
            let entry = made.bindMemory(to: AVChapter.self, capacity: 1)
            entry.pointee.id = Int64(index)
            entry.pointee.time_base = AVRational(num: 1, den: 1000)
            entry.pointee.start = chapter.seconds.lowerBound * 1000
            entry.pointee.end = chapter.seconds.upperBound * 1000
            av_dict_set(&entry.pointee.metadata, "title", chapter.title, 0)
            places[index] = entry
            output.pointee.nb_chapters = UInt32(index + 1)
        }
        output.pointee.chapters = places
    }
}
