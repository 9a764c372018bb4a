/// The commands by their names.
struct Command: Sendable {
    /// The end of a command.
    enum Answer: Sendable { case done, none }

    let name: String
    let count: ClosedRange<Int>
    /// Whether the command needs no password.
    let isOpen: Bool
    let run: @Sendable (ClientSession, [String]) async throws -> Answer

    init(
        _ name: String, _ count: ClosedRange<Int> = 0...0, isOpen: Bool = false,
        _ run: @escaping @Sendable (ClientSession, [String]) async throws -> Void
    ) {
        (self.name, self.count, self.isOpen) = (name, count, isOpen)
        self.run = { session, arguments in
            try await run(session, arguments)
            return .done
        }
    }

    /// Makes a command that answers later, or not at all.
    init(
        unanswered name: String, _ count: ClosedRange<Int>, isOpen: Bool = false,
        _ run: @escaping @Sendable (ClientSession, [String]) async throws -> Void
    ) {
        (self.name, self.count, self.isOpen) = (name, count, isOpen)
        self.run = { session, arguments in
            try await run(session, arguments)
            return .none
        }
    }

    /// Checks the number of arguments.
    func check(_ request: Request) throws(CommandError) {
        let given = request.arguments.count
        guard !count.contains(given) else { return }
        if count.lowerBound == count.upperBound {
            throw CommandError(.argument, "wrong number of arguments for \"\(name)\"")
        }
        throw CommandError(
            .argument, "too \(given < count.lowerBound ? "few" : "many") arguments for \"\(name)\"")
    }
}

/// The commands that are answered.
enum CommandTable {
    static let commands = Dictionary(
        (playback + options + queue + edits + playlists + database + outputs + partitions + connection)
            .map { ($0.name, $0) },
        uniquingKeysWith: { $1 })

    /// The most arguments of a command, which a line can hold.
    static let many = 256

    private static let playback = [
        Command("status") { session, _ in try await session.status() },
        Command("currentsong") { session, _ in try await session.currentSong() },
        Command("stats") { session, _ in try await session.statistics() },
        Command("clearerror") { _, _ in },
        Command("play", 0...1) { try await $0.play($1.first) },
        Command("playid", 0...1) { try await $0.play(id: $1.first) },
        Command("pause", 0...1) { try await $0.pause($1.first) },
        Command("stop") { session, _ in try await session.stop() },
        Command("next") { session, _ in try await session.next() },
        Command("previous") { session, _ in try await session.previous() },
        Command("seek", 2...2) { try await $0.seek($1[0], $1[1]) },
        Command("seekid", 2...2) { try await $0.seek(id: $1[0], $1[1]) },
        Command("seekcur", 1...1) { try await $0.seekCurrent($1[0]) },
    ]

    private static let options = [
        Command("repeat", 1...1) { try await $0.setRepeat($1[0]) },
        Command("random", 1...1) { try await $0.setRandom($1[0]) },
        Command("single", 1...1) { try await $0.setSingle($1[0]) },
        Command("consume", 1...1) { try await $0.setConsume($1[0]) },
        Command("crossfade", 1...1) { try await $0.setCrossfade($1[0]) },
        Command("mixrampdb", 1...1) { try await $0.setMixRamp(decibels: $1[0]) },
        Command("mixrampdelay", 1...1) { try await $0.setMixRamp(delay: $1[0]) },
        Command("replay_gain_mode", 1...1) { try await $0.setReplayGain($1[0]) },
        Command("replay_gain_status") { session, _ in await session.replayGain() },
        Command("setvol", 1...1) { try await $0.setVolume($1[0]) },
        Command("volume", 1...1) { try await $0.changeVolume($1[0]) },
        Command("getvol") { session, _ in await session.volume() },
    ]

    private static let queue = [
        Command("playlist") { session, _ in try await session.playlist() },
        Command("playlistinfo", 0...1) { try await $0.playlistInfo($1.first) },
        Command("playlistid", 0...1) { try await $0.playlistID($1.first) },
        Command("playlistfind", 1...many) { try await $0.playlistFind($1, isFolded: false) },
        Command("playlistsearch", 1...many) { try await $0.playlistFind($1, isFolded: true) },
        Command("plchanges", 1...2) { try await $0.changes($1, isBrief: false) },
        Command("plchangesposid", 1...2) { try await $0.changes($1, isBrief: true) },
    ]

    private static let edits = [
        Command("add", 1...2) { try await $0.add($1) },
        Command("addid", 1...2) { try await $0.addID($1) },
        Command("clear") { session, _ in try await session.clear() },
        Command("delete", 1...1) { try await $0.delete($1[0]) },
        Command("deleteid", 1...1) { try await $0.delete(id: $1[0]) },
        Command("move", 2...2) { try await $0.move($1[0], $1[1]) },
        Command("moveid", 2...2) { try await $0.move(id: $1[0], $1[1]) },
        Command("swap", 2...2) { try await $0.swap($1[0], $1[1]) },
        Command("swapid", 2...2) { try await $0.swap(id: $1[0], $1[1]) },
        Command("shuffle", 0...1) { try await $0.shuffle($1.first) },
        Command("prio", 2...many) { try await $0.setPriority($1, isByID: false) },
        Command("prioid", 2...many) { try await $0.setPriority($1, isByID: true) },
        Command("addtagid", 3...3) { try await $0.refuseTags($1) },
        Command("cleartagid", 1...2) { try await $0.refuseTags($1) },
        Command("rangeid", 2...2) { try await $0.refuseRange($1[0]) },
    ]

