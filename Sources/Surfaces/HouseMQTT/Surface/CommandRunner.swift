import TuttiHouse
import TuttiMQTT

/// The commands of a broker on their way to the house, one after the other.
///
/// Announcements wait only for each other: the house reads their sound before it answers, which may take many
/// seconds, and no other command must wait so long. A command that came before an announcement is carried out
/// before it.
struct CommandRunner: Sendable {
    /// The most announcements that wait for the one that the house reads.
    static let announcementLimit = 10

    /// A command, and the topic for its errors.
    private struct Request: Sendable {
        let command: HouseCommand
        let errors: String
    }

    let house: any HouseControlling
    let link: SurfaceLink
    let log: @Sendable (String) -> Void

    /// Carries out the commands. Returns after the last command and the last announcement.
    func run(_ messages: AsyncStream<MQTTMessage>) async {
        let (announcements, emit) = AsyncStream.makeStream(
            of: Request.self, bufferingPolicy: .bufferingOldest(Self.announcementLimit))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await announcement in announcements { await carryOut(announcement) }
            }
            for await message in messages { await take(message, emit) }
            emit.finish()
        }
    }

    /// Carries out a command, or queues an announcement.
    private func take(_ message: MQTTMessage, _ announcements: AsyncStream<Request>.Continuation) async {
        let request: Request
        do throws(CommandProblem) {
            let (command, errors) = try CommandReader(scheme: link.scheme, house: link.house).read(message)
            request = Request(command: command, errors: errors)
        } catch {
            return refuse(message, error)
        }
        guard case .announce = request.command else { return await carryOut(request) }
        if case .dropped = announcements.yield(request) {
            let sentence = "Too many announcements wait. Try again later."
            refuse(message, CommandProblem(topic: request.errors, sentence: sentence))
        }
    }

    /// Publishes the sentence of a command's failure. The house itself logs what it refuses.
    private func carryOut(_ request: Request) async {
        do throws(HouseError) {
            _ = try await house.perform(request.command, from: CommandOrigin(surface: "mqtt"))
        } catch {
            link.publish(error: error.description, on: request.errors)
        }
    }

    /// Publishes and logs why a message does not reach the house.
    private func refuse(_ message: MQTTMessage, _ problem: CommandProblem) {
        link.publish(error: problem.sentence, on: problem.topic)
        log("\(problem.sentence) (\(CommandPayload(Array(message.topic.utf8)).excerpt))")
    }
}
