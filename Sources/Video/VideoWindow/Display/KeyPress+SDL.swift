import CTuttiSDL

extension KeyPress {
    /// Returns `nil` for keys without a name here.
    init?(_ event: SDL_KeyboardEvent) {
        let keysym = event.keysym
        guard let key = Key(symbol: keysym.sym, place: keysym.scancode.rawValue) else { return nil }
        let modifiers = UInt32(keysym.mod)
        self.init(
            key, isShifted: modifiers & KMOD_SHIFT.rawValue != 0,
            isControlled: modifiers & KMOD_CTRL.rawValue != 0, isRepeat: event.repeat != 0)
    }
}

extension KeyPress.Key {
    /// Keys with a symbol of their own.
    private static let symbols: [(SDL_KeyCode, Self)] = [
        (SDLK_SPACE, .space), (SDLK_LEFT, .left), (SDLK_RIGHT, .right), (SDLK_UP, .up), (SDLK_DOWN, .down),
        (SDLK_ESCAPE, .escape), (SDLK_RETURN, .enter), (SDLK_KP_ENTER, .enter), (SDLK_TAB, .tab),
        (SDLK_BACKSPACE, .backspace), (SDLK_HOME, .home), (SDLK_END, .end), (SDLK_PAGEUP, .pageUp),
        (SDLK_PAGEDOWN, .pageDown), (SDLK_COMMA, .comma), (SDLK_LESS, .comma), (SDLK_PERIOD, .period),
        (SDLK_GREATER, .period), (SDLK_SLASH, .slash), (SDLK_LEFTBRACKET, .leftBracket),
        (SDLK_RIGHTBRACKET, .rightBracket), (SDLK_PLUS, .plus), (SDLK_EQUALS, .plus),
        (SDLK_KP_PLUS, .plus), (SDLK_MINUS, .minus), (SDLK_KP_MINUS, .minus), (SDLK_KP_0, .zero),
        (SDLK_KP_1, .one), (SDLK_KP_2, .two), (SDLK_KP_3, .three), (SDLK_KP_4, .four), (SDLK_KP_5, .five),
        (SDLK_KP_6, .six), (SDLK_KP_7, .seven), (SDLK_KP_8, .eight), (SDLK_KP_9, .nine),
    ]

    private static let bySymbol = Dictionary(
        symbols.map { (Int32(bitPattern: $0.0.rawValue), $0.1) }, uniquingKeysWith: { first, _ in first })

    /// - Parameters:
    ///   - symbol: SDL's key code, which follows the keyboard's layout.
    ///   - place: SDL's scan code, which follows the keyboard's hardware.
    init?(symbol: Int32, place: UInt32) {
        guard let key = Self.named(symbol) ?? Self.places[place] else { return nil }
        self = key
    }

    private static func named(_ symbol: Int32) -> Self? {
        if let key = bySymbol[symbol] { return key }
        // The symbol of a letter or digit is its character.
        guard let byte = UInt8(exactly: symbol), byte < 0x80 else { return nil }
        return Self(rawValue: String(UnicodeScalar(byte)))
    }

    /// Keys by their place, with the names of a US keyboard: for layouts with other letters, or with digits on
    /// shifted keys.
    private static let places: [UInt32: Self] = {
        var places: [UInt32: Self] = [
            SDL_SCANCODE_COMMA.rawValue: .comma, SDL_SCANCODE_PERIOD.rawValue: .period,
            SDL_SCANCODE_LEFTBRACKET.rawValue: .leftBracket,
            SDL_SCANCODE_RIGHTBRACKET.rawValue: .rightBracket,
            SDL_SCANCODE_MINUS.rawValue: .minus, SDL_SCANCODE_EQUALS.rawValue: .plus,
            SDL_SCANCODE_SLASH.rawValue: .slash,
        ]
        for (offset, letter) in "abcdefghijklmnopqrstuvwxyz".enumerated() {
            places[SDL_SCANCODE_A.rawValue + UInt32(offset)] = Self(rawValue: String(letter))
        }
        for (offset, digit) in "1234567890".enumerated() {
            places[SDL_SCANCODE_1.rawValue + UInt32(offset)] = Self(rawValue: String(digit))
        }
        return places
    }()
}
