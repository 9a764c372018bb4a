import Testing

@testable import AccessNotes

@Suite("Scanner for @objc")
struct ObjCScannerTests {
    private static func names(_ source: String) -> [String] {
        AccessNotes([ObjCScanner.findings(in: source)]).names
    }

    static let named: [(source: String, names: [String])] = [
        ("class A { @objc private(set) dynamic var a: Bool = false }", ["A.a"]),
        ("class A { @objc dynamic var a = 1, b = f(1, 2), c: [Int: Int] = [1: 2] }", ["A.a", "A.b", "A.c"]),
        (
            "class A { @objc var a: Map<Int, Int> = Map<Int, Int>(), b = 2\n func c(d: Int, e: Int) {} }",
            ["A.a", "A.b"]
        ),
        ("class A { @objc var a = x\n  .map { $0 }, b = 2\n  @IBAction func c() {} }", ["A.a", "A.b"]),
        ("class A { @objc var (a, (b, _)) = (1, (2, 3)) }", ["A.a", "A.b"]),
        ("class A { @objc let a: Int; var b, c: Int }", ["A.a"]),
        ("class A { @objc(other:name:) func a(_ b: Int, c d: String) -> Int { 1 } }", ["A.a(_:c:)"]),
        ("class A {\n @objc\n @available(iOS 13, *)\n public\n func a() {} }", ["A.a()"]),
        ("class A { @available(iOS 13, *) @MainActor @objc static func a() async throws {} }", ["A.a()"]),
        ("class A { @objc class func a() {}; @objc class var b: Int { 1 } }", ["A.a()", "A.b"]),
        (
            "class A { @objc func a<T: B<C>>(x: T, y: (Int, Int) -> D<Int, Int>) where T: E {} }",
            ["A.a(x:y:)"]
        ),
        ("class A { @objc func a(b: Int = f(1, 2), c: Bool = d < e, g: Int...) {} }", ["A.a(b:c:g:)"]),
        ("class A { @objc func a(@B(c: 1) b: @escaping () -> Void, _: inout Int) {} }", ["A.a(b:_:)"]),
        ("class A { @objc func `default`(`in` `for`: Int) {} }", ["A.default(in:)"]),
        (
            "class A { @objc init?(a: Int) {}; @objc init<T>(b: T) {}; @objc init() {} }",
            ["A.init(a:)", "A.init(b:)", "A.init()"]
        ),
        (
            "class A { @objc subscript(a: Int) -> Int { 1 }; @objc subscript(at a: Int, b: Int) -> Int { 1 } }",
            ["A.subscript(_:)", "A.subscript(at:_:)"]
        ),
        (
            "class A { @objc var a: Int { @objc(isA) get { 1 } @objc(setA:) set {} } }",
            ["A.a", "getter:A.a()", "setter:A.a(_:)"]
        ),
        (
            "class A { subscript(a: Int, b c: Int) -> Int { @objc get { 1 } @objc set {} } }",
            ["getter:A.subscript(_:b:)", "setter:A.subscript(_:b:)"]
        ),
        (
            "@objc class A {}\n@objc(B) final class C: D {}\n@objc enum E: Int { @objc(f) case f, g = 2 }",
            ["A", "C", "E", "E.f", "E.g"]
        ),
        ("@objc protocol A: B { func a(); @objc func c() }", ["A", "A.c()"]),
        (
            "class A { struct B { enum C { class D { @objc var a = 1 } } }; @objc var e = 1 }",
            ["A.B.C.D.a", "A.e"]
        ),
        (
            "class A<T> where T: B { @objc var a = 1 }\nextension A where T == Int { @objc func b() {} }",
            ["A.a", "A.b()"]
        ),
        (
            "extension A.B<Int>.C: D { @objc func a() {}; class E { @objc var f = 1 } }",
            ["A.B.C.a()", "B.C.a()", "A.B.C.E.f", "B.C.E.f"]
        ),
        ("class A { class B {} }\nextension A.B { @objc func a() {} }", ["A.B.a()"]),
        ("typealias A = B<Int>\nextension A { @objc func a() {} }", ["B.a()"]),
        ("class A { class B {}; typealias C = B }\nextension A.C { @objc func a() {} }", ["A.B.a()"]),
        ("typealias A = B\ntypealias B = A\nextension A { @objc func a() {} }", ["A.a()"]),
        (
            "#if X\ntypealias A = B\n#else\ntypealias A = C\n#endif\nextension A { @objc func a() {} }",
            ["B.a()", "C.a()"]
        ),
        (
            "class A {\n #if X\n @objc\n #endif\n func a() {}\n #if os(iOS)\n @objc var b = 1\n #endif\n }",
            ["A.a()"]
        ),
        ("class A { @objc func a(_ x: Int) {}; @objc func a(_ x: Bool) {} }", ["A.a(_:)"]),
        ("class A { func f(class name: Int, extension: Int) { if x { } }; @objc var a = 1 }", ["A.a"]),
        ("class A { let b = { (x: Int) in x }; var c = B() { 1 }; @objc var a = 1 }", ["A.a"]),
        (
            "actor A { @objc func a() {} }\nlet actor = A(); struct B: C { @objc var d: Int { 1 } }",
            ["A.a()", "B.d"]
        ),
        (
            "// @objc var a\nlet b = \"@objc var c\"; class A { /* @objc */ var d = \"\"\"\n @objc var e\n \"\"\" }",
            []
        ),
        ("class A { @nonobjc func a() {}; dynamic var b = 1; @objcName var c = 1 }", []),
        ("class Ä { @objc func ö(ü: Int) {}; @objc var 名前 = 1 }", ["Ä.ö(ü:)", "Ä.名前"]),
        ("class A { var b: @Sendable () -> Void { {} }; @objc var a = 1 }", ["A.a"]),
        ("protocol A { var b: Int { get set }; func c() }\nclass D: A { @objc var b = 1 }", ["D.b"]),
    ]