    private static let playlists = [
        Command("listplaylists") { session, _ in try await session.listPlaylists() },
        Command("listplaylist", 1...1) { try await $0.listPlaylist($1[0], isDetailed: false) },
        Command("listplaylistinfo", 1...1) { try await $0.listPlaylist($1[0], isDetailed: true) },
        Command("load", 1...3) { try await $0.load($1) },
        Command("save", 1...1) { try await $0.save($1[0]) },
        Command("rm", 1...1) { try await $0.removePlaylist($1[0]) },
        Command("rename", 2...2) { try await $0.renamePlaylist($1[0], to: $1[1]) },
        Command("playlistadd", 2...3) { try await $0.playlistAdd($1) },
        Command("playlistclear", 1...1) { try await $0.playlistClear($1[0]) },
        Command("playlistdelete", 2...2) { try await $0.playlistDelete($1[0], $1[1]) },
        Command("playlistmove", 3...3) { try await $0.playlistMove($1) },
    ]

    private static let database = [
        Command("lsinfo", 0...1) { try await $0.list($1.first ?? "") },
        Command("listfiles", 0...1) { try await $0.listFiles($1.first ?? "") },
        Command("listall", 0...1) { try await $0.listAll($1.first ?? "", isDetailed: false) },
        Command("listallinfo", 0...1) { try await $0.listAll($1.first ?? "", isDetailed: true) },
        Command("find", 1...many) { try await $0.find($1, isFolded: false) },
        Command("search", 1...many) { try await $0.find($1, isFolded: true) },
        Command("findadd", 1...many) { try await $0.findAdd($1, isFolded: false) },
        Command("searchadd", 1...many) { try await $0.findAdd($1, isFolded: true) },
        Command("searchaddpl", 2...many) { try await $0.searchAddToPlaylist($1) },
        Command("list", 1...many) { try await $0.listTag($1) },
        Command("count", 1...many) { try await $0.count($1) },
        Command("update", 0...1) { session, _ in await session.update() },
        Command("rescan", 0...1) { session, _ in await session.update() },
        Command("albumart", 2...2) { try await $0.picture($1[0], $1[1], withType: false) },
        Command("readpicture", 2...2) { try await $0.picture($1[0], $1[1], withType: true) },
        Command("readcomments", 1...1) { try await $0.readComments($1[0]) },
    ]

    private static let outputs = [
        Command("outputs") { session, _ in await session.outputs() },
        Command("enableoutput", 1...1) { try await $0.switchOutput($1[0], .on) },
        Command("disableoutput", 1...1) { try await $0.switchOutput($1[0], .off) },
        Command("toggleoutput", 1...1) { try await $0.switchOutput($1[0], .toggle) },
        Command("outputset", 3...3) { try await $0.setOutput($1[0], $1[1], $1[2]) },
    ]

    private static let partitions = [
        Command("partition", 1...1) { try await $0.choosePartition($1[0]) },
        Command("listpartitions") { session, _ in await session.listPartitions() },
        Command("newpartition", 1...1) { try await $0.makePartition($1[0]) },
        Command("delpartition", 1...1) { try await $0.removePartition($1[0]) },
        Command("moveoutput", 1...1) { try await $0.moveOutput($1[0]) },
    ]

    private static let connection = [
        Command("ping", isOpen: true) { _, _ in },
        Command("password", 1...1, isOpen: true) { try await $0.givePassword($1[0]) },
        Command(unanswered: "close", 0...0, isOpen: true) { session, _ in await session.close() },
        Command(unanswered: "idle", 0...many) { try await $0.idle($1) },
        Command("kill") { session, _ in try await session.refuseLocal() },
        Command("config") { session, _ in try await session.refuseLocal() },
        Command("commands", isOpen: true) { session, _ in await session.listCommands(allowed: true) },
        Command("notcommands", isOpen: true) { session, _ in await session.listCommands(allowed: false) },
        Command("tagtypes", 0...many, isOpen: true) { try await $0.tagTypes($1) },
        Command("urlhandlers", isOpen: true) { session, _ in await session.listSchemes() },
        Command("decoders", isOpen: true) { session, _ in await session.listDecoders() },
        Command("binarylimit", 1...1, isOpen: true) { try await $0.setBinaryLimit($1[0]) },
        Command("channels") { session, _ in await session.listChannels() },
        Command("subscribe", 1...1) { try await $0.subscribe($1[0]) },
        Command("unsubscribe", 1...1) { try await $0.unsubscribe($1[0]) },
        Command("sendmessage", 2...2) { try await $0.sendMessage($1[0], $1[1]) },
        Command("readmessages") { session, _ in await session.readMessages() },
        Command("sticker", 3...many) { session, _ in try await session.refuse("sticker database is disabled")
        },
        Command("mount", 0...2) { try await $0.mount($1) },
        Command("unmount", 1...1) { session, _ in try await session.refuseUnmount() },
        Command("listmounts") { session, _ in await session.listMounts() },
        Command("listneighbors") { session, _ in try await session.refuse("No neighbor plugin configured") },
    ]
}
