import Foundation
import Testing
import TuttiFuzzBodies
import TuttiTestSupport

/// One recorded input of one fuzz target.
struct CorpusFile: Sendable, CustomTestStringConvertible {
    let target: FuzzTarget
    let url: URL

    var name: String { url.lastPathComponent }
    var isSeed: Bool { name.hasPrefix("seed-") }
    var testDescription: String { "\(target.rawValue)/\(name)" }

    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: url)) }

    /// Returns the inputs of one target; none without its folder.
    static func all(of target: FuzzTarget) -> [CorpusFile] {
        let folder = corpus.appendingPathComponent(target.rawValue)
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? []).filter { !$0.lastPathComponent.hasPrefix(".") }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }.map {
                CorpusFile(target: target, url: $0)
            }
    }

    static let all = FuzzTarget.allCases.flatMap(all)
    static let seeds = all.filter(\.isSeed)

    static let corpus = ProjectFolder.url(of: "Fuzz/Corpus")
}

@Suite("Corpus of the fuzz targets")
struct CorpusReplayTests {
    @Test("each target has seeds and fuzzer-found inputs", arguments: FuzzTarget.allCases)
    func filled(target: FuzzTarget) {
        let files = CorpusFile.all(of: target)
        #expect(files.contains { $0.isSeed })
        #expect(files.contains { !$0.isSeed })
    }

    @Test("each folder belongs to a target")
    func foldersAreKnown() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: CorpusFile.corpus.path)
        let names = Set(FuzzTarget.allCases.map(\.rawValue))
        #expect(Set(folders.filter { !$0.hasPrefix(".") }) == names)
    }

    @Test("each input satisfies every rule", arguments: CorpusFile.all)
    func replay(file: CorpusFile) throws {
        try file.target.run(file.bytes())
    }

    @Test("each truncated seed satisfies every rule", arguments: CorpusFile.seeds)
    func replayTruncated(file: CorpusFile) throws {
        let bytes = try file.bytes()
        for count in 0..<bytes.count {
            do {
                try file.target.run(Array(bytes.prefix(count)))
            } catch {
                Issue.record("\(count) bytes of \(file.testDescription): \(error)")
            }
        }
    }
}
