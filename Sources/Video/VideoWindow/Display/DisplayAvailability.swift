import Glibc

/// Whether this process can expect a display.
enum DisplayAvailability {
    /// Variables that name a display, or a driver of SDL that needs none of them.
    private static let variables = [driverVariable, "WAYLAND_DISPLAY", "DISPLAY"]
    private static let driverVariable = "SDL_VIDEODRIVER"

    /// - Parameter environment: The value of a variable of the environment.
    static func isDisplayNamed(in environment: (String) -> String?) -> Bool {
        variables.contains { environment($0)?.isEmpty == false }
    }

    /// Whether the user chose a driver of SDL, perhaps one without a screen.
    static var isDriverNamed: Bool { variable(driverVariable)?.isEmpty == false }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Loads SDL2 only if a display is named.
    static func check() throws(VideoWindowError) -> SDLLibrary {
        guard isDisplayNamed(in: variable) else { throw .noDisplay }
        return try SDLLibrary.load()
    }
}
