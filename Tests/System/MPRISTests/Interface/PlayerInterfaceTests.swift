import Testing
import TuttiDBus

@testable import TuttiMPRIS

private let root = "org.mpris.MediaPlayer2"
private let player = "org.mpris.MediaPlayer2.Player"
private let list = "org.mpris.MediaPlayer2.TrackList"
private let properties = "org.freedesktop.DBus.Properties"
private let start = SuspendingClock.now

/// A player at 10 s of a track of 100 s, the first of three.
func makeState() -> PlayerState {
    var state = PlayerState(identity: "Kitchen")
    state.schemes = ["file", "https"]
    var track = PlayerTrack(id: "/t/1")
    (track.title, track.artists, track.length) = ("Song", ["Singer"], 100)
    state.tracks = [track, PlayerTrack(id: "/t/2"), PlayerTrack(id: "/t/3")]
    state.track = track
    state.playback = .playing
    state.position = PlayerPosition(seconds: 10, at: start, rate: 1)
    (state.loop, state.isShuffled, state.volume) = (PlayerState.Loop.none, false, 0.5)
    state.rates = 0.5...2
    (state.canGoNext, state.canGoPrevious, state.canPlay) = (true, true, true)
    (state.canPause, state.canSeek, state.canEditTracks) = (true, true, true)
    return state
}

private func call(
    _ interface: String?, _ member: String, _ arguments: [BusValue] = [],
    path: String = "/org/mpris/MediaPlayer2", after seconds: Int = 0, _ state: PlayerState = makeState()
) -> PlayerAction {
    PlayerInterface(state).handle(
        BusCall(path: path, interface: interface, member: member, arguments: arguments),
        at: start + .seconds(seconds))
}

private func failure(_ action: PlayerAction) -> String? {
    if case .reply(.failure(let failure)) = action {
        failure.name.replacing("org.freedesktop.DBus.Error.", with: "")
    } else {
        nil
    }
}

private func value(_ action: PlayerAction) -> BusValue? {
    if case .reply(.values(let values)) = action { values.first } else { nil }
}

@Suite struct PlayerInterfaceTests {
    @Test(
        "a button is a command",
        arguments: [
            ("Next", PlayerCommand.next), ("Previous", .previous), ("Pause", .pause), ("Play", .play),
            ("PlayPause", .playPause), ("Stop", .stop),
        ])
    func buttons(_ member: String, _ command: PlayerCommand) {
        #expect(call(player, member) == .perform(command))
        // A caller may leave the interface out.
        #expect(call(nil, member) == .perform(command))
    }

    @Test("a button that the player cannot obey has no effect, and PlayPause says so")
    func noEffect() {
        var state = makeState()
        (state.canGoNext, state.canGoPrevious, state.canPlay, state.canPause) = (false, false, false, false)
        for member in ["Next", "Previous", "Pause", "Play"] {
            #expect(call(player, member, [], state) == .done)
        }
        #expect(failure(call(player, "PlayPause", [], state)) == "NotSupported")
    }

    @Test("Seek counts from the present position")
    func seek() {
        #expect(call(player, "Seek", [.int64(5_000_000)], after: 3) == .perform(.seek(seconds: 18)))
        #expect(call(player, "Seek", [.int64(-60_000_000)]) == .perform(.seek(seconds: 0)))
        #expect(call(player, "Seek", [.int64(.min)]) == .perform(.seek(seconds: 0)))
    }

    @Test("Seek beyond the end is the next track, or the end of the last one")
    func seekBeyond() {
        #expect(call(player, "Seek", [.int64(.max)]) == .perform(.next))
        var state = makeState()
        state.canGoNext = false
        #expect(call(player, "Seek", [.int64(.max)], state) == .perform(.seek(seconds: 100)))
        state.canSeek = false
        #expect(call(player, "Seek", [.int64(1)], state) == .done)
    }

    @Test("SetPosition moves within the current track only")
    func setPosition() {
        let (this, other) = (BusValue.objectPath("/t/1"), BusValue.objectPath("/t/2"))
        #expect(call(player, "SetPosition", [this, .int64(1_500_000)]) == .perform(.seek(seconds: 1.5)))
        for arguments in [[this, .int64(-1)], [this, .int64(100_000_001)], [other, .int64(0)]] {
            #expect(call(player, "SetPosition", arguments) == .done)
        }
    }

    @Test("OpenUri takes addresses of the player's kinds")
    func open() {
        #expect(call(player, "OpenUri", [.string("FILE:///a")]) == .perform(.open(address: "FILE:///a")))
        for address in ["ftp://a", "nonsense", "", "file"] {
            #expect(failure(call(player, "OpenUri", [.string(address)])) == "InvalidArgs")
        }
        let long = "file:///" + String(repeating: "a", count: 5_000)
        #expect(failure(call(player, "OpenUri", [.string(long)])) == "InvalidArgs")
    }

