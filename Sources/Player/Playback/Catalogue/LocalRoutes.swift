import AirPlaySender
import TuttiSystemIO

/// The routes to this machine's devices. Sound for the selected device waits while there is none.
struct LocalRoutes: Sendable {
    let devices: LocalDevices
    let missing: MissingOutput
    let notifier: RouteNotifier
    let machine: any Machine

    /// Makes a route to the selected device.
    func makeRoute() -> PacketRoute {
        makeRoute(
            LocalPlayer(
                machine: machine,
                open: {
                    let device = try devices.device()
                    if missing.outputWasFound() {
                        notifier.emit(.outputFound)
                        notifier.changeRoute(.found)
                    }
                    return device
                }, retry: awaitOutput))
    }

    /// Makes a route to one device.
    ///
    /// - Parameter failed: Called with the reason if the device cannot be opened, on a background queue.
    func makeRoute(to id: RouteOption.ID, failed: @escaping @Sendable (any Error) -> Void) -> PacketRoute {
        makeRoute(
            LocalPlayer(machine: machine) {
                do { return try devices.device(id) } catch {
                    failed(error)
                    throw error
                }
            })
    }

    private func makeRoute(_ player: LocalPlayer) -> PacketRoute {
        PacketRoute(output: player, policy: WireFormatPolicy(), depth: .local, clock: machine)
    }

    /// Schedules a retry of a failed opening.
    ///
    /// - Returns: `false` if the failure is final, because the program or the user named the output.
    @Sendable private func awaitOutput(
        _ error: any Error, _ attempt: @escaping @Sendable () -> Void
    ) -> Bool {
        guard !devices.isNamed else { return false }
        let reason = RouteError("\(error)")
        if missing.wait(reason, attempt) {
            notifier.emit(.outputMissing(reason))
            notifier.changeRoute(.missing)
        }
        return true
    }
}
