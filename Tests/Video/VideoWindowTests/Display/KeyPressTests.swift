import Testing

@testable import VideoWindow

@Suite("Names of keys")
struct KeyPressTests {
    typealias Row = (name: String, symbol: Int32, place: UInt32, key: KeyPress.Key?)

    /// Symbols and places are SDL's, the places those of the USB HID usage tables.
    static let table: [Row] = [
        ("space", 0x20, 44, .space), ("a letter", 0x71, 20, .q), ("a digit", 0x35, 34, .five),
        ("escape", 0x1B, 41, .escape), ("left", 0x4000_0050, 80, .left), ("right", 0x4000_004F, 79, .right),
        ("plus of a US keyboard", 0x3D, 46, .plus), ("plus of a German keyboard", 0x2B, 48, .plus),
        ("a bracket", 0x5B, 47, .leftBracket), ("ü in a bracket's place", 0xFC, 47, .leftBracket),
        ("Cyrillic ф in the place of A", 0x444, 4, .a), ("& in the place of 1", 0x26, 30, .one),
        ("keypad 7", 0x4000_005F, 95, .seven), ("F1", 0x4000_003A, 58, nil),
        ("a lone modifier", 0x4000_00E1, 225, nil), ("no symbol", 0, 0, nil),
        ("a negative one", -1, 511, nil),
    ]

    @Test("a key has the name of its symbol, else of its place", arguments: table)
    func names(row: Row) { #expect(KeyPress.Key(symbol: row.symbol, place: row.place) == row.key) }
}
