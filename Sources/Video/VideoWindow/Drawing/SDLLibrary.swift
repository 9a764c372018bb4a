import CTuttiSDL

/// SDL2's functions.
struct SDLLibrary: @unchecked Sendable {
    // Safe to share: the table was written once, before it was returned.
    private let table: UnsafePointer<tutti_sdl_functions>

    /// The functions, each under its name in SDL.
    var functions: tutti_sdl_functions { table.pointee }

    /// Loads the library on the first call; takes some milliseconds then.
    static func load() throws(VideoWindowError) -> SDLLibrary {
        guard let table = tutti_sdl_load() else {
            throw .libraryMissing(String(cString: tutti_sdl_load_error()))
        }
        return SDLLibrary(table: table)
    }

    /// The failure of the calling thread's last call.
    func failure(of operation: String) -> VideoWindowError {
        let message = table.pointee.SDL_GetError().map { String(cString: $0) }
        return .failed(operation: operation, message: message ?? "")
    }
}