    @Test("a missing object, interface, method or property is refused by its kind")
    func unknown() {
        #expect(failure(call(player, "Dance")) == "UnknownMethod")
        #expect(failure(call(nil, "Dance")) == "UnknownMethod")
        #expect(failure(call("a.b", "Next")) == "UnknownMethod")
        #expect(failure(call(player, "Next", path: "/nowhere")) == "UnknownObject")
        #expect(failure(call(player, "Next", path: "/org")) == "UnknownMethod")
        let get: [BusValue] = [.string(player), .string("Nothing")]
        #expect(failure(call(properties, "Get", get)) == "UnknownProperty")
        #expect(failure(call(properties, "GetAll", [.string("a.b")])) == "UnknownInterface")
        var state = makeState()
        state.tracks = nil
        #expect(failure(call(list, "GoTo", [.objectPath("/t/1")], state)) == "UnknownMethod")
    }

    @Test(
        "arguments of wrong types are refused",
        arguments: [
            (player, "Next", [BusValue.int32(1)]), (player, "Seek", [.int32(1)]), (player, "Seek", []),
            (player, "SetPosition", [.string("/t/1"), .int64(0)]), (list, "GoTo", [.string("/t/1")]),
            (properties, "Get", [.string(player)]),
            (properties, "Set", [.string(player), .string("Volume"), .double(1)]),
        ])
    func wrongTypes(_ interface: String, _ member: String, _ arguments: [BusValue]) {
        #expect(failure(call(interface, member, arguments)) == "InvalidArgs")
    }

    @Test("a call whose arguments were too large is refused")
    func tooLarge() {
        var call = BusCall(path: "/org/mpris/MediaPlayer2", interface: list, member: "GetTracksMetadata")
        (call.signature, call.arguments) = ("ao", nil)
        #expect(failure(PlayerInterface(makeState()).handle(call, at: start)) == "InvalidArgs")
    }

    @Test("a refusal repeats a caller's text briefly and without control characters")
    func quoting() {
        #expect(PlayerInterface.quoted("a\u{1b}[2Jb\n") == "“a?[2Jb?”")
        #expect(PlayerInterface.quoted(String(repeating: "a", count: 500)).count == 82)
    }
}

@Suite struct PlayerPropertiesTests {
    private func get(_ interface: String, _ name: String, after seconds: Int = 0) -> BusValue? {
        value(call(properties, "Get", [.string(interface), .string(name)], after: seconds))
    }

    private func set(_ name: String, _ value: BusValue, _ state: PlayerState = makeState()) -> PlayerAction {
        call(properties, "Set", [.string(player), .string(name), .variant(value)], state)
    }

    @Test("every declared property has a value of its declared type")
    func declarations() throws {
        var state = makeState()
        state.desktopEntry = "tutti"
        for interface in [InterfaceDeclaration.root, .player, .trackList] {
            let values = try #require(state.values(of: interface.name, at: start))
            #expect(Set(values.keys) == Set(interface.properties.map(\.name)))
            for property in interface.properties {
                #expect(values[property.name]?.typeSignature == property.type, "\(property.name)")
            }
        }
    }

    @Test("GetAll and Get tell the same")
    func getAll() throws {
        let all = try #require(value(call(properties, "GetAll", [.string(player)])))
        let volume = BusValue.entry(.string("Volume"), .variant(.double(0.5)))
        #expect(all.elements?.contains(volume) == true)
        #expect(get(player, "Volume") == .variant(.double(0.5)))
        #expect(get("", "Volume") == .variant(.double(0.5)))
        #expect(get(root, "Identity") == .variant(.string("Kitchen")))
        #expect(value(call(properties, "GetAll", [.string(properties)])) == .properties([:]))
    }

    @Test("Position is computed, and ends with the track")
    func position() {
        #expect(get(player, "Position", after: 5) == .variant(.int64(15_000_000)))
        #expect(get(player, "Position", after: 500) == .variant(.int64(100_000_000)))
    }

    @Test("a property is set within its limits")
    func setting() {
        #expect(set("Volume", .double(-3)) == .perform(.setVolume(0)))
        #expect(set("Volume", .double(7)) == .perform(.setVolume(1)))
        #expect(set("Shuffle", .boolean(true)) == .perform(.setShuffle(true)))
        #expect(set("LoopStatus", .string("Track")) == .perform(.setLoop(.track)))
        #expect(set("Rate", .double(1.5)) == .perform(.setRate(1.5)))
        #expect(set("Rate", .double(0)) == .perform(.pause))
        for rate in [3, 0.1, -1, .nan, .infinity] {
            #expect(failure(set("Rate", .double(rate))) == "InvalidArgs")
        }
        #expect(failure(set("Volume", .double(.nan))) == "InvalidArgs")
        #expect(failure(set("LoopStatus", .string("Never"))) == "InvalidArgs")
        #expect(failure(set("Volume", .string("loud"))) == "InvalidArgs")
    }

    @Test("a property that cannot be set is refused")
    func readOnly() {
        #expect(failure(set("Position", .int64(1))) == "PropertyReadOnly")
        #expect(failure(set("CanSeek", .boolean(true))) == "PropertyReadOnly")
        var state = makeState()
        state.canControl = false
        #expect(failure(set("Volume", .double(1), state)) == "NotSupported")
        (state.canControl, state.loop) = (true, nil)
        #expect(failure(set("LoopStatus", .string("None"), state)) == "UnknownProperty")
    }

