import TuttiHouse
import TuttiHTTPService

/// The routes of alarms.
enum AlarmRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(.get, "/alarms", "Lists the alarms.") { _ in
                .json(["alarms": await context.house.snapshot().alarms.map(AlarmJSON.init)])
            },
            Route(.post, "/alarms", "Makes an alarm.", body: AlarmBody.self) { call, body in
                try await context.perform(.setAlarm(body.alarm), call)
            },
            Route(.put, "/alarms/{alarm}", "Replaces an alarm.", body: AlarmBody.self) { call, body in
                var alarm = body.alarm
                alarm.id = try call.alarm()
                return try await context.perform(.setAlarm(alarm), call)
            },
            Route(.delete, "/alarms/{alarm}", "Removes an alarm.") { call in
                try await context.perform(.removeAlarm(call.alarm()), call)
            },
        ]
    }
}
