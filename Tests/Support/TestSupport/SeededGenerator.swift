import TuttiSeeds

/// The generator of tests, which programs without the module Testing use too.
package typealias SeededGenerator = TuttiSeeds.SeededGenerator
