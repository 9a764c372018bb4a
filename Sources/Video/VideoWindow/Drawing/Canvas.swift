import CTuttiSDL

/// The drawing of one window: a picture, subtitles over it, black elsewhere. Belongs to the display thread.
///
/// SDL's setting for the conversion of planes is global. A renderer reads the setting when a texture is made (`opengl`),
/// or when the texture is drawn (`opengles2`), so the canvas sets it before both. (*Observed* with 2.26.5.)
final class Canvas {
    /// SDL's texture for pictures of the same form and size.
    private struct Texture {
        let pointer: OpaquePointer
        let form: TexturePlan.Form
        let size: PixelSize
    }

    /// The picture in the texture.
    private struct Content {
        let crop: PixelRect
        /// The shape to be drawn; upright if its pixels were turned on the way.
        let shape: PictureShape
        let storage: PixelSize
    }

    let renderer: ChosenRenderer
    private let library: SDLLibrary
    private var texture: Texture?
    private var content: Content?
    private var subtitles: (texture: OpaquePointer, image: SubtitleImage)?
    /// Pixels on their way to a rotation.
    private var turned: [UInt32] = []

    private var sdl: tutti_sdl_functions { library.functions }

    init(
        for window: OpaquePointer, renderer: VideoWindowOptions.Renderer, library: SDLLibrary
    ) throws(VideoWindowError) {
        self.library = library
        self.renderer = try ChosenRenderer(for: window, renderer, library: library)
    }

    /// Frees the renderer with its textures. The canvas must not be used afterwards.
    func close() { sdl.SDL_DestroyRenderer(renderer.pointer) }

    /// The size of the window in pixels.
    var size: PixelSize {
        var (width, height): (Int32, Int32) = (0, 0)
        _ = sdl.SDL_GetRendererOutputSize(renderer.pointer, &width, &height)
        return PixelSize(width: Int(max(1, width)), height: Int(max(1, height)))
    }

    // MARK: Pictures

    /// Moves a picture into the renderer's memory. After a failure there is no picture.
    func upload(_ picture: VideoPicture) throws(VideoWindowError) {
        content = nil
        let plan = TexturePlan(
            for: picture, turnsInHardware: !renderer.isSoftware, takesPlanes: renderer.takesPlanes)
        let texture = try texture(for: plan)
        switch plan.form {
        case .planes(let layout, _): try upload(planes: picture.planes, layout, to: texture)
        case .pixels: try upload(pixelsOf: picture, turning: plan.turnsPixels, to: texture)
        }
        let crop = plan.crop(of: picture)
        let shape = picture.shape
        content = Content(
            crop: crop, shape: plan.turnsPixels ? shape.upright : shape, storage: shape.storageSize)
    }

    func removePicture() {
        content = nil
        removeTexture()
    }

    /// Forgets all textures, whose contents the graphics hardware has lost.
    func removeTextures() {
        removePicture()
        setSubtitles(nil)
    }

    private func removeTexture() {
        if let texture { sdl.SDL_DestroyTexture(texture.pointer) }
        texture = nil
    }

    private func texture(for plan: TexturePlan) throws(VideoWindowError) -> OpaquePointer {
        if let texture, texture.form == plan.form, texture.size == plan.size { return texture.pointer }
        removeTexture()
        let format: UInt32 =
            switch plan.form {
            case .planes(let layout, let conversion):
                setConversion(conversion, format: layout.sdlFormat)
            case .pixels: renderer.pixelFormat
            }
        let made = sdl.SDL_CreateTexture(
            renderer.pointer, format, Int32(SDL_TEXTUREACCESS_STREAMING.rawValue), Int32(plan.size.width),
            Int32(plan.size.height))
        guard let made else { throw library.failure(of: "SDL_CreateTexture") }
        _ = sdl.SDL_SetTextureBlendMode(made, SDL_BLENDMODE_NONE)
        _ = sdl.SDL_SetTextureScaleMode(made, SDL_ScaleModeLinear)
        texture = Texture(pointer: made, form: plan.form, size: plan.size)
        return made
    }

    private func setConversion(_ conversion: TexturePlan.Conversion, format: UInt32?) -> UInt32 {
        sdl.SDL_SetYUVConversionMode(conversion.sdlMode)
        return format ?? renderer.pixelFormat
    }

    private func upload(
        planes: [VideoPicture.Plane], _ layout: VideoPicture.Layout, to texture: OpaquePointer
    ) throws(VideoWindowError) {
        let bytes = planes.map { $0.base.assumingMemoryBound(to: UInt8.self) }
        let pitches = planes.map { Int32($0.bytesPerRow) }
        let code =
            layout == .planar420
            ? sdl.SDL_UpdateYUVTexture(
                texture, nil, bytes[0], pitches[0], bytes[1], pitches[1], bytes[2], pitches[2])
            : sdl.SDL_UpdateNVTexture(texture, nil, bytes[0], pitches[0], bytes[1], pitches[1])
        guard code == 0 else { throw library.failure(of: "SDL_UpdateYUVTexture") }
    }

