import CTuttiASS

/// libass's drawing of one script. Belongs to one thread at a time.
final class SubtitleRenderer {
    enum Drawing {
        /// The same drawing as before.
        case unchanged
        case image(SubtitleImage?)
    }

    /// Glyphs and megabytes of bitmaps that libass keeps.
    private static let glyphLimit: Int32 = 4096
    private static let bitmapMegabytes: Int32 = 64

    private let functions: tutti_ass_functions
    private let library: OpaquePointer
    private let renderer: OpaquePointer
    private var track: UnsafeMutablePointer<ASS_Track>?
    private var cues = CueList()
    private var viewport: SubtitleViewport?
    private var isFirst = true

    /// Loads libass and the system's list of fonts; takes up to seconds if that list is not cached.
    ///
    /// - Throws: The reason as a sentence.
    init() throws(SubtitleFailure) {
        guard let table = tutti_ass_load() else {
            throw SubtitleFailure(
                sentence: "Subtitles are not drawn: libass is not usable "
                    + "(\(String(cString: tutti_ass_load_error()))). Install libass9.")
        }
        functions = table.pointee
        let failure = SubtitleFailure(sentence: "Subtitles are not drawn: libass did not start.")
        guard let library = functions.ass_library_init() else { throw failure }
        tutti_ass_silence(library)
        // Fonts inside scripts are foreign programs for the font engine.
        functions.ass_set_extract_fonts(library, 0)
        guard let renderer = functions.ass_renderer_init(library) else {
            functions.ass_library_done(library)
            throw failure
        }
        (self.library, self.renderer) = (library, renderer)
        functions.ass_set_cache_limits(renderer, Self.glyphLimit, Self.bitmapMegabytes)
        functions.ass_set_use_margins(renderer, 1)
        functions.ass_set_fonts(
            renderer, nil, "sans-serif", Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
    }

    deinit {
        if let track { functions.ass_free_track(track) }
        functions.ass_renderer_done(renderer)
        functions.ass_library_done(library)
    }

    /// Draws the subtitles of a moment.
    func draw(_ wanted: [SubtitleCue], at milliseconds: Int64, in viewport: SubtitleViewport) -> Drawing {
        apply(cues.update(to: wanted))
        let isMoved = viewport != self.viewport
        if isMoved { place(in: viewport) }
        guard let track else { return .unchanged }
        var change: Int32 = 0
        let images = functions.ass_render_frame(renderer, track, milliseconds, &change)
        guard change != 0 || isMoved || isFirst else { return .unchanged }
        isFirst = false
        return .image(Self.image(of: images, canvas: viewport.window))
    }

    // MARK: The script

    private func apply(_ change: CueList.Change) {
        switch change {
        case .none: break
        case .append(let cues): add(cues)
        case .replace(let header, let cues):
            if let track { functions.ass_free_track(track) }
            track = functions.ass_new_track(library)
            guard let track else { return }
            // The program, not the numbers in the events, knows which cues are the same.
            functions.ass_set_check_readorder(track, 0)
            Self.withCharacters(header, limit: CueList.headerLimit) { bytes, count in
                functions.ass_process_codec_private(track, bytes, count)
            }
            isFirst = true
            add(cues)
        }
    }

    private func add(_ cues: [SubtitleCue]) {
        guard let track else { return }
        for cue in cues {
            Self.withCharacters(cue.text, limit: CueList.textLimit) { bytes, count in
                functions.ass_process_chunk(track, bytes, count, cue.start, cue.duration)
            }
        }
    }

    /// Lends the text's bytes up to a limit; libass copies them, and ends at the first zero byte.
    private static func withCharacters(
        _ text: String, limit: Int, _ body: (UnsafeMutablePointer<CChar>, Int32) -> Void
    ) {
        var bytes = Array(text.utf8.prefix(limit).map { CChar(bitPattern: $0) })
        let count = Int32(bytes.count)
        bytes.append(0)
        bytes.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { body(base, count) }
        }
    }

    // MARK: The picture

    private func place(in viewport: SubtitleViewport) {
        self.viewport = viewport
        let (window, picture) = (viewport.window, viewport.picture)
        functions.ass_set_frame_size(renderer, Int32(window.width), Int32(window.height))
        functions.ass_set_storage_size(
            renderer, Int32(viewport.storage.width), Int32(viewport.storage.height))
        // Negative where the picture extends beyond the window.
        functions.ass_set_margins(
            renderer, Int32(clamping: picture.y),
            Int32(clamping: window.height - picture.y - picture.height), Int32(clamping: picture.x),
            Int32(clamping: window.width - picture.x - picture.width))
    }

    private static func image(
        of first: UnsafeMutablePointer<ASS_Image>?, canvas: PixelSize
    ) -> SubtitleImage? {
        let whole = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
        let layers = Array(sequence(first: first, next: { $0?.pointee.next }).lazy.compactMap(\.self))
        let places = layers.compactMap { $0.pointee.place.intersection(whole) }
        guard let start = places.first else { return nil }
        var blender = LayerBlender(place: places.reduce(start) { $0.union($1) }, canvas: canvas)
        for layer in layers {
            guard let mask = layer.pointee.bitmap else { continue }
            blender.draw(
                mask: mask, stride: Int(layer.pointee.stride), at: layer.pointee.place,
                color: layer.pointee.color)
        }
        return blender.finish()
    }
}

/// A reason why no subtitles are drawn.
struct SubtitleFailure: Error {
    /// A sentence for users.
    let sentence: String
}

extension ASS_Image {
    fileprivate var place: PixelRect {
        PixelRect(x: Int(dst_x), y: Int(dst_y), width: Int(w), height: Int(h))
    }
}
