import Synchronization
import TuttiHouse
import TuttiMQTT
import TuttiSystemIO

/// The house on an MQTT broker, and in Home Assistant.
///
/// Each zone and each room has a topic for each value, retained, and takes commands on topics that end with
/// `/set`. docs/mqtt.md lists them.
package final class MQTTSurface: ControlSurface {
    /// The settings of the surface.
    package struct Configuration: Sendable {
        /// The broker's name or address.
        package var broker: String
        /// The broker's TCP port.
        package var port: UInt16
        /// Whether the connection is encrypted.
        package var isEncrypted = false
        /// The file with the certificates with which the broker's certificate is checked; `nil` for the system's.
        package var certificates: String?
        /// The user's name; `nil` for none.
        package var user: String?
        /// The user's password; `nil` for none.
        package var password: String?
        /// The first level of all topics.
        package var topic = "tutti"
        /// The first level of Home Assistant's discovery topics; `nil` announces nothing.
        package var discovery: String? = "homeassistant"
        /// The client name at the broker; `nil` makes one from this machine's and the house's name.
        package var clientID: String?
        /// The name of the house.
        package var name: String
        /// The version of the program.
        package var version: String
        /// Receives a sentence when the connection fails, and `nil` when it works again. Any thread.
        package var onTrouble: @Sendable (String?) -> Void = { _ in }
        /// Receives sentences for the log: commands that were refused or dropped. Any thread.
        package var onLog: @Sendable (String) -> Void = { _ in }

        /// Makes a configuration without user and encryption.
        package init(broker: String, port: UInt16, name: String, version: String) {
            (self.broker, self.port, self.name, self.version) = (broker, port, name, version)
        }
    }

    /// The word for logs.
    package let name = "mqtt"
    private let configuration: Configuration
    private let link: SurfaceLink
    private let life = Mutex(Life())

    private struct Life {
        var running: (client: MQTTClient, commands: Task<Void, Never>)?
        /// Whether the surface was closed, perhaps before its start has ended.
        var isStopped = false
    }

    /// Makes a surface that is not open yet.
    package init(configuration: Configuration) {
        self.configuration = configuration
        link = SurfaceLink(configuration)
    }

    /// Opens the surface: starts to connect to the broker, without waiting for it.
    ///
    /// - Throws: An error with a sentence if the settings cannot be used as topics.
    package func start(_ house: any HouseControlling) async throws {
        let client = try MQTTClient(link.clientConfiguration(configuration)) { [link] event in
            link.take(event)
        }
        let snapshot = await house.snapshot()
        let runner = CommandRunner(house: house, link: link, log: configuration.onLog)
        life.withLock { life in
            // The house may have closed the surface meanwhile.
            guard !life.isStopped else { return }
            let commands = link.open(client, snapshot)
            life.running = (client, Task { await runner.run(commands) })
            client.start()
        }
    }

    /// Whether the surface has a client, which connects or is connected.
    var isOpen: Bool { life.withLock { $0.running != nil } }

    /// Applies a change.
    package func houseDidChange(_ change: HouseChange) { link.take(change) }

    /// Publishes that the house is offline, and closes the surface.
    package func stop() async {
        let running = life.withLock { life in
            life.isStopped = true
            return life.running.take()
        }
        link.close()
        guard let (client, commands) = running else { return }
        commands.cancel()
        await client.stop(last: [link.goodbye])
    }
}

/// The settings cannot be used for topics.
struct MQTTSettingsError: Error, CustomStringConvertible {
    let description: String
}