    @Test("introspection describes the interfaces, and leads from the root to the player")
    func introspection() throws {
        let interface = "org.freedesktop.DBus.Introspectable"
        let document = try #require(value(call(interface, "Introspect"))?.text)
        for part in [
            "interface name=\"\(player)\"", "property name=\"Volume\" type=\"d\" access=\"readwrite\"",
        ] {
            #expect(document.contains(part))
        }
        for (path, child) in [("/", "org"), ("/org", "mpris"), ("/org/mpris", "MediaPlayer2")] {
            let text = value(call(interface, "Introspect", path: path))?.text
            #expect(text?.contains("node name=\"\(child)\"") == true)
        }
    }

    @Test("metadata has MPRIS's keys and types, without what is unknown")
    func metadata() {
        var track = PlayerTrack(id: "/t/1")
        (track.title, track.length, track.trackNumber, track.genres) = ("ab", 1.5, 3, ["Jazz"])
        #expect(
            track.metadata == [
                "mpris:trackid": .objectPath("/t/1"), "mpris:length": .int64(1_500_000),
                "xesam:title": .string("ab"), "xesam:trackNumber": .int32(3),
                "xesam:genre": .strings(["Jazz"]),
            ])
        track.title = String(repeating: "ü", count: 5_000)
        #expect(track.metadata["xesam:title"]?.text?.utf8.count == PlayerTrack.textLimit)
        track.length = .infinity
        #expect(track.metadata["mpris:length"] == nil)
        #expect(PlayerTrack(id: "no path").id == PlayerTrack.none)
    }
}

@Suite struct TrackListTests {
    @Test("metadata of known tracks is told in the order of the question")
    func metadata() throws {
        let ids = BusValue.objectPaths(["/t/3", "/t/9", "/t/1"])
        let found = try #require(value(call(list, "GetTracksMetadata", [ids]))?.elements)
        #expect(found.count == 2)
        #expect(found.first == .properties(["mpris:trackid": .objectPath("/t/3")]))
        #expect(value(call(list, "GetTracksMetadata", [.objectPaths([])])) == .array(of: "a{sv}", []))
        let many = BusValue.objectPaths((0...PlayerState.trackLimit).map { "/t/\($0)" })
        #expect(failure(call(list, "GetTracksMetadata", [many])) == "LimitsExceeded")
    }

    @Test("metadata of a track that is asked for many times is told once")
    func repetition() throws {
        let ids = BusValue.objectPaths(Array(repeating: "/t/3", count: PlayerState.trackLimit))
        let found = try #require(value(call(list, "GetTracksMetadata", [ids]))?.elements)
        #expect(found.count == 1)
    }

    @Test("metadata of many tracks with long texts is refused, that of fewer is told")
    func bytes() throws {
        var state = makeState()
        state.tracks = (0..<PlayerState.trackLimit).map { index in
            var track = PlayerTrack(id: "/t/\(index)")
            track.title = String(repeating: "a", count: PlayerTrack.textLimit)
            return track
        }
        let ids = (0..<PlayerState.trackLimit).map { "/t/\($0)" }
        #expect(failure(call(list, "GetTracksMetadata", [.objectPaths(ids)], state)) == "LimitsExceeded")
        let some = BusValue.objectPaths(Array(ids.prefix(100)))
        let found = try #require(value(call(list, "GetTracksMetadata", [some], state))?.elements)
        #expect(found.count == 100)
    }

    @Test("a track is added after another one, or before all")
    func add() {
        func add(_ address: String, _ after: String) -> PlayerAction {
            call(list, "AddTrack", [.string(address), .objectPath(after), .boolean(true)])
        }
        #expect(
            add("file:///a", "/t/2") == .perform(.addTrack(address: "file:///a", after: "/t/2", plays: true)))
        #expect(
            add("file:///a", PlayerTrack.none)
                == .perform(.addTrack(address: "file:///a", after: nil, plays: true)))
        #expect(failure(add("file:///a", "/t/9")) == "InvalidArgs")
        #expect(failure(add("ftp://a", "/t/1")) == "InvalidArgs")
    }

    @Test("known tracks can be removed and played; others have no effect")
    func removeAndGo() {
        #expect(call(list, "RemoveTrack", [.objectPath("/t/2")]) == .perform(.removeTrack("/t/2")))
        #expect(call(list, "GoTo", [.objectPath("/t/2")]) == .perform(.goTo("/t/2")))
        #expect(call(list, "RemoveTrack", [.objectPath("/t/9")]) == .done)
        #expect(call(list, "GoTo", [.objectPath("/t/9")]) == .done)
    }

    @Test("a list is cut to its limit")
    func limit() {
        var state = makeState()
        state.tracks = (0..<2_000).map { PlayerTrack(id: "/t/\($0)") }
        #expect(PlayerInterface(state).state.tracks?.count == PlayerState.trackLimit)
    }
}
