/// The commands by their names.
struct Command: Sendable {
    /// The end of a command.
    enum Answer: Sendable { case done, none }

    let name: String
    let count: ClosedRange<Int>
    /// Whether the command needs no password.
    let isOpen: Bool
    let run: @Sendable (inout CommandGroups, [String]) async throws -> Answer

    init(
        _ name: String, _ count: ClosedRange<Int> = 0...0, isOpen: Bool = false,
        _ run: @escaping @Sendable (inout CommandGroups, [String]) async throws -> Void
    ) {
        (self.name, self.count, self.isOpen) = (name, count, isOpen)
        self.run = { groups, arguments in
            try await run(&groups, arguments)
            return .done
        }
    }

    /// Makes a command that answers later, or not at all.
    init(
        unanswered name: String, _ count: ClosedRange<Int>, isOpen: Bool = false,
        _ run: @escaping @Sendable (inout CommandGroups, [String]) async throws -> Void
    ) {
        (self.name, self.count, self.isOpen) = (name, count, isOpen)
        self.run = { groups, arguments in
            try await run(&groups, arguments)
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
        [
            playback, options, queue, edits, playlists, database, pictures, outputs, partitions, connection,
            abilities,
        ].joined().map { ($0.name, $0) },
        uniquingKeysWith: { $1 })

    /// The most arguments of a command, which a line can hold.
    static let many = 256

    private static let playback = [
        Command("status") { groups, _ in try await groups.status.status(&groups.answer) },
        Command("currentsong") { groups, _ in try await groups.queue.currentSong(&groups.answer) },
        Command("stats") { groups, _ in await groups.status.statistics(&groups.answer) },
        Command("clearerror") { _, _ in },
        Command("play", 0...1) { try await $0.playback.play($1.first) },
        Command("playid", 0...1) { try await $0.playback.play(id: $1.first) },
        Command("pause", 0...1) { try await $0.playback.pause($1.first) },
        Command("stop") { groups, _ in try await groups.playback.stop() },
        Command("next") { groups, _ in try await groups.playback.next() },
        Command("previous") { groups, _ in try await groups.playback.previous() },
        Command("seek", 2...2) { try await $0.playback.seek($1[0], $1[1]) },
        Command("seekid", 2...2) { try await $0.playback.seek(id: $1[0], $1[1]) },
        Command("seekcur", 1...1) { try await $0.playback.seekCurrent($1[0]) },
    ]

    private static let options = [
        Command("repeat", 1...1) { try await $0.options.setRepeat($1[0]) },
        Command("random", 1...1) { try await $0.options.setRandom($1[0]) },
        Command("single", 1...1) { try await $0.options.setSingle($1[0]) },
        Command("consume", 1...1) { try $0.options.setConsume($1[0]) },
        Command("crossfade", 1...1) { try await $0.options.setCrossfade($1[0]) },
        Command("mixrampdb", 1...1) { try $0.options.setMixRamp(decibels: $1[0]) },
        Command("mixrampdelay", 1...1) { try $0.options.setMixRamp(delay: $1[0]) },
        Command("replay_gain_mode", 1...1) { try await $0.options.setReplayGain($1[0]) },
        Command("replay_gain_status") { groups, _ in groups.options.replayGain(&groups.answer) },
        Command("setvol", 1...1) { try await $0.options.setVolume($1[0]) },
        Command("volume", 1...1) { try await $0.options.changeVolume($1[0]) },
        Command("getvol") { groups, _ in groups.options.volume(&groups.answer) },
    ]

    private static let queue = [
        Command("playlist") { groups, _ in try await groups.queue.playlist(&groups.answer) },
        Command("playlistinfo", 0...1) { try await $0.queue.playlistInfo($1.first, &$0.answer) },
        Command("playlistid", 0...1) { try await $0.queue.playlistID($1.first, &$0.answer) },
        Command("playlistfind", 1...many) {
            try await $0.queue.playlistFind($1, isFolded: false, &$0.answer)
        },
        Command("playlistsearch", 1...many) {
            try await $0.queue.playlistFind($1, isFolded: true, &$0.answer)
        },
        Command("plchanges", 1...2) { try await $0.queue.changes($1, isBrief: false, &$0.answer) },
        Command("plchangesposid", 1...2) { try await $0.queue.changes($1, isBrief: true, &$0.answer) },
    ]

    private static let edits = [
        Command("add", 1...2) { try await $0.edits.add($1) },
        Command("addid", 1...2) { try await $0.edits.addID($1, &$0.answer) },
        Command("clear") { groups, _ in try await groups.edits.clear() },
        Command("delete", 1...1) { try await $0.edits.delete($1[0]) },
        Command("deleteid", 1...1) { try await $0.edits.delete(id: $1[0]) },
        Command("move", 2...2) { try await $0.edits.move($1[0], $1[1]) },
        Command("moveid", 2...2) { try await $0.edits.move(id: $1[0], $1[1]) },
        Command("swap", 2...2) { try await $0.edits.swap($1[0], $1[1]) },
        Command("swapid", 2...2) { try await $0.edits.swap(id: $1[0], $1[1]) },
        Command("shuffle", 0...1) { try await $0.edits.shuffle($1.first) },
        Command("prio", 2...many) { try await $0.edits.setPriority($1, isByID: false) },
        Command("prioid", 2...many) { try await $0.edits.setPriority($1, isByID: true) },
        Command("addtagid", 3...3) { try await $0.edits.refuseTags($1) },
        Command("cleartagid", 1...2) { try await $0.edits.refuseTags($1) },
        Command("rangeid", 2...2) { try await $0.edits.refuseRange($1[0]) },
    ]

    private static let playlists = [
        Command("listplaylists") { groups, _ in try await groups.playlists.list(&groups.answer) },
        Command("listplaylist", 1...1) {
            try await $0.playlists.listEntries($1[0], isDetailed: false, &$0.answer)
        },
        Command("listplaylistinfo", 1...1) {
            try await $0.playlists.listEntries($1[0], isDetailed: true, &$0.answer)
        },
        Command("load", 1...3) { try await $0.playlists.load($1) },
        Command("save", 1...1) { try await $0.playlists.save($1[0]) },
        Command("rm", 1...1) { try await $0.playlists.remove($1[0]) },
        Command("rename", 2...2) { try await $0.playlists.rename($1[0], to: $1[1]) },
        Command("playlistadd", 2...3) { try await $0.playlists.add($1) },
        Command("playlistclear", 1...1) { try await $0.playlists.clear($1[0]) },
        Command("playlistdelete", 2...2) { try await $0.playlists.delete($1[0], $1[1]) },
        Command("playlistmove", 3...3) { try await $0.playlists.move($1) },
        Command("searchaddpl", 2...many) { try await $0.playlists.addFound($1) },
    ]

    private static let database = [
        Command("lsinfo", 0...1) { try await $0.database.list($1.first ?? "", &$0.answer) },
        Command("listfiles", 0...1) { try await $0.database.listFiles($1.first ?? "", &$0.answer) },
        Command("listall", 0...1) {
            try await $0.database.listAll($1.first ?? "", isDetailed: false, &$0.answer)
        },
        Command("listallinfo", 0...1) {
            try await $0.database.listAll($1.first ?? "", isDetailed: true, &$0.answer)
        },
        Command("find", 1...many) { try await $0.database.find($1, isFolded: false, &$0.answer) },
        Command("search", 1...many) { try await $0.database.find($1, isFolded: true, &$0.answer) },
        Command("findadd", 1...many) { try await $0.database.findAdd($1, isFolded: false) },
        Command("searchadd", 1...many) { try await $0.database.findAdd($1, isFolded: true) },
        Command("list", 1...many) { try await $0.tags.listTag($1, &$0.answer) },
        Command("count", 1...many) { try await $0.tags.count($1, &$0.answer) },
        Command("update", 0...1) { groups, _ in groups.database.update(&groups.answer) },
        Command("rescan", 0...1) { groups, _ in groups.database.update(&groups.answer) },
        Command("readcomments", 1...1) { try await $0.database.readComments($1[0], &$0.answer) },
    ]

    private static let pictures = [
        Command("albumart", 2...2) {
            try await $0.pictures.picture($1[0], $1[1], withType: false, &$0.answer)
        },
        Command("readpicture", 2...2) {
            try await $0.pictures.picture($1[0], $1[1], withType: true, &$0.answer)
        },
        Command("binarylimit", 1...1, isOpen: true) { try $0.pictures.setPartSize($1[0]) },
    ]

    private static let outputs = [
        Command("outputs") { groups, _ in groups.outputs.outputs(&groups.answer) },
        Command("enableoutput", 1...1) { try await $0.outputs.switchOutput($1[0], .on) },
        Command("disableoutput", 1...1) { try await $0.outputs.switchOutput($1[0], .off) },
        Command("toggleoutput", 1...1) { try await $0.outputs.switchOutput($1[0], .toggle) },
        Command("outputset", 3...3) { try await $0.outputs.setOutput($1[0], $1[1], $1[2]) },
        Command("moveoutput", 1...1) { try await $0.outputs.moveOutput($1[0]) },
    ]

    private static let partitions = [
        Command("partition", 1...1) { try $0.partitions.choosePartition($1[0]) },
        Command("listpartitions") { groups, _ in groups.partitions.listPartitions(&groups.answer) },
        Command("newpartition", 1...1) { try await $0.partitions.makePartition($1[0]) },
        Command("delpartition", 1...1) { try await $0.partitions.removePartition($1[0]) },
    ]

    private static let connection = [
        Command("ping", isOpen: true) { _, _ in },
        Command("password", 1...1, isOpen: true) { try $0.permission.givePassword($1[0]) },
        Command(unanswered: "close", 0...0, isOpen: true) { groups, _ in await groups.answer.close() },
        Command(unanswered: "idle", 0...many) { try await $0.connection.idle($1, &$0.answer) },
        Command("commands", isOpen: true) { groups, _ in
            groups.permission.listCommands(allowed: true, &groups.answer)
        },
        Command("notcommands", isOpen: true) { groups, _ in
            groups.permission.listCommands(allowed: false, &groups.answer)
        },
        Command("tagtypes", 0...many, isOpen: true) { try $0.connection.tagTypes($1, &$0.answer) },
        Command("channels") { groups, _ in groups.messages.listChannels(&groups.answer) },
        Command("subscribe", 1...1) { try $0.messages.subscribe($1[0]) },
        Command("unsubscribe", 1...1) { try $0.messages.unsubscribe($1[0]) },
        Command("sendmessage", 2...2) { try $0.messages.sendMessage($1[0], $1[1]) },
        Command("readmessages") { groups, _ in groups.messages.readMessages(&groups.answer) },
    ]

    private static let abilities = [
        Command("urlhandlers", isOpen: true) { groups, _ in Abilities.listSchemes(&groups.answer) },
        Command("decoders", isOpen: true) { groups, _ in Abilities.listDecoders(&groups.answer) },
        Command("kill") { _, _ in try Abilities.refuseLocal() },
        Command("config") { _, _ in try Abilities.refuseLocal() },
        Command("sticker", 3...many) { _, _ in try Abilities.refuse("sticker database is disabled") },
        Command("mount", 0...2) { try Abilities.mount($1, &$0.answer) },
        Command("unmount", 1...1) { _, _ in try Abilities.refuseUnmount() },
        Command("listmounts") { groups, _ in Abilities.listMounts(&groups.answer) },
        Command("listneighbors") { _, _ in try Abilities.refuse("No neighbor plugin configured") },
    ]
}