    private func upload(
        pixelsOf picture: VideoPicture, turning: Bool, to texture: OpaquePointer
    ) throws(VideoWindowError) {
        if picture.layout == .bgra, !turning {
            let plane = picture.planes[0]
            guard sdl.SDL_UpdateTexture(texture, nil, plane.base, Int32(plane.bytesPerRow)) == 0 else {
                throw library.failure(of: "SDL_UpdateTexture")
            }
            return
        }
        var pixels: UnsafeMutableRawPointer?
        var bytesPerRow: Int32 = 0
        guard sdl.SDL_LockTexture(texture, nil, &pixels, &bytesPerRow) == 0, let pixels else {
            throw library.failure(of: "SDL_LockTexture")
        }
        defer { sdl.SDL_UnlockTexture(texture) }
        let converter = ColorConverter(
            ColorCoefficients(picture.matrix, isFullRange: picture.isFullRange))
        guard turning else {
            return converter.convert(picture, to: pixels, bytesPerRow: Int(bytesPerRow))
        }
        let turn = PixelTurn(picture.orientation, width: picture.width, height: picture.height)
        if picture.layout == .bgra {
            let plane = picture.planes[0]
            return turn.copy(
                from: plane.base, bytesPerRow: plane.bytesPerRow, to: pixels,
                outputBytesPerRow: Int(bytesPerRow))
        }
        let count = picture.width * picture.height
        if turned.count < count { turned = [UInt32](repeating: 0, count: count) }
        turned.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            converter.convert(picture, to: base, bytesPerRow: picture.width * 4)
            turn.copy(
                from: base, bytesPerRow: picture.width * 4, to: pixels, outputBytesPerRow: Int(bytesPerRow))
        }
    }

    // MARK: Subtitles

    /// Replaces the subtitles over the picture.
    func setSubtitles(_ image: SubtitleImage?) {
        if let old = subtitles { sdl.SDL_DestroyTexture(old.texture) }
        subtitles = nil
        guard let image else { return }
        let made = sdl.SDL_CreateTexture(
            renderer.pointer, SDL_PIXELFORMAT_ARGB8888.rawValue, Int32(SDL_TEXTUREACCESS_STATIC.rawValue),
            Int32(image.place.width), Int32(image.place.height))
        guard let made else { return }
        _ = sdl.SDL_SetTextureBlendMode(made, SDL_BLENDMODE_BLEND)
        _ = sdl.SDL_SetTextureScaleMode(made, SDL_ScaleModeLinear)
        _ = sdl.SDL_UpdateTexture(made, nil, image.pixels, Int32(image.place.width * 4))
        subtitles = (made, image)
    }

    // MARK: Drawing

    /// Draws everything, not yet visibly.
    ///
    /// - Returns: The place of subtitles.
    func draw(gravity: VideoGravity) -> SubtitleViewport {
        let window = size
        _ = sdl.SDL_SetRenderDrawColor(renderer.pointer, 0, 0, 0, 255)
        _ = sdl.SDL_RenderClear(renderer.pointer)
        var viewport = SubtitleViewport(window: window)
        if let texture, let content {
            let placement = PicturePlacement(of: content.shape, in: window, gravity: gravity)
            viewport = SubtitleViewport(window: window, picture: placement.covered, storage: content.storage)
            draw(texture, content, at: placement)
        }
        if let subtitles {
            var place = subtitles.image.place(in: window).sdlRect
            _ = sdl.SDL_RenderCopy(renderer.pointer, subtitles.texture, nil, &place)
        }
        return viewport
    }

    private func draw(_ texture: Texture, _ content: Content, at placement: PicturePlacement) {
        if case .planes(_, let conversion) = texture.form { sdl.SDL_SetYUVConversionMode(conversion.sdlMode) }
        var crop = content.crop.sdlRect
        if placement.degrees == 0, !placement.isMirrored {
            var target = placement.covered.sdlRect
            _ = sdl.SDL_RenderCopy(renderer.pointer, texture.pointer, &crop, &target)
        } else {
            var target = placement.unrotated.sdlRect
            let flip = placement.isMirrored ? SDL_FLIP_HORIZONTAL : SDL_FLIP_NONE
            _ = sdl.SDL_RenderCopyExF(
                renderer.pointer, texture.pointer, &crop, &target, Double(placement.degrees), nil, flip)
        }
    }

    /// Makes the drawing visible; with a synchronized renderer after the display's refresh.
    func present() { sdl.SDL_RenderPresent(renderer.pointer) }

    /// Reads the drawing back, before it is presented.
    func readPixels() throws(VideoWindowError) -> WindowSnapshot {
        let size = size
        let bytesPerRow = size.width * 4
        var pixels = [UInt8](repeating: 0, count: bytesPerRow * size.height)
        let code = sdl.SDL_RenderReadPixels(
            renderer.pointer, nil, SDL_PIXELFORMAT_ARGB8888.rawValue, &pixels, Int32(bytesPerRow))
        guard code == 0 else { throw library.failure(of: "SDL_RenderReadPixels") }
        return WindowSnapshot(width: size.width, height: size.height, pixels: pixels)
    }
}

extension TexturePlan.Conversion {
    fileprivate var sdlMode: SDL_YUV_CONVERSION_MODE {
        switch self {
        case .bt601: SDL_YUV_CONVERSION_BT601
        case .bt709: SDL_YUV_CONVERSION_BT709
        case .fullRange601: SDL_YUV_CONVERSION_JPEG
        }
    }
}

extension PixelRect {
    fileprivate var sdlRect: SDL_Rect {
        SDL_Rect(
            x: Int32(clamping: x), y: Int32(clamping: y), w: Int32(clamping: width),
            h: Int32(clamping: height))
    }
}

extension PicturePlacement.FractionalRect {
    fileprivate var sdlRect: SDL_FRect {
        SDL_FRect(x: Float(x), y: Float(y), w: Float(width), h: Float(height))
    }
}
