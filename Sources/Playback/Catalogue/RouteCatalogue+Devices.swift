import AudioOutput
import Dispatch

// Queues on one device of this machine, and devices that are gone.
extension RouteCatalogue {
    /// Binds a queue's sound to one device of this machine, whatever is chosen; what plays goes on there.
    ///
    /// The device is opened in the background. If there is no such output, or it cannot be opened or is lost, the queue
    /// fails with an error that names it; after a flush it plays again as far as its device, or another one, is there.
    ///
    /// - Parameter id: of a local output among ``options``; of the sound server's those too that nobody has asked for
    ///   yet. `nil`: the queue goes where the route goes, as at first.
    public func pin(_ queue: RenderQueue, to id: RouteOption.ID?) {
        state.withLock { state in
            state.queues.removeAll { $0.value == nil }
            if let index = state.queues.firstIndex(where: { $0.value === queue }) {
                state.queues[index].device = id
            } else {
                state.queues.append(WeakQueue(value: queue, device: id))
            }
        }
        place(queue)
    }

    /// The device that the queue is bound to; `nil` when it goes where the route goes.
    private func device(of queue: RenderQueue) -> RouteOption.ID? {
        state.withLock { $0.queues.first { $0.value === queue }?.device }
    }

    /// Moves a queue to where it belongs now.
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

    /// Listens for devices that are gone; what becomes of them is not for the device's own thread.
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
        // Without another device it is waited for: it may come back.
        if devices.replace(lost) { for queue in affected { place(queue) } }
        if isRoute { routeDidChange(.lost, before: before) } else { optionsDidChange() }
    }

    /// Those that were bound to this device.
    private func fail(queuesOn id: RouteOption.ID) {
        let queues = state.withLock { $0.queues.filter { $0.device == id }.compactMap(\.value) }
        for queue in queues { queue.routeDidFail(RouteError("the output '\(id)' is gone")) }
    }
}
