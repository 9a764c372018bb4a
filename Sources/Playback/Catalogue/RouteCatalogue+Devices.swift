import AudioOutput
import Dispatch

// Queues pinned to one device of this machine, and the loss of devices.
extension RouteCatalogue {
    /// Pins a queue to one device of this machine, whatever output is chosen. Playing sound continues there.
    ///
    /// The device is opened in the background. If the device does not exist, cannot be opened or is lost, the
    /// queue fails with an error that names the device. After a flush the queue plays again if its device, or
    /// another one, is available.
    ///
    /// - Parameter id: a local output in ``options``, or a sink of the sound server that no search has listed
    ///   yet. `nil` returns the queue to the common route.
    public func pin(_ queue: RenderQueue, to id: RouteOption.ID?) {
        state.withLock { state in
            state.queues.removeAll { $0.value == nil }
            if let index = state.queues.firstIndex(where: { $0.value === queue }) {
                state.queues[index].device = id
            } else {
                state.queues.append(PlacedQueue(value: queue, device: id))
            }
        }
        place(queue)
    }

    /// The device that the queue is pinned to; `nil` if the queue follows the common route.
    private func device(of queue: RenderQueue) -> RouteOption.ID? {
        state.withLock { $0.queues.first { $0.value === queue }?.device }
    }

    /// Moves a queue to its current route; repeats if the pin changes meanwhile.
    func place(_ queue: RenderQueue) {
        var id: RouteOption.ID?
        repeat {
            id = device(of: queue)
            let route = id.map { makeRoute(to: $0, for: queue) } ?? makeRoute()
            state.withLock { if $0.route === route { $0.holder = queue } }
            queue.move(to: route)
        } while id != device(of: queue)
        holderDidChange()
    }

    private func makeRoute(to id: RouteOption.ID, for queue: RenderQueue) -> PacketRoute {
        let player = LocalPlayer { [devices, weak self, weak queue] in
            do { return try devices.device(id) } catch {
                if let queue, self?.device(of: queue) == id { queue.routeDidFail(error) }
                throw error
            }
        }
        return PacketRoute(output: player, policy: WireFormatPolicy(), depth: .local)
    }

    // MARK: Loss

    /// Handles device losses on a global queue, because the device's own thread must not block.
    func watchDevices() {
        devices.setOnLoss { [weak self] specification in
            DispatchQueue.global(qos: .userInitiated).async { [weak self] in
                self?.deviceWasLost(specification)
            }
        }
    }

    private func deviceWasLost(_ lost: OutputSpecification) {
        fail(queuesOn: "\(lost)")
        guard devices.isLostSelection(lost) else { return }
        let before = options
        let (queues, isRoute) = state.withLock { state in
            (state.queues.filter { $0.device == nil }.compactMap(\.value), state.selection == nil)
        }
        let affected = queues.filter { ($0.route as? PacketRoute)?.output is LocalPlayer }
        for queue in affected where queue.isPlaying { queue.halt() }
        // Without another device, the queues wait for the lost one, which may come back.
        if devices.replace(lost) { for queue in affected { place(queue) } }
        if isRoute { routeDidChange(.lost, before: before) } else { optionsDidChange() }
    }

    /// Fails the queues pinned to this device.
    private func fail(queuesOn id: RouteOption.ID) {
        let queues = state.withLock { $0.queues.filter { $0.device == id }.compactMap(\.value) }
        for queue in queues { queue.routeDidFail(RouteError("the output '\(id)' is gone")) }
    }
}
