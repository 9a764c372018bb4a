import Testing

@testable import TuttiMusicLibrary

@Suite("The plan for a folder")
struct FolderPlanTests {
    private func stamp(_ number: Int64) -> FileStamp {
        FileStamp(size: number, modified: number, inode: number)
    }

    private func listing(_ names: [(String, Int64)]) -> FolderListing {
        var listing = FolderListing()
        for (name, number) in names {
            if let kind = FileKind(name: name) {
                listing.add(name, kind, stamp(number))
            } else {
                listing.addCover(name, stamp(number))
            }
        }
        return listing
    }

    private func known(_ name: String, _ number: Int64, hasParts: Bool = false) -> KnownFile {
        KnownFile(
            id: number, name: name, kind: FileKind(name: name) ?? .sound, stamp: stamp(number),
            hasParts: hasParts)
    }

    @Test("only what is new, changed or gone is work")
    func changes() {
        let plan = FolderPlan(
            listing([("new.mp3", 1), ("same.mp3", 2), ("changed.flac", 9), ("list.m3u", 4), ("x.txt", 5)]),
            known: [known("same.mp3", 2), known("changed.flac", 3), known("gone.mp3", 6)], coverStamp: nil)
        #expect(plan.sounds == ["changed.flac", "new.mp3"] && plan.playlists == ["list.m3u"])
        #expect(plan.gone.map(\.name) == ["gone.mp3"] && !plan.changesCover && !plan.isEmpty)
        #expect(plan.isNew("new.mp3") && !plan.isNew("changed.flac"))
    }

    @Test("an unchanged folder is no work")
    func unchanged() {
        let listing = listing([("a.mp3", 1), ("a.cue", 2), ("Cover.JPG", 3)])
        let plan = FolderPlan(
            listing, known: [known("a.mp3", 1), known("a.cue", 2)],
            coverStamp: FolderPlan.coverStamp(of: listing))
        #expect(plan.isEmpty)
    }

    @Test("any of size, time and inode is a change", arguments: 0..<3)
    func stamps(part: Int) {
        var other = stamp(1)
        switch part {
        case 0: other.size = 2
        case 1: other.modified = 2
        default: other.inode = 2
        }
        var listing = FolderListing()
        listing.add("a.mp3", .sound, other)
        #expect(FolderPlan(listing, known: [known("a.mp3", 1)], coverStamp: nil).sounds == ["a.mp3"])
    }

    @Test("a file whose facts the system refuses is not gone")
    func uncertain() {
        var listing = listing([])
        listing.uncertain = ["a.mp3"]
        #expect(FolderPlan(listing, known: [known("a.mp3", 1)], coverStamp: nil).isEmpty)
    }

    @Test("a changed cue sheet reads the files that it names, and those that it named")
    func cues() {
        var plan = FolderPlan(
            listing([("a.flac", 1), ("b.flac", 2), ("c.flac", 3), ("x.cue", 9)]),
            known: [
                known("a.flac", 1, hasParts: true), known("b.flac", 2), known("c.flac", 3), known("x.cue", 4),
            ],
            coverStamp: nil)
        plan.includeSounds(of: ["b.flac", "missing.flac"])
        #expect(plan.sounds == ["a.flac", "b.flac"])
    }

    @Test("the best cover counts, and its change is work")
    func covers() {
        let both = listing([("front.png", 1), ("cover.png", 2), ("folder.jpg", 3), ("back.jpg", 4)])
        #expect(both.cover?.name == "cover.png")
        let plan = FolderPlan(
            both, known: [], coverStamp: FolderPlan.coverStamp(of: listing([("cover.png", 1)])))
        #expect(plan.changesCover)
    }
}
