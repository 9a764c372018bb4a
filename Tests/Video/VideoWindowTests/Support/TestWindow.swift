import Foundation
import VideoWindow

/// Windows without a display, or on a real one: TUTTI_VIDEO_TEST_RENDERER=opengl with DISPLAY set.
enum TestWindow {
    private static let renderer: VideoWindowOptions.Renderer = {
        if let name = ProcessInfo.processInfo.environment["TUTTI_VIDEO_TEST_RENDERER"] { return .named(name) }
        // Before SDL is loaded.
        setenv("SDL_VIDEODRIVER", "dummy", 1)
        return .software
    }()

    static var options: VideoWindowOptions {
        var options = VideoWindowOptions()
        options.renderer = renderer
        return options
    }

    static var isSoftware: Bool { renderer == .software }

    static func open(
        width: Int = 320, height: Int = 240, gravity: VideoGravity = .resizeAspect
    ) throws -> VideoWindow {
        var options = options
        options.gravity = gravity
        return try VideoWindow(title: "Test", size: PixelSize(width: width, height: height), options: options)
    }
}

extension WindowSnapshot {
    /// Red, green and blue.
    func rgb(_ x: Int, _ y: Int) -> [Int] {
        let color = color(x: x, y: y)
        return [Int(color.red), Int(color.green), Int(color.blue)]
    }

    /// Whether a pixel has this color, apart from a difference of each component.
    func isColor(_ expected: [Int], at x: Int, _ y: Int, within tolerance: Int = 1) -> Bool {
        zip(rgb(x, y), expected).allSatisfy { abs($0 - $1) <= tolerance }
    }

    /// The smallest rectangle around the pixels that are not black.
    var litArea: PixelRect? {
        var (left, top, right, bottom) = (width, height, -1, -1)
        for y in 0..<height {
            for x in 0..<width where rgb(x, y).contains(where: { $0 > 8 }) {
                (left, right) = (min(left, x), max(right, x))
                (top, bottom) = (min(top, y), max(bottom, y))
            }
        }
        guard right >= left else { return nil }
        return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
}
