import Testing
import TuttiSystemIO

@Suite("Texts and names of stored files")
struct StoredTextsTests {
    static let names = [
        "", ".", "..", ".hidden", "Kitchen", "kitchen", "a/b", "a@b", "%", "%25", "é", "e\u{301}", "客厅", "~",
        " ",
        "a\u{0}b", "a\nb", "-rf", String(repeating: "ü", count: 300), String(repeating: "ü", count: 301),
    ]

    @Test("the file of any name is one plain file, and no two names share it")
    func fileNames() {
        var seen: Set<String> = []
        for name in Self.names {
            for instance in [nil, "", "1", "a@b"] as [String?] {
                let file = PrivateFolder.fileName(of: name, instance: instance)
                #expect(seen.insert(file).inserted, "\(name) \(instance ?? "-")")
                #expect((1...160).contains(file.utf8.count))
                #expect(!file.hasPrefix(".") && file.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F })
            }
        }
        #expect(PrivateFolder.fileName(of: "a@b", instance: "c") == "a%40b@c")
    }

    @Test("a long name always has the same file")
    func longNames() {
        let name = String(repeating: "Kitchen ", count: 100)
        let file = PrivateFolder.fileName(of: name, instance: nil)
        #expect(file == PrivateFolder.fileName(of: name, instance: nil))
        #expect(file.hasPrefix("Kitchen%20Kitchen") && file.contains("~"))
    }

    @Test(
        "a base folder is the variable's, else below the home, if they are absolute",
        arguments: [
            (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/tutti"), (["HOME": "/h"], "/h/.local/state/tutti"),
            (["XDG_STATE_HOME": "s", "HOME": "/h"], "/h/.local/state/tutti"),
            (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/tutti"), (["HOME": "h"], nil), ([:], nil),
            (["XDG_STATE_HOME": "/s"], "/s/tutti"),
        ] as [([String: String], String?)])
    func base(environment: [String: String], path: String?) {
        let folder = PrivateFolder.below(
            "XDG_STATE_HOME", or: ".local/state", "tutti", environment: environment)
        #expect(folder?.path == path)
    }

    @Test("every byte has two digits, in either case, and other texts are refused")
    func hex() {
        let all = (0...255).map { UInt8($0) }
        #expect(Hex.text(all).count == 512 && Hex.text([0, 15, 255]) == "000fff")
        #expect(Hex.bytes(Hex.text(all)) == all)
        #expect(Hex.bytes("aAfF09") == [0xAA, 0xFF, 0x09] && Hex.bytes("") == [])
        for text in ["a", "abc", "0g", "0x10", " 00", "-1", "\u{FF10}\u{FF10}", "e\u{301}0"] {
            #expect(Hex.bytes(text) == nil, "\(text)")
        }
    }

    @Test("equal values have equal bytes, with a line break at their end")
    func stableJSON() {
        let keys = (0..<40).map { "key \($0)" } + ["a/b", "ü", "\"", "\n"]
        var (first, second): ([String: Int], [String: Int]) = ([:], [:])
        for (index, key) in keys.enumerated() { first[key] = index }
        for (index, key) in keys.enumerated().reversed() { second[key] = index }
        let bytes = StableJSON.encode(first)
        #expect(bytes == StableJSON.encode(second) && bytes.last == 0x0A)
        #expect(String(decoding: bytes, as: UTF8.self).contains("\"a/b\""))
        #expect(StableJSON.decode([String: Int].self, bytes) == first)
    }

    @Test("bytes that are not the value's text decode to nothing")
    func damagedJSON() {
        let bytes = StableJSON.encode(["a": 1])
        for count in 0..<bytes.count - 2 {
            #expect(StableJSON.decode([String: Int].self, Array(bytes.prefix(count))) == nil)
        }
        #expect(StableJSON.decode([String: Int].self, bytes + [0x7D]) == nil)
        #expect(StableJSON.decode([String: Int].self, Array("{\"a\": \"1\"}".utf8)) == nil)
        #expect(StableJSON.decode([String: Int].self, [0xFF, 0xFE, 0x00]) == nil)
    }

    @Test("any byte survives percent coding")
    func percent() {
        for byte in UInt8.min ... .max {
            let coded = "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            #expect(PercentCoding.decode("a" + coded + "b") == [0x61, byte, 0x62])
        }
        let ascii = String(String.UnicodeScalarView((UInt8(0)..<128).map { Unicode.Scalar($0) }))
        for text in [ascii, "é", "e\u{301}", "\u{1F3B5}%"] {
            #expect(PercentCoding.decode(PercentCoding.encode(text) { _ in true }) == Array(text.utf8))
            #expect(PercentCoding.decode(PercentCoding.encode(text) { _ in false }) == Array(text.utf8))
        }
    }

    @Test(
        "a word for a shell keeps every character",
        arguments: [
            ("", "\"\""), ("!", "'!'"), ("~", "'~'"), ("\\", "'\\'"), ("a\nb", "'a\nb'"), ("'", "\"'\""),
            ("a'b$", "'a'\\''b$'"), ("½ ٣ 客", "\"½ ٣ 客\""), ("*?", "'*?'"), ("\u{202E}x", "'\u{202E}x'"),
        ])
    func shellWords(text: String, word: String) {
        #expect(ShellWord.quoted(text) == word)
    }
}
