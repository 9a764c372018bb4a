import Foundation
import Synchronization
import TuttiHouse
import TuttiHouseMPD
import TuttiHouseMPRIS
import TuttiHouseMQTT
import TuttiMusicLibrary
import TuttiServiceHost
import TuttiSystemIO

/// The surfaces besides the web: MPD, MQTT and MPRIS.
extension HouseService {
    /// A surface that settings can turn on and off.
    enum OptionalSurface: String, CaseIterable, Sendable {
        case mpd, mqtt, mpris

        /// Whether the settings that the surface depends on differ.
        func differs(_ old: HouseSettings, _ new: HouseSettings) -> Bool {
            switch self {
            case .mpd: old.mpd != new.mpd || old.library != new.library
            case .mqtt: old.mqtt != new.mqtt
            case .mpris: old.mpris != new.mpris || old.web != new.web || old.library != new.library
            }
        }
    }

    /// A surface that is open or about to be, with its trouble.
    struct OpenSurface {
        let surface: any ControlSurface
        let trouble: SurfaceTrouble
    }

    /// Opens a surface if the settings want it. A surface that cannot be opened is a problem of the house.
    func open(_ kind: OptionalSurface) async {
        let trouble = SurfaceTrouble()
        trouble.onChange = { [weak self, weak trouble] in
            guard let trouble else { return }
            Task { [weak self] in await self?.look(at: trouble, of: kind) }
        }
        do {
            guard let surface = try makeSurface(kind, trouble) else { return }
            // Before it starts, so that none of its troubles is missed.
            surfaces[kind] = OpenSurface(surface: surface, trouble: trouble)
            try await house.add(surface)
            // An earlier attempt may have failed.
            if unopened.remove(kind.rawValue) != nil { await look(at: trouble, of: kind) }
        } catch {
            surfaces[kind] = nil
            // The broker is called later: what MQTT refuses at once are settings, or a file that may come.
            let mayPass = kind != .mqtt || error is PrivateFileError
            await note("\(error)", of: kind.rawValue, mayPass: mayPass)
        }
    }

    func close(_ kind: OptionalSurface) async {
        troubles[kind.rawValue] = nil
        unopened.remove(kind.rawValue)
        if let open = surfaces.removeValue(forKey: kind) { await house.remove(open.surface) }
        await tellTroubles()
    }

    private func makeSurface(
        _ kind: OptionalSurface, _ trouble: SurfaceTrouble
    ) throws -> (any ControlSurface)? {
        switch kind {
        case .mpd: settings.mpd.enabled ? try makeMPD() : nil
        case .mqtt: settings.mqtt.enabled ? try makeMQTT(trouble) : nil
        case .mpris: settings.mpris.enabled ? makeMPRIS(trouble) : nil
        }
    }

    private func makeMPD() throws -> MPDSurface {
        let addresses = Self.addresses(settings.mpd.addresses, port: settings.mpd.port)
        var configuration = MPDSurface.Configuration(addresses: addresses, folders: settings.library.music)
        configuration.password = try password(settings.mpd.passwordFile)
        return MPDSurface(configuration: configuration, library: library)
    }

    private func makeMQTT(_ trouble: SurfaceTrouble) throws -> MQTTSurface {
        let mqtt = settings.mqtt
        var configuration = MQTTSurface.Configuration(
            broker: mqtt.broker, port: mqtt.port ?? (mqtt.tls ? 8883 : 1883), name: settings.service.name,
            version: Tutti.version)
        (configuration.isEncrypted, configuration.certificates) = (mqtt.tls, mqtt.caFile)
        (configuration.user, configuration.password) = (mqtt.user, try password(mqtt.passwordFile))
        (configuration.topic, configuration.discovery) = (mqtt.topic, mqtt.discovery)
        configuration.onTrouble = { trouble.set($0) }
        configuration.onLog = { [log] line in log.write(.info, "mqtt: \(line)", kind: "mqtt") }
        return MQTTSurface(configuration: configuration)
    }

    private func makeMPRIS(_ trouble: SurfaceTrouble) -> MPRISSurface {
        let bus: MPRISSurface.Configuration.Bus =
            switch settings.mpris.bus {
            case .auto: .auto
            case .session: .session
            case .system: .system
            }
        var configuration = MPRISSurface.Configuration(
            bus: bus, web: settings.web.enabled ? localAddress : nil)
        configuration.library = library
        configuration.onTrouble = { trouble.set($0) }
        return MPRISSurface(configuration: configuration)
    }

    /// Reads the first line of a file that only its owner may read.
    private func password(_ path: String?) throws -> String? {
        guard let path else { return nil }
        switch try PrivateFile(path: path).read() {
        case .missing: throw PrivateFileError(path, "does not exist")
        case .bytes(let bytes, _):
            return String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        }
    }

    static func addresses(_ addresses: [HouseSettings.ListenAddress], port: UInt16) -> [SocketAddress] {
        addresses.flatMap { address in
            switch address {
            case .all: [IPAddress.anyV4, .anyV6].map { SocketAddress($0, port: port) }
            case .address(let address): [SocketAddress(address, port: port)]
            }
        }
    }

    /// Takes over the trouble of a surface, unless another one has its place.
    private func look(at trouble: SurfaceTrouble, of kind: OptionalSurface) async {
        guard surfaces[kind]?.trouble === trouble else { return }
        troubles[kind.rawValue] = trouble.sentence.map { Trouble(code: kind.rawValue, message: $0) }
        await tellTroubles()
    }

    func tellTroubles() async {
        await house.setTroubles(troubles.sorted { $0.key < $1.key }.map(\.value))
    }
}

/// The trouble of a surface that is open; the newest sentence counts. Any thread.
final class SurfaceTrouble: Sendable {
    private let state: Mutex<(sentence: String?, onChange: @Sendable () -> Void)> = Mutex((nil, {}))

    var sentence: String? { state.withLock { $0.sentence } }

    /// Called after each change. Set before the surface starts.
    var onChange: @Sendable () -> Void {
        get { state.withLock { $0.onChange } }
        set { state.withLock { $0.onChange = newValue } }
    }

    /// - Parameter sentence: `nil` if all is well.
    func set(_ sentence: String?) {
        state.withLock { $0.sentence = sentence }
        onChange()
    }
}
