import Foundation
import Synchronization

extension FilmFile {
    /// Films of every codec by file name.
    package static let kinds: [(name: String, film: FilmFile)] = {
        var kinds: [(String, FilmFile)] = []
        func add(_ name: String, _ film: FilmFile, _ change: (inout FilmFile) -> Void = { _ in }) {
            var film = film
            change(&film)
            kinds.append((name, film))
        }
        let closed = h264(isOpen: false)
        let open = h264(isOpen: true)
        add("closed.mp4", closed) { $0.soundCodec = "aac" }
        add("open.mp4", open)
        add("open.mkv", open) { $0.soundCodec = "aac" }
        add("open.ts", open) { $0.soundCodec = "aac" }
        add("h264.flv", closed) { $0.soundCodec = "aac" }
        add("plain.avi", FilmFile("libx264", options: [("bf", "0"), ("g", "12"), ("preset", "veryfast")])) {
            $0.soundCodec = "pcm_s16le"
        }
        add("ten.mkv", FilmFile("libx264", options: [("g", "12"), ("preset", "veryfast")])) {
            $0.pixelFormat = "yuv420p10le"
        }
        let hevc = FilmFile(
            "libx265",
            options: [
                ("preset", "ultrafast"),
                ("x265-params", "keyint=12:min-keyint=12:bframes=3:open-gop=1:log-level=none:pools=none"),
            ])
        add("hevc.mp4", hevc) { $0.soundCodec = "aac" }
        add("hevc.ts", hevc)
        let part2 = FilmFile("mpeg4", options: [("bf", "2"), ("g", "12"), ("q", "3")])
        add("mpeg4.mp4", part2)
        add("mpeg4.avi", part2) {
            $0.options = [("g", "12")]
        }
        let second = FilmFile("mpeg2video", options: [("bf", "2"), ("g", "12"), ("b", "2000000")])
        add("mpeg2.ts", second)
        // A packet of a program stream states only one time, so that small pictures would have none.
        add("mpeg2.mpg", FilmFile("mpeg2video", options: [("bf", "2"), ("g", "12"), ("q", "3")])) {
            $0.soundCodec = "mp2"
            $0.isNoisy = true
        }
        add("mpeg1.mpg", FilmFile("mpeg1video", options: [("bf", "2"), ("g", "12"), ("q", "3")])) {
            $0.isNoisy = true
        }
        add(
            "vp8.webm",
            FilmFile("libvpx", options: [("deadline", "realtime"), ("g", "12"), ("cpu-used", "8")]))
        add(
            "vp9.webm",
            FilmFile("libvpx-vp9", options: [("deadline", "realtime"), ("g", "12"), ("cpu-used", "8")])
        ) {
            $0.soundCodec = "libopus"
        }
        add(
            "vp9.mp4",
            FilmFile("libvpx-vp9", options: [("deadline", "realtime"), ("g", "12"), ("cpu-used", "8")]))
        add(
            "av1.mp4",
            FilmFile("libaom-av1", options: [("cpu-used", "8"), ("usage", "realtime"), ("g", "12")]))
        add(
            "av1.mkv",
            FilmFile("libaom-av1", options: [("cpu-used", "8"), ("usage", "realtime"), ("g", "12")]))
        add("mjpeg.mov", FilmFile("mjpeg")) { $0.pixelFormat = "yuvj420p" }
        add("mjpeg.avi", FilmFile("mjpeg")) { $0.pixelFormat = "yuvj422p" }
        add("prores.mov", FilmFile("prores")) { $0.pixelFormat = "yuv422p10le" }
        add("h263.3gp", FilmFile("h263", options: [("g", "12")])) { ($0.width, $0.height) = (176, 144) }
        add("ffv1.mkv", FilmFile("ffv1"))
        add("theora.ogv", FilmFile("libtheora", options: [("g", "12"), ("b", "800000")]))
        add("png.mov", FilmFile("png")) { $0.pixelFormat = "rgb24" }
        add("animation.mov", FilmFile("qtrle", options: [("g", "12")])) { $0.pixelFormat = "rgb24" }
        add("sorenson.flv", FilmFile("flv", options: [("g", "12")]))
        add("wmv2.wmv", FilmFile("wmv2", options: [("g", "12")]))
        return kinds
    }()

    /// Returns the film of a name in ``kinds``.
    package static func kind(_ name: String) -> FilmFile {
        kinds.first { $0.name == name }?.film ?? h264(isOpen: false)
    }

    /// Films that were written for this process, by name.
    private static let written = Mutex<[String: String]>([:])

    /// The folder of ``written``, removed when the process ends.
    private static let folder: String = {
        let path = FileManager.default.temporaryDirectory.path + "/tutti-films-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: FilmFile.folder) }
        return path
    }()

    /// Returns the path of a film of ``kinds``, which is written once for all tests; do not change the file.
    package static func path(_ name: String) throws -> String {
        try written.withLock { written in
            if let path = written[name] { return path }
            let path = folder + "/" + name
            try kind(name).write(to: path)
            written[name] = path
            return path
        }
    }
}
