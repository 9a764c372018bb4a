"""The sound of rooms and zones, announcements, and alarms."""

from rooms_tests import card, room
from stage import ZONE_NAME, expect, test, wait_for


def details(page, name):
    item = room(page, name)
    item.locator(".room-head .icon-button").click()
    return item


@test("a room's equaliser is set by sliders and presets, and reset")
def equalizer(stage):
    name = stage.usable_rooms()[0]
    page = stage.open("#/rooms", 390, 844, touch=True)
    details(page, name).get_by_role("button", name="Equaliser of").click()
    sheet = page.get_by_role("dialog")
    page.get_by_role("slider", name="1 kHz").fill("6")
    wait_for(lambda: (stage.api.room(name).get("equalizer") or {}).get("gains") == [0, 0, 0, 0, 0, 6, 0, 0, 0, 0], "the slider does not set the gain")
    wait_for(lambda: sheet.get_by_text("+6 dB").is_visible(), "the gain is not shown")
    sheet.get_by_role("button", name="Voice").click()
    wait_for(lambda: stage.api.room(name)["equalizer"]["gains"][0] == -6, "the preset is not set")
    wait_for(lambda: page.get_by_role("slider", name="31 Hz").input_value() == "-6", "the sliders do not follow the preset")
    sheet.get_by_role("button", name="Reset").click()
    wait_for(lambda: "equalizer" not in stage.api.room(name), "the equaliser is still on")
    wait_for(lambda: page.get_by_role("slider", name="31 Hz").input_value() == "0", "the sliders keep the preset")


@test("a room's night mode and loudest volume are set, and shown when another client sets them")
def night_and_maximum(stage):
    name = stage.usable_rooms()[0]
    page = stage.open("#/rooms")
    item = details(page, name)
    night = item.get_by_role("switch", name="Night mode of")
    try:
        night.check()
        wait_for(lambda: stage.api.room(name)["nightMode"], "night mode is not on")
        stage.api.put(f"/rooms/{name}/night", {"on": False})
        wait_for(lambda: not night.is_checked(), "the page does not follow")
        item.get_by_role("slider", name="Loudest volume of").fill("60")
        wait_for(lambda: stage.api.room(name)["maximumVolume"] == 60, "the loudest volume is not 60")
    finally:
        stage.api.put(f"/rooms/{name}/night", {"on": False})
        stage.api.put(f"/rooms/{name}/maximum", {"percent": 100})


@test("a zone's levelling, crossfade and sleep fade are set in one sheet")
def zone_sound(stage):
    stage.fill(3)
    page = stage.open()
    page.locator("#playing").get_by_role("button", name="Sound").click()
    page.get_by_label("Loudness").select_option("album")
    wait_for(lambda: stage.api.zone(stage.zone)["levelling"] == "album", "the levelling is not set")
    page.get_by_role("slider", name="Crossfade").fill("5")
    wait_for(lambda: stage.api.zone(stage.zone)["crossfade"] == 5, "the crossfade is not set")
    page.get_by_label("Sleep timer: fade out").select_option("60")
    wait_for(lambda: stage.api.zone(stage.zone)["sleepFade"] == 60, "the sleep fade is not set")
    page.keyboard.press("Escape")
    page.evaluate("location.hash = '#/rooms'")
    card(page, stage.zone).get_by_role("button", name="More for").click()
    page.get_by_role("menuitem", name="Sound…").click()
    expect(page.get_by_label("Loudness").input_value() == "album", "the sheet shows another levelling")


@test("an alarm is made, turned off, changed and removed")
def alarms(stage):
    page = stage.open("#/rooms", 390, 844, touch=True)
    page.get_by_role("link", name="Alarms").click()
    before = {alarm["id"] for alarm in stage.api.get("/alarms")["alarms"]}

    def own():
        return [alarm for alarm in stage.api.get("/alarms")["alarms"] if alarm["id"] not in before]

    page.get_by_role("button", name="New alarm").click()
    page.get_by_label("Time", exact=True).fill("06:30")
    for day in ("Monday", "Friday"):
        page.get_by_role("checkbox", name=day).check()
    wait_for(lambda: page.locator("dialog optgroup").count() >= 1, "the library is not offered")
    choice = page.locator("dialog optgroup option").first.get_attribute("value")
    page.get_by_role("dialog").get_by_label("Music", exact=True).select_option(choice)
    page.get_by_role("slider", name="Volume of the alarm").fill("25")
    page.get_by_label("Volume rises").select_option("120")
    page.get_by_role("button", name="Make alarm").click()
    made = wait_for(own, "the alarm was not made")[0]
    expect((made["minute"], made["days"], made["volume"], made["fadeSeconds"], made["isOn"], made["zone"])
           == (390, ["monday", "friday"], 25, 120, True, stage.zone), f"the alarm is {made}")
    expect(len(made["items"]) == 1, "the alarm has no music")
    item = page.locator(".alarm").filter(has=page.get_by_text("6:30", exact=True))
    item.get_by_role("switch").uncheck()
    wait_for(lambda: not own()[0]["isOn"], "the alarm is still on")
    item.locator(".row-main").click()
    wait_for(lambda: page.get_by_role("dialog").get_by_label("Music", exact=True).input_value() == choice, "the music is not shown as chosen")
    page.get_by_label("Time", exact=True).fill("07:05")
    page.get_by_role("button", name="Save").click()
    wait_for(lambda: own()[0]["minute"] == 425, "the time did not change")
    expect(own()[0]["items"] == made["items"] and not own()[0]["isOn"], "the change lost music or state")
    page.locator(".alarm").filter(has=page.get_by_text("7:05", exact=True)).locator(".row-main").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    wait_for(lambda: not own(), "the alarm is still there")
    page.get_by_text("No alarm yet").wait_for()