    @Test("is named as access notes want it", arguments: named)
    func names(source: String, names: [String]) {
        #expect(Self.names(source) == names)
        #expect(ObjCScanner.findings(in: source).warnings.filter { !$0.text.contains("classes only") } == [])
    }

    static let unnamed: [(source: String, line: Int, word: String)] = [
        ("func f() {\n class A { @objc var a = 1 } }", 2, "function"),
        ("let f = {\n class A { @objc var a = 1 } }()", 2, "function"),
        ("class B { var f: Int {\n class A { @objc var a = 1 } } }", 2, "function"),
        ("class B { init() {\n @objc class A {} } }", 2, "function"),
        ("class A {\n\n @objc deinit {} }", 3, "deinitializer"),
        ("class A { @objc static func == (a: A, b: A) -> Bool { true } }", 1, "spell"),
        ("class A { @objc var `two words` = 1 }", 1, "spell"),
        ("class A { @objc func a(`two words`: Int) {} }", 1, "spell"),
        ("class A { @objc func `init`() {} }", 1, "spell"),
        ("class `two words` { @objc var a = 1 }", 1, "spell"),
        ("extension [Int] { @objc var a: Int { 1 } }", 1, "spell"),
        ("class A {}\n@objc extension A { func a() {} }", 2, "extension"),
        ("@objcMembers class A {}", 1, "@objcMembers"),
        ("class A { @IBOutlet var a: B! }", 1, "@IBOutlet"),
        ("let a =\n #selector(A.a)", 2, "#selector"),
        ("f(\n #keyPath(A.a))", 2, "#keyPath"),
        ("let a = \"\\(#selector(b))\"", 1, "#selector"),
        ("@objc protocol A: B {\n @objc optional func a() }", 2, "optional"),
        ("protocol A: B {\n optional var a: Int { get } }", 2, "optional"),
        ("@objc protocol A { }", 1, "AnyObject"),
    ]

    @Test("or told of with its line, where it has no way out", arguments: unnamed)
    func warnings(source: String, line: Int, word: String) throws {
        let warnings = ObjCScanner.findings(in: source).warnings
        #expect(warnings.map(\.line) == [line])
        #expect(warnings.first?.text.contains(word) == true)
    }

    @Test("is found in time that grows with the source alone")
    func largeSources() {
        let count = 5_000
        let sources = [
            String(repeating: "class A { ", count: count) + "@objc var a = 1",
            String(repeating: "@objc ", count: count),
            "class A { @objc var a = 1" + String(repeating: ", b = 1", count: count),
            String(repeating: "\"\\(", count: count), String(repeating: "#if (", count: count),
            String(repeating: "func f<(", count: count), String(repeating: "/*", count: count),
        ]
        for source in sources { #expect(Self.names(source).count <= 2) }
    }
}
