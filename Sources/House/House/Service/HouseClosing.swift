/// The end of a house: the work that is waited for, but not for long.
struct HouseClosing: Sendable {
    /// The time for announcements to end.
    private static let announcementTime = Duration.milliseconds(400)
    /// The time for the rooms to be left in order; an unreachable one notices by itself.
    private static let roomTime = Duration.milliseconds(1500)

    let surfaces: [any ControlSurface]
    /// The tasks that end when the rooms are free.
    let tasks: [Task<Void, Never>]

    /// Returns when announcements have ended, and have set the rooms' volumes back.
    static func wait(forAnnouncements tasks: [Task<Void, Never>]) async {
        guard !tasks.isEmpty else { return }
        await WorkLimit.wait(announcementTime) { for task in tasks { await task.value } }
    }

    /// Closes the surfaces, and returns when they are closed and the rooms are free.
    func wait() async {
        await WorkLimit.wait(Self.roomTime) {
            await withTaskGroup { group in
                for surface in surfaces { group.addTask { await surface.stop() } }
                for task in tasks { group.addTask { await task.value } }
            }
        }
    }
}
