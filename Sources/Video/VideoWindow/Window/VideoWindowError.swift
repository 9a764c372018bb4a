/// A failure to open or use a window. The description is a sentence for users.
public enum VideoWindowError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Neither `DISPLAY`, `WAYLAND_DISPLAY` nor `SDL_VIDEODRIVER` is set.
    case noDisplay
    /// SDL2 or one of its functions is missing; the loader's message.
    case libraryMissing(String)
    /// A function of SDL2 failed, with the library's message: the display does not answer or refuses.
    case failed(operation: String, message: String)
    /// The display went away while the process ran; no window can be opened any more.
    case displayLost
    /// The window is closed.
    case closed

    /// The sentence for users.
    public var description: String {
        switch self {
        case .noDisplay: "No display: set DISPLAY or WAYLAND_DISPLAY, or play with --no-video."
        case .libraryMissing(let message):
            "SDL2 is not usable (\(message)). Install libsdl2-2.0-0, or play with --no-video."
        case .failed(let operation, let message):
            "The display refused a window (\(operation): \(message)). Is DISPLAY right? "
                + "Without pictures: --no-video."
        case .displayLost: "The display went away. Start the program again for a window."
        case .closed: "The window is closed."
        }
    }
}
