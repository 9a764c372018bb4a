import CTuttiSDL

/// A renderer of SDL for one window, and its abilities. Belongs to the display thread.
struct ChosenRenderer {
    let pointer: OpaquePointer
    let name: String
    /// Whether presentations wait for the display's refresh.
    let isSynchronized: Bool
    /// Whether the processor draws, so that rotations and SDL's conversions are slow.
    let isSoftware: Bool
    private let formats: Set<UInt32>

    /// The format of BGRA pixels whose fourth byte does not count, if the renderer has one.
    var pixelFormat: UInt32 {
        let opaque = SDL_PIXELFORMAT_RGB888.rawValue
        return formats.contains(opaque) ? opaque : SDL_PIXELFORMAT_ARGB8888.rawValue
    }

    /// Whether the hardware converts planes of this layout.
    func takesPlanes(_ layout: VideoPicture.Layout) -> Bool {
        guard !isSoftware, let format = layout.sdlFormat else { return false }
        return formats.contains(format)
    }

    /// Makes the window's renderer.
    init(
        for window: OpaquePointer, _ wanted: VideoWindowOptions.Renderer, library: SDLLibrary
    ) throws(VideoWindowError) {
        let sdl = library.functions
        let hardware = SDL_RENDERER_ACCELERATED.rawValue | SDL_RENDERER_PRESENTVSYNC.rawValue
        var pointer: OpaquePointer?
        switch wanted {
        case .automatic:
            pointer = sdl.SDL_CreateRenderer(window, -1, hardware)
            if let made = pointer, Self.drawsOnProcessor(sdl) {
                sdl.SDL_DestroyRenderer(made)
                pointer = nil
            }
        case .software: break
        case .named(let name):
            _ = sdl.SDL_SetHint(SDL_HINT_RENDER_DRIVER, name)
            pointer = sdl.SDL_CreateRenderer(window, -1, hardware)
            _ = sdl.SDL_SetHint(SDL_HINT_RENDER_DRIVER, "")
        }
        pointer = pointer ?? sdl.SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE.rawValue)
        guard let pointer else { throw library.failure(of: "SDL_CreateRenderer") }
        self.pointer = pointer
        var info = SDL_RendererInfo()
        _ = sdl.SDL_GetRendererInfo(pointer, &info)
        name = info.name.map { String(cString: $0) } ?? ""
        isSoftware = info.flags & SDL_RENDERER_SOFTWARE.rawValue != 0
        // SDL also sets the flag when it only imitates the wait for the display by a timer.
        isSynchronized =
            info.flags & SDL_RENDERER_PRESENTVSYNC.rawValue != 0 && !isSoftware
            && (!name.hasPrefix("opengl") || sdl.SDL_GL_GetSwapInterval() != 0)
        formats = withUnsafeBytes(of: info.texture_formats) { bytes in
            Set(bytes.bindMemory(to: UInt32.self).prefix(Int(info.num_texture_formats)))
        }
    }

    /// Whether the current OpenGL context imitates hardware on the processor. SDL's own software renderer and our
    /// conversion take a fraction of its time.
    private static func drawsOnProcessor(_ sdl: tutti_sdl_functions) -> Bool {
        // Wayland has no software renderer in SDL2: it draws through OpenGL in any case.
        let driver = sdl.SDL_GetCurrentVideoDriver().map { String(cString: $0) }
        guard driver == "x11", let address = sdl.SDL_GL_GetProcAddress("glGetString") else { return false }
        typealias GetString = @convention(c) (UInt32) -> UnsafePointer<CChar>?
        let nameOfRenderer: UInt32 = 0x1F01
        guard let text = unsafeBitCast(address, to: GetString.self)(nameOfRenderer) else { return false }
        let name = String(cString: text).lowercased()
        return ["llvmpipe", "softpipe", "software", "swrast"].contains { name.contains($0) }
    }
}

extension VideoPicture.Layout {
    /// SDL's format of the planes; `nil` for pixels.
    var sdlFormat: UInt32? {
        switch self {
        case .planar420: SDL_PIXELFORMAT_IYUV.rawValue
        case .biplanar420: SDL_PIXELFORMAT_NV12.rawValue
        case .bgra: nil
        }
    }
}
