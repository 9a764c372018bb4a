/// The abilities of the surface, and the parts of MPD that it does not have.
enum Abilities {
    static func listSchemes(_ answer: inout AnswerWriter) {
        for scheme in ["http://", "https://"] { answer.add("handler", scheme) }
    }

    static func listDecoders(_ answer: inout AnswerWriter) {
        answer.add("plugin", "ffmpeg")
        for ending in [
            "aac", "aif", "aiff", "alac", "flac", "m4a", "mp3", "mp4", "oga", "ogg", "opus", "wav", "wma",
        ] {
            answer.add("suffix", ending)
        }
        for type in ["audio/aac", "audio/flac", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/wav"] {
            answer.add("mime_type", type)
        }
    }

    static func refuseLocal() throws(CommandError) {
        throw CommandError(.permission, "Command only permitted to local clients")
    }

    static func refuse(_ message: String) throws(CommandError) { throw CommandError(.unknown, message) }

    // MARK: Mounts

    static func mount(_ arguments: [String], _ answer: inout AnswerWriter) throws(CommandError) {
        guard !arguments.isEmpty else { return listMounts(&answer) }
        throw CommandError(.unknown, "Mounting is not available: add the folder to the settings of the house")
    }

    static func refuseUnmount() throws(CommandError) { throw CommandError(.argument, "Not a mount point") }

    static func listMounts(_ answer: inout AnswerWriter) { answer.add("mount", "") }
}
