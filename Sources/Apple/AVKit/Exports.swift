// Importing AVKit also imports AVFoundation and the views.
@_exported import AVFoundation
@_exported import TuttiViews
