/// A piece of work that a task brings back into the house's actor.
enum HouseJob: Sendable {
    /// Looks at the time.
    case tick
    /// Takes the next step of all fades.
    case stepFades
    /// Rings the alarms that are due.
    case checkAlarms
    /// Lets the zone of an alarm play.
    case ring(Alarm)
    /// Plays an announcement in all its rooms.
    case announce(AnnouncementID)
    /// Plays the part of an announcement in a zone, or in rooms that belong to none.
    case playPart(ZoneAnnouncement, in: ZoneID?)
    /// Brings the sessions of a zone to its rooms.
    case bringRooms(ZoneID)
    /// Asks for the speakers of a room.
    case locate(RoomID)
    /// Ends the question for a room's password.
    case cancelPrompt(RoomID)
    /// Makes the inputs of a zone whose former ones are closed.
    case openInputs(ZoneID)
    /// Takes an event of a zone's player.
    case player(ZoneEvent, of: ZoneID)
    /// Takes an event of a zone's input, which has this name.
    case input(InputEvent, of: String, in: ZoneID)
}

/// The actor of a house, as its tasks know it.
protocol HouseJobRunning: AnyObject, Sendable {
    /// Carries out a job on the actor.
    func run(_ job: HouseJob) async
}
