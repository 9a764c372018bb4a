import Testing

@testable import AccessNotes

@Suite("Sources with unusual forms")
struct OddSourcesTests {
    private static func texts(_ source: String) -> [String] {
        ConditionalBlocks.compiled(of: SwiftLexer.tokens(of: source)).map(\.text)
    }

    static let blocks: [(source: String, texts: [String])] = [
        // A bracket on the line after a condition is not part of it.
        ("#if DEBUG\n(a)\n#endif", ["(", "a", ")"]), ("#if os(macOS)\n(a)\n#endif", []),
        ("#if os(iOS)\na\n#elseif DEBUG\n(b)\n#endif", ["(", "b", ")"]),
        ("#if DEBUG\n!a\n#else\n(b)\n#endif", ["!", "a", "(", "b", ")"]),
        ("#if DEBUG /* b */ // (c)\na\n#endif", ["a"]), ("#if DEBUG\r\n(a)\r\n#endif", ["(", "a", ")"]),
        ("#if os(macOS)\n#if DEBUG\na\n#else\nb\n#endif\nc\n#else\nd\n#endif", ["d"]),
        ("#if false\n#if true\na\n#endif\n#endif\nb", ["b"]),
        ("#if true\n#if false\na\n#else\nb\n#endif\n#else\nc\n#endif", ["b"]),
        ("#if (os(Linux))\na\n#endif", ["a"]), ("#if ((FLAG) && !(os(Linux)))\na\n#else\nb\n#endif", ["b"]),
        ("#if os(Linux) || FLAG && os(iOS)\na\n#else\nb\n#endif", ["a"]),
        ("#if (os(Linux) || FLAG) && os(iOS)\na\n#else\nb\n#endif", ["b"]),
        ("#if !(canImport(UIKit) || DEBUG)\na\n#else\nb\n#endif", ["a", "b"]),
        ("x = \"#if os(macOS)\"\na // #endif", ["x", "=", "", "a"]),
    ]

    @Test("keep what a build on Linux may compile", arguments: blocks)
    func conditional(source: String, texts: [String]) {
        #expect(Self.texts(source) == texts)
    }

    static let named: [(source: String, names: [String])] = [
        ("class A { @objc /* x */ // y\n func a() {} }", ["A.a()"]),
        ("class A {\r\n@objc\r\nfunc a() {}\r\n}", ["A.a()"]),
        ("\u{FEFF}class A { @objc func a(_: Int, b _: Int) {} }", ["A.a(_:b:)"]),
        ("class A { @objc static let a = 1, b = \"x, y\", c = \"\\(d, e)\" }", ["A.a", "A.b", "A.c"]),
        ("class A { @objc var a: Int { didSet {} }; @objc var b = 1 }", ["A.a", "A.b"]),
        (
            "class A { @objc func a() throws -> Int? { nil }\n @objc func b() async -> [String: Int] { [:] } }",
            ["A.a()", "A.b()"]
        ),
        ("struct S { enum E {} }\nextension S.E { class C { @objc func f() {} } }", ["S.E.C.f()"]),
        (
            "class A { @objc(x) @available(*, deprecated, message: \"@objc var z\") private(set) weak var a: A? }",
            ["A.a"]
        ),
        ("class A { @objc func a<T>(_ x: T) where T: B {} }", ["A.a(_:)"]),
        ("class A { @objc init!(a: Int) {} }", ["A.init(a:)"]),
        ("class A { #if DEBUG\n@objc\n#endif\nfunc a(b: Int) {} }", ["A.a(b:)"]),
        ("class A { #if os(macOS)\n@objc\n#endif\nfunc a(b: Int) {} }", []),
        ("class A { var x = /@objc var b/\n @objc var a = 1 }", ["A.a"]),
    ]

    @Test("have the names of their declarations", arguments: named)
    func names(source: String, names: [String]) {
        #expect(AccessNotes([ObjCScanner.findings(in: source)]).names == names)
    }

    @Test("are quoted by scalars, as a reader of YAML sees them")
    func quoting() {
        for (text, yaml) in [
            ("a'\u{301}b", "'a''\u{301}b'"), ("'\u{200D}'", "'''\u{200D}'''"), ("é\u{85}", "\"é\\x85\""),
            ("\"\u{301}\n", "\"\\\"\u{301}\\x0a\""),
        ] {
            let quoted = AccessNotes.quoted(text)
            #expect(quoted.unicodeScalars.elementsEqual(yaml.unicodeScalars), "\(quoted)")
        }
    }

    @Test(
        "have comments that end where Swift ends them",
        arguments: [
            ("/* /* */ a", []), ("a /**/ b", ["a", "b"]), ("//*\na", ["a"]), ("/*/ a */ b", ["b"]),
            ("a /* // */ b", ["a", "b"]), ("a // /*\nb", ["a", "b"]), ("a/*\n*/b", ["a", "b"]),
        ] as [(String, [String])])
    func comments(source: String, texts: [String]) {
        #expect(SwiftLexer.tokens(of: source).map(\.text) == texts)
    }
}
