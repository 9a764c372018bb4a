import TuttiAudioOutput
import TuttiServiceHost

extension HouseSettings {
    /// The mistake in the spelling of an output, which the configuration file takes as text; `nil` if there is none.
    var outputMistake: String? {
        for text in rooms.outputs {
            do throws(OutputSpecificationError) { _ = try OutputSpecification(parsing: text) } catch {
                return "[rooms] outputs: \(error)"
            }
        }
        return nil
    }
}
