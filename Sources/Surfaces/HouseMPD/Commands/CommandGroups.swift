/// The groups of commands of one client, and the answers that they write. A value: the session hands it to each
/// command of ``CommandTable``, which finds its group here.
struct CommandGroups: Sendable {
    var answer: AnswerWriter

    // The client
    let connection: ConnectionCommands
    var permission: PermissionCommands
    let messages: MessageCommands

    // Its zone
    let playback: PlaybackCommands
    let options: OptionCommands
    let status: StatusCommands
    let queue: QueueCommands
    let edits: QueueEditCommands
    let outputs: OutputCommands
    let partitions: PartitionCommands

    // The library
    let database: DatabaseCommands
    let tags: TagCommands
    var pictures: PictureCommands
    let playlists: PlaylistCommands

    init(_ core: ServerCore, _ client: Client) {
        let zone = ClientZone(core: core, client: client)
        let library = ClientLibrary(cache: core.catalogue, searches: core.searches, client: client)
        let stored = StoredPlaylists(house: core.house, library: core.library, edits: core.playlistEdits)
        answer = AnswerWriter(client)
        connection = ConnectionCommands(client: client)
        permission = PermissionCommands(password: core.password)
        messages = MessageCommands(core: core, client: client, zone: zone)
        playback = PlaybackCommands(core: core, zone: zone)
        options = OptionCommands(core: core, zone: zone)
        status = StatusCommands(core: core, zone: zone, library: library)
        queue = QueueCommands(core: core, zone: zone, library: library)
        edits = QueueEditCommands(zone: zone, library: library)
        outputs = OutputCommands(core: core, zone: zone)
        partitions = PartitionCommands(core: core, client: client, zone: zone)
        database = DatabaseCommands(core: core, zone: zone, library: library, playlists: stored)
        tags = TagCommands(library: library)
        pictures = PictureCommands(pictures: core.library, library: library)
        playlists = PlaylistCommands(core: core, zone: zone, library: library, playlists: stored)
    }
}
