import Foundation
import Testing
import TuttiTestSupport

@testable import AccessNotes

/// The compiler as the judge of names: it says nothing of a note that fits no declaration, but refuses every
/// `@objc` that no note takes away.
@Suite("Sources with @objc compile with the notes written for them", .tags(.machine))
struct CompiledWithNotesTests {
    /// No import, so that a run of the compiler takes a second.
    static let source = """
        class Root { init() {} }
        class Player: Root {
            @objc private(set) dynamic var isWaiting: Bool = false
            @objc dynamic var length = 1.0, map: [String: Int] = Dictionary<String, Int>(), share: Float
                = 0.5
            @objc var (first, second) = (1, 2)
            @objc(isSoFar) var soFar: Int { @objc(isSoFar2) get { 1 } @objc(setSoFar:) set {} }
            @objc lazy var late = 1
            @objc override init() {}
            @objc(other:) init?(other: Int) { nil }
            @objc init<T>(generic: T) {}
            @objc subscript(index: Int) -> Int { @objc get { 1 } @objc set {} }
            @objc subscript(at index: Int, other: Int) -> Int { 1 }
            @objc
            func play(_ name: String, at: Int, then body: @escaping (Int, Int) -> Void = { _, _ in }) {}
            @objc func play(_ name: Int) {}; @objc func play(_ name: Bool) {}
            @objc func `default`(`in` `for`: Int, wert ß: Int) async throws {}
            @objc func same<T: Comparable>(x: T, y: T) -> Bool where T: Hashable { x < y }
            @objc static func shared() -> Player { Player() }
            @objc class var kind: Int { 1 }
            #if DEBUG
            @objc var onlyInDebug = 1
            #else
            @objc var onlyInRelease = 1
            #endif
            struct Names { class Name { @objc var 名前 = "@objc \\(1 + [2, 3].count) {" } }
            @objc enum State: Int { case one, two }
        }
        extension Player.Names.Name { @objc func inExtension() {} }
        extension Module.Player { @objc func qualified() {} }
        typealias Alias = Player
        extension Alias { @objc(renamed) func throughAlias() {} }
        struct Box<T> { class Inner<U> { @objc var value = 1; @objc func take(_ t: T, u: U) {} } }
        extension Box<Int>.Inner { @objc func ofInt() {} }
        @objc protocol Follower: AnyObject { var name: Int { get }; @objc func follow() }
        @objc(Named) final class Follow: Root, Follower { @objc var name = 1; func follow() {} }
        @objc enum Kind: Int { @objc(kindA) case a; case b }
        @objc actor Actor { @objc func act() {} }
        final class Late: Player {
            @objc override func play(_ name: Int) {}
            @objc override dynamic var isWaiting: Bool { true }
        }
        """

    @Test("in every build", arguments: [[], ["-D", "DEBUG"]])
    func compiles(flags: [String]) throws {
        let folder = try MusicFolder()
        let notes = try folder.add(
            "notes.yaml", Array(AccessNotes([ObjCScanner.findings(in: Self.source)]).yaml.utf8))
        let source = try folder.add("Source.swift", Array(Self.source.utf8))
        let with = try Self.check(source, flags + ["-access-notes-path", notes])
        #expect(with == "")
        #expect(try Self.check(source, flags).contains("Objective-C interoperability is disabled"))
    }

    @Test("and a file without any note is understood as well")
    func empty() throws {
        let folder = try MusicFolder()
        let notes = try folder.add("notes.yaml", Array(AccessNotes([]).yaml.utf8))
        let source = try folder.add("Source.swift", Array("let a = 1".utf8))
        #expect(try Self.check(source, ["-access-notes-path", notes]) == "")
    }

    /// The compiler's diagnostics for a source.
    private static func check(_ source: String, _ flags: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "5", "-module-name", "Module",
                "-Xfrontend", "-Raccess-note", "-Xfrontend", "none",
            ] + flags + [source]
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
