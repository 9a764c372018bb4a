/// The interfaces of a player and of D-Bus itself.
extension InterfaceDeclaration {
    static let introspectable = InterfaceDeclaration(
        name: "org.freedesktop.DBus.Introspectable",
        methods: [Method(name: "Introspect", outputs: [Argument(name: "xml_data", type: "s")])])

    static let peer = InterfaceDeclaration(
        name: "org.freedesktop.DBus.Peer",
        methods: [
            Method(name: "Ping"),
            Method(name: "GetMachineId", outputs: [Argument(name: "machine_uuid", type: "s")]),
        ])

    static let properties = InterfaceDeclaration(
        name: "org.freedesktop.DBus.Properties",
        methods: [
            Method(
                name: "Get",
                inputs: [
                    Argument(name: "interface_name", type: "s"), Argument(name: "property_name", type: "s"),
                ], outputs: [Argument(name: "value", type: "v")]),
            Method(
                name: "Set",
                inputs: [
                    Argument(name: "interface_name", type: "s"), Argument(name: "property_name", type: "s"),
                    Argument(name: "value", type: "v"),
                ]),
            Method(
                name: "GetAll", inputs: [Argument(name: "interface_name", type: "s")],
                outputs: [Argument(name: "properties", type: "a{sv}")]),
        ],
        signals: [
            Signal(
                name: "PropertiesChanged",
                arguments: [
                    Argument(name: "interface_name", type: "s"),
                    Argument(name: "changed_properties", type: "a{sv}"),
                    Argument(name: "invalidated_properties", type: "as"),
                ])
        ])

    static let root = InterfaceDeclaration(
        name: "org.mpris.MediaPlayer2", methods: [Method(name: "Raise"), Method(name: "Quit")],
        properties: [
            Property(name: "CanQuit", type: "b"), Property(name: "CanRaise", type: "b"),
            Property(name: "DesktopEntry", type: "s"), Property(name: "HasTrackList", type: "b"),
            Property(name: "Identity", type: "s"), Property(name: "SupportedMimeTypes", type: "as"),
            Property(name: "SupportedUriSchemes", type: "as"),
        ])

    static let player = InterfaceDeclaration(
        name: "org.mpris.MediaPlayer2.Player",
        methods: [
            Method(name: "Next"), Method(name: "Previous"), Method(name: "Pause"),
            Method(name: "PlayPause"), Method(name: "Stop"), Method(name: "Play"),
            Method(name: "Seek", inputs: [Argument(name: "Offset", type: "x")]),
            Method(
                name: "SetPosition",
                inputs: [Argument(name: "TrackId", type: "o"), Argument(name: "Position", type: "x")]),
            Method(name: "OpenUri", inputs: [Argument(name: "Uri", type: "s")]),
        ],
        properties: [
            Property(name: "CanControl", type: "b", changes: .never),
            Property(name: "CanGoNext", type: "b"), Property(name: "CanGoPrevious", type: "b"),
            Property(name: "CanPause", type: "b"), Property(name: "CanPlay", type: "b"),
            Property(name: "CanSeek", type: "b"),
            Property(name: "LoopStatus", type: "s", isWritable: true),
            Property(name: "MaximumRate", type: "d"), Property(name: "Metadata", type: "a{sv}"),
            Property(name: "MinimumRate", type: "d"), Property(name: "PlaybackStatus", type: "s"),
            Property(name: "Position", type: "x", changes: .never),
            Property(name: "Rate", type: "d", isWritable: true),
            Property(name: "Shuffle", type: "b", isWritable: true),
            Property(name: "Volume", type: "d", isWritable: true),
        ],
        signals: [Signal(name: "Seeked", arguments: [Argument(name: "Position", type: "x")])])

    static let trackList = InterfaceDeclaration(
        name: "org.mpris.MediaPlayer2.TrackList",
        methods: [
            Method(
                name: "GetTracksMetadata", inputs: [Argument(name: "TrackIds", type: "ao")],
                outputs: [Argument(name: "Metadata", type: "aa{sv}")]),
            Method(
                name: "AddTrack",
                inputs: [
                    Argument(name: "Uri", type: "s"), Argument(name: "AfterTrack", type: "o"),
                    Argument(name: "SetAsCurrent", type: "b"),
                ]),
            Method(name: "RemoveTrack", inputs: [Argument(name: "TrackId", type: "o")]),
            Method(name: "GoTo", inputs: [Argument(name: "TrackId", type: "o")]),
        ],
        properties: [
            Property(name: "CanEditTracks", type: "b"),
            Property(name: "Tracks", type: "ao", changes: .invalidation),
        ],
        signals: [
            Signal(
                name: "TrackListReplaced",
                arguments: [
                    Argument(name: "Tracks", type: "ao"), Argument(name: "CurrentTrack", type: "o"),
                ]),
            Signal(
                name: "TrackAdded",
                arguments: [
                    Argument(name: "Metadata", type: "a{sv}"), Argument(name: "AfterTrack", type: "o"),
                ]),
            Signal(name: "TrackRemoved", arguments: [Argument(name: "TrackId", type: "o")]),
            Signal(
                name: "TrackMetadataChanged",
                arguments: [
                    Argument(name: "TrackId", type: "o"), Argument(name: "Metadata", type: "a{sv}"),
                ]),
        ])
}