@test("an announcement is sent as a file, shown while it is heard, and ended", needs_mock=True)
def say(stage):
    page = stage.open("#/rooms", 390, 844, touch=True)
    page.get_by_role("button", name="Announcement", exact=True).click()
    sound = {"name": "Door bell.wav", "mimeType": "audio/wav", "buffer": b"RIFF" + bytes(200_000)}
    sheet = page.get_by_role("dialog")
    for _ in range(2):
        sheet.get_by_label("Sound").set_input_files(sound)
        sheet.get_by_role("checkbox", name="Kitchen").check()
        with page.expect_request("**/announcements?*") as sent:
            sheet.get_by_role("button", name="Play", exact=True).click()
        wait_for(lambda: sheet.get_by_label("Sound").input_value() == "", "the form is not empty again")
    expect("rooms=kitchen" in sent.value.url and "title=Door+bell" in sent.value.url, f"the page sent {sent.value.url}")
    expect(sent.value.header_value("content-type") == "audio/wav", "the type is another one")
    wait_for(lambda: sheet.locator(".row").count() == 2, "the list does not show both")
    expect([each["state"] for each in stage.api.get("/announcements")["announcements"]] == ["playing", "waiting"], "the house has others")
    sheet.get_by_role("button", name="Cancel Door bell").last.click()
    wait_for(lambda: len(stage.api.get("/announcements")["announcements"]) == 1, "the one that waits was not removed")
    page.keyboard.press("Escape")
    banner = page.locator("#announcement")
    wait_for(lambda: "Door bell · Kitchen" in banner.text_content(), "there is no banner")
    banner.get_by_role("button").click()
    wait_for(lambda: not banner.is_visible(), "the banner stays")


@test("a file that is too large is refused before it is sent", needs_mock=True)
def too_large(stage):
    page = stage.open("#/rooms")
    page.get_by_role("button", name="Announcement", exact=True).click()
    page.evaluate("Object.defineProperty(File.prototype, 'size', { get: () => 33 * 1024 * 1024 })")
    page.get_by_role("dialog").get_by_label("Sound", exact=True).set_input_files({"name": "long.wav", "mimeType": "audio/wav", "buffer": b"RIFF"})
    page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("more than 32 MB").wait_for()
    expect(not stage.api.get("/announcements")["announcements"], "the file was sent")


@test("a live input is shown in place of the track", needs_mock=True)
def live_input(stage):
    stage.fill(2, plays=True)
    page = stage.open("#/rooms")
    stage.api.send("PATCH", f"/mock/zones/{stage.zone}", {"inputs": [{"name": "Desk", "kind": "desktop"}]})
    card(page, stage.zone).get_by_role("button", name="More for").click()
    page.get_by_role("menuitemradio", name="Play Desk").click()
    wait_for(lambda: stage.api.zone(stage.zone).get("input", {}).get("name") == "Desk", "the input does not play")
    wait_for(lambda: page.locator("#playing-heading").text_content() == "Desk", "the name of the input is not shown")


@test("a live input is paused and played where the queue is empty", needs_mock=True)
def live_input_alone(stage):
    stage.join(stage.usable_rooms()[0])
    stage.api.send("PATCH", f"/mock/zones/{stage.zone}", {"input": {"name": "Desk", "kind": "desktop"}, "state": "playing"})
    page = stage.open()
    button = page.locator("#playing .play")
    button.click()
    wait_for(lambda: stage.state() == "paused", "the zone does not pause")
    wait_for(lambda: button.get_attribute("aria-label") == "Play", "the button does not change")
    button.click()
    wait_for(lambda: stage.state() == "playing", "the zone does not play")
    expect(page.locator("#playing").get_by_role("button", name="Next", exact=True).is_disabled(), "an empty queue has no next track")
    page.evaluate("location.hash = '#/rooms'")
    # The whole names: the button that chooses the zone is named with its state, which is "Playing" until the pause is drawn.
    card(page, stage.zone).get_by_role("button", name=f"Pause {ZONE_NAME}", exact=True).click()
    wait_for(lambda: stage.state() == "paused", "the zone's card does not pause")
    card(page, stage.zone).get_by_role("button", name=f"Play {ZONE_NAME}", exact=True).click()
    wait_for(lambda: stage.state() == "playing", "the zone's card does not play")
