import TuttiHouse
import TuttiHTTPService
import TuttiMusicLibrary

/// The routes of the library.
enum LibraryRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        albums(context) + lists(context) + playlists(context) + stations(context) + pictures(context)
    }

    private static func albums(_ context: ServiceContext) -> [Route] {
        let library = context.library
        return [
            Route(.get, "/library", "Returns the state of the library.") { _ in
                .json(await context.house.snapshot().library)
            },
            Route(
                .get, "/library/search", "Finds tracks, albums, artists, playlists and stations.",
                parameters: [.words, .limit]
            ) { call in
                .json(try await library.search(call.text(.words) ?? "", limit: call.number(.limit)))
            },
            Route(
                .get, "/library/albums", "Lists albums.", parameters: [.start, .count, .albumSort, .artist]
            ) { call in
                let sort = call.text(.albumSort).flatMap(LibraryAlbumSort.init) ?? .title
                return .json(
                    try await library.albums(
                        sort: sort, artist: call.text(.artist).flatMap { Int64($0) },
                        start: call.number(.start), count: call.number(.count)))
            },
            Route(.get, "/library/albums/{id}", "Returns an album with its tracks.") { call in
                .json(try await library.album(call.id(of: "album")))
            },
            Route(.get, "/library/artists", "Lists artists.", parameters: [.start, .count]) { call in
                .json(try await library.artists(start: call.number(.start), count: call.number(.count)))
            },
            Route(.get, "/library/artists/{id}", "Returns an artist with the albums.") { call in
                .json(try await library.artist(call.id(of: "artist")))
            },
        ]
    }

    private static func lists(_ context: ServiceContext) -> [Route] {
        let library = context.library
        return [
            Route(
                .get, "/library/tracks", "Lists tracks.", parameters: [.start, .count, .trackSort]
            ) { call in
                let sort = call.text(.trackSort).flatMap(LibraryTrackSort.init) ?? .title
                return .json(
                    try await library.tracks(
                        sort: sort, start: call.number(.start), count: call.number(.count)))
            },
            Route(
                .get, "/library/folders", "Returns a folder's folders and tracks.", parameters: [.path]
            ) { call in
                .json(try await library.folder(call.text(.path)))
            },
            Route(.post, "/library/scan", "Scans the folders for changes now.") { _ in
                library.rescan()
                return .done
            },
        ]
    }

    private static func playlists(_ context: ServiceContext) -> [Route] {
        let library = context.library
        return [
            Route(.get, "/library/playlists", "Lists playlists.") { _ in
                .json(["items": try await library.playlists()])
            },
            Route(.get, "/library/playlists/{id}", "Returns a playlist with its tracks.") { call in
                .json(try await library.playlist(call.id(of: "playlist")))
            },
            Route(.post, "/library/playlists", "Makes a playlist.", body: MakePlaylistBody.self) { _, body in
                .json(["playlist": try await library.makePlaylist(name: body.name, tracks: body.tracks)])
            },
            Route(
                .put, "/library/playlists/{id}", "Changes a playlist of the house.",
                body: ChangePlaylistBody.self
            ) { call, body in
                try await library.changePlaylist(
                    call.id(of: "playlist"), name: body.name, tracks: body.tracks)
                return .done
            },
            Route(.delete, "/library/playlists/{id}", "Removes a playlist of the house.") { call in
                try await library.deletePlaylist(call.id(of: "playlist"))
                return .done
            },
        ]
    }

    private static func stations(_ context: ServiceContext) -> [Route] {
        let library = context.library
        return [
            Route(.get, "/library/stations", "Lists radio stations.") { _ in
                .json(["items": try await library.stations()])
            },
            Route(.post, "/library/stations", "Adds a radio station.", body: StationBody.self) { _, body in
                .json([
                    "station": try await library.makeStation(
                        name: body.name, address: body.address, picture: body.picture)
                ])
            },
            Route(
                .put, "/library/stations/{id}", "Replaces a radio station.", body: StationBody.self
            ) { call, body in
                try await library.changeStation(
                    call.id(of: "station"), name: body.name, address: body.address, picture: body.picture)
                return .done
            },
            Route(.delete, "/library/stations/{id}", "Removes a radio station.") { call in
                try await library.deleteStation(call.id(of: "station"))
                return .done
            },
        ]
    }

    private static func pictures(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/pictures/{picture}", "Returns a picture.") { call in
                let id = call.values["picture"] ?? ""
                guard let picture = await context.library.picture(id) else {
                    throw Problem.notFound("There is no picture “\(id.prefix(80))”.")
                }
                var response = HTTPResponse(type: picture.mimeType, body: picture.bytes)
                // An id names one version of one picture.
                response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
                return response.tagged(EntityTag(id), for: call.request)
            }
        ]
    }
}
