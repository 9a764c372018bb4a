"""Editing the queue while it plays."""

from stage import expect, row, shown_titles, test, wait_for


def drag(page, from_title, to_title, hold_on=".grip"):
    start = row(page, from_title).locator(hold_on).bounding_box()
    goal = row(page, to_title).bounding_box()
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 12, steps=3)
    page.mouse.move(x, goal["y"] + goal["height"] / 2, steps=12)
    page.mouse.up()


def moved(titles, start, goal):
    titles = list(titles)
    titles.insert(goal, titles.pop(start))
    return titles


@test("a drag by the grip moves an entry in mid-song, and the song plays on")
def drag_by_grip(stage):
    titles = stage.fill(plays=True)
    page = stage.open("#/queue")
    row(page, titles[5]).wait_for()
    drag(page, titles[5], titles[1])
    expected = moved(titles, 5, 1)
    wait_for(lambda: stage.titles() == expected, f"the house has {stage.titles()}")
    wait_for(lambda: shown_titles(page) == expected, "the page shows another order")
    zone = stage.api.zone(stage.zone)
    expect(zone["state"] == "playing" and zone["current"]["track"]["title"] == titles[0], "the song did not play on")


@test("a drag by the row itself moves an entry, and does not play it")
def drag_by_row(stage):
    titles = stage.fill(plays=True)
    page = stage.open("#/queue")
    row(page, titles[2]).wait_for()
    drag(page, titles[2], titles[6], ".row-main")
    wait_for(lambda: stage.titles() == moved(titles, 2, 6), f"the house has {stage.titles()}")
    expect(stage.api.zone(stage.zone)["current"]["track"]["title"] == titles[0], "another track plays")


@test("Escape during a drag puts the entry back")
def drag_escape(stage):
    titles = stage.fill()
    page = stage.open("#/queue")
    box = row(page, titles[4]).locator(".grip").bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 10, box["y"] - 150, steps=6)
    page.keyboard.press("Escape")
    page.mouse.up()
    page.wait_for_timeout(200)
    expect(shown_titles(page) == titles and stage.titles() == titles, "the order has changed")


@test("a long press on a phone moves an entry; a swipe scrolls")
def drag_by_touch(stage):
    titles = stage.fill(12)
    page = stage.open("#/queue", 390, 844, touch=True)
    row(page, titles[6]).wait_for()
    client = page.context.new_cdp_session(page)
    start, goal = row(page, titles[6]).locator(".row-main").bounding_box(), row(page, titles[2]).bounding_box()

    def touch(kind, x, y):
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y, end = start["x"] + 60, start["y"] + 30, goal["y"] + 30
    touch("touchStart", x, y)
    page.wait_for_timeout(550)
    for step in range(1, 13):
        touch("touchMove", x, y + (end - y) * step / 12)
        page.wait_for_timeout(16)
    touch("touchEnd", 0, 0)
    wait_for(lambda: stage.titles() == moved(titles, 6, 2), f"the house has {stage.titles()}")
    touch("touchStart", x, y)
    for step in range(1, 13):
        touch("touchMove", x, y - 300 * step / 12)
        page.wait_for_timeout(16)
    touch("touchEnd", 0, 0)
    wait_for(lambda: page.locator("#queue .scroller").evaluate("e => e.scrollTop") > 20, "a swipe does not scroll")
    expect(stage.titles() == moved(titles, 6, 2), "a swipe moved an entry")


@test("Alt and arrows move the entry with the focus, and the focus goes with it")
def move_by_keys(stage):
    titles = stage.fill(plays=True)
    page = stage.open("#/queue")
    row(page, titles[3]).locator(".row-main").focus()
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+ArrowUp")
    wait_for(lambda: stage.titles() == moved(titles, 3, 1), f"the house has {stage.titles()}")
    focused = page.evaluate("document.activeElement.closest('.queue-row').querySelector('.row-title').textContent")
    expect(focused == titles[3], f"the focus is on “{focused}”")
    wait_for(lambda: f"{titles[3]} is now number 2" in page.locator("#announcer").text_content(), "the move is not announced")


@test("the grip takes an entry by space, arrows carry it, space puts it down, Escape puts it back")
def grab_by_keys(stage):
    titles = stage.fill()
    page = stage.open("#/queue")
    row(page, titles[1]).locator(".grip").focus()
    page.keyboard.press("Space")
    wait_for(lambda: "is picked up" in page.locator("#announcer").text_content(), "taking is not announced")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    wait_for(lambda: stage.titles() == moved(titles, 1, 4), f"the house has {stage.titles()}")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    page.wait_for_timeout(200)
    expect(stage.titles() == moved(titles, 1, 4), "Escape did not put the entry back")


@test("an entry is removed by its button and by the Delete key, the focus stays in the list")
def remove(stage):
    titles = stage.fill(plays=True)
    page = stage.open("#/queue")
    row(page, titles[2]).hover()
    row(page, titles[2]).locator(".row-remove").click()
    wait_for(lambda: titles[2] not in stage.titles(), "the entry is still in the queue")
    wait_for(lambda: row(page, titles[2]).count() == 0, "the page shows the entry")
    row(page, titles[4]).locator(".row-main").focus()
    page.keyboard.press("Delete")
    wait_for(lambda: titles[4] not in stage.titles(), "the Delete key does not remove")
    wait_for(lambda: page.evaluate("Boolean(document.activeElement.closest('.queue-row'))"), "the focus was lost")
    wait_for(lambda: shown_titles(page) == [t for t in titles if t not in (titles[2], titles[4])], "the page shows another list")


@test("an album's track is inserted next, and undo takes it out again")
def insert_next(stage):
    titles = stage.fill(4, plays=True)
    track = stage.tracks(6)[5]
    page = stage.open(f"#/library/albums/{track['albumID']}")
    page.get_by_role("button", name=f"More for {track['title']}", exact=True).first.click()
    page.get_by_role("menuitem", name="Play next").click()
    wait_for(lambda: stage.titles()[1] == track["title"], f"the house has {stage.titles()}")
    wait_for(lambda: shown_titles(page)[:3] == [titles[0], track["title"], titles[1]], "the page does not show it")
    page.get_by_role("button", name="Undo").click()
    wait_for(lambda: stage.titles() == titles, "undo does not remove the entry")


@test("a click plays an entry; the menu moves one to be next")
def jump_and_next(stage):
    titles = stage.fill(plays=True)
    page = stage.open("#/queue")
    row(page, titles[3]).locator(".row-main").click()
    wait_for(lambda: stage.api.zone(stage.zone)["current"]["track"]["title"] == titles[3], "the entry does not play")
    row(page, titles[6]).locator(".row-more").click()
    page.get_by_role("menuitem", name="Play next").click()
    wait_for(lambda: stage.titles() == moved(titles, 6, 4), f"the house has {stage.titles()}")


@test("the queue is saved as a playlist, and cleared after a question")
def save_and_clear(stage):
    titles = stage.fill(5)
    page = stage.open("#/queue")
    more = page.get_by_role("button", name="More for the queue")
    more.click()
    page.get_by_role("menuitem", name="Save as a playlist…").click()
    page.get_by_label("Name", exact=True).fill("Web test list")
    page.get_by_role("button", name="Save", exact=True).click()

    def saved():
        return [p for p in stage.api.get("/library/playlists")["items"] if p["name"] == "Web test list"]

    playlist = wait_for(saved, "the playlist is not in the library")[0]
    stored = [t["title"] for t in stage.api.get(f"/library/playlists/{playlist['id']}")["tracks"]]
    stage.api.delete(f"/library/playlists/{playlist['id']}")
    expect(stored == titles, f"the playlist holds {stored}")
    more.click()
    page.get_by_role("menuitem", name="Clear").click()
    page.get_by_role("button", name="Clear", exact=True).click()
    wait_for(lambda: stage.titles() == [], "the queue is not empty")
    page.locator("#queue .empty-note").wait_for()


@test("a change that the house refuses is undone on the page, and the reason is shown", needs_mock=True)
def refused(stage):
    titles = stage.fill()
    page = stage.open("#/queue")
    row(page, titles[3]).wait_for()
    page.route("**/queue/move", lambda route: route.fulfill(
        status=409, content_type="application/problem+json", body='{"status":409,"code":"conflict","detail":"The house cannot move it now."}'))
    row(page, titles[3]).locator(".row-main").focus()
    page.keyboard.press("Alt+ArrowUp")
    page.get_by_text("The house cannot move it now.").wait_for()
    wait_for(lambda: shown_titles(page) == titles, "the old order does not come back")
    stage.allow_errors()


def remove_elsewhere(stage, place):
    """Removes an entry as another browser does."""
    stage.api.post(f"/zones/{stage.zone}/queue/remove", {"entries": [stage.api.queue(stage.zone)[place]["id"]]})


def without(titles, *gone):
    return [title for i, title in enumerate(titles) if i not in gone]


@test("the menu of an entry acts on this entry after another browser has changed the queue")
def menu_after_change(stage):
    titles = stage.fill()
    page = stage.open("#/queue")
    for name, expected in (
        ("Remove", without(titles, 0, 5)),
        ("Move to the end", without(titles, 0, 1, 5, 6) + [titles[6]]),
        ("Play next", [titles[3], titles[7]] + [titles[4], titles[6]]),
    ):
        title = {"Remove": titles[5], "Move to the end": titles[6], "Play next": titles[7]}[name]
        row(page, title).locator(".row-more").click()
        before = stage.titles()
        remove_elsewhere(stage, 0)
        wait_for(lambda: shown_titles(page) == before[1:], "the page does not follow")
        page.get_by_role("menuitem", name=name).click()
        wait_for(lambda: stage.titles() == expected, f"after “{name}” the house has {stage.titles()}")
        wait_for(lambda: shown_titles(page) == expected, f"after “{name}” the page shows {shown_titles(page)}")


@test("the menu of an entry that is gone does nothing")
def menu_of_gone(stage):
    titles = stage.fill()
    page = stage.open("#/queue")
    row(page, titles[2]).locator(".row-more").click()
    remove_elsewhere(stage, 2)
    wait_for(lambda: shown_titles(page) == without(titles, 2), "the page does not follow")
    page.get_by_role("menuitem", name="Remove").click()
    page.wait_for_timeout(200)
    expect(stage.titles() == without(titles, 2), f"the house has {stage.titles()}")


def press_grip(page, title):
    box = row(page, title).locator(".grip").bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 10, box["y"] + 30, steps=4)


def expect_no_drag(page):
    expect(page.locator("#queue [data-dragging], #queue [data-held]").count() == 0, "the drag did not end")


@test("a drag carries its entry after another browser has changed the queue")
def drag_after_change(stage):
    titles = stage.fill()
    page = stage.open("#/queue")
    row(page, titles[5]).wait_for()
    goal = row(page, titles[2]).bounding_box()
    press_grip(page, titles[5])
    remove_elsewhere(stage, 0)
    wait_for(lambda: row(page, titles[0]).count() == 0, "the page does not follow")
    held = page.locator("#queue [data-held] .row-title").text_content()
    expect(held == titles[5], f"the page holds “{held}”")
    page.mouse.move(goal["x"] + 20, goal["y"] + goal["height"] / 2, steps=8)
    page.mouse.up()
    expected = moved(without(titles, 0), 4, 2)
    wait_for(lambda: stage.titles() == expected, f"the house has {stage.titles()}")
    wait_for(lambda: shown_titles(page) == expected, "the page shows another order")
    expect_no_drag(page)


@test("a drag ends by itself when its entry, or the whole queue, is gone")
def drag_of_gone(stage):
    titles = stage.fill()
    page = stage.open("#/queue")
    row(page, titles[5]).wait_for()
    press_grip(page, titles[5])
    remove_elsewhere(stage, 5)
    wait_for(lambda: row(page, titles[5]).count() == 0, "the page does not follow")
    expect_no_drag(page)
    page.mouse.up()
    press_grip(page, titles[3])
    stage.api.delete(f"/zones/{stage.zone}/queue")
    wait_for(lambda: shown_titles(page) == [], "the page does not follow")
    page.mouse.move(300, 300, steps=3)
    page.mouse.up()
    expect_no_drag(page)


@test("keys carry a taken entry, and Delete removes the entry with the focus, after another browser has changed the queue")
def keys_after_change(stage):
    titles = stage.fill()
    page = stage.open("#/queue")
    row(page, titles[2]).locator(".grip").focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    remove_elsewhere(stage, 0)
    wait_for(lambda: row(page, titles[0]).count() == 0, "the page does not follow")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expected = moved(without(titles, 0), 1, 3)
    wait_for(lambda: stage.titles() == expected, f"the house has {stage.titles()}")
    wait_for(lambda: shown_titles(page) == expected, "the page shows another order")
    expect_no_drag(page)
    remove_elsewhere(stage, 0)
    wait_for(lambda: shown_titles(page) == expected[1:], "the page does not follow")
    page.keyboard.press("Delete")
    wait_for(lambda: stage.titles() == without(expected, 0, 3), f"the house has {stage.titles()}")
    wait_for(lambda: shown_titles(page) == without(expected, 0, 3), "the page shows another order")
    row(page, titles[6]).locator(".grip").focus()
    page.keyboard.press("Space")
    remove_elsewhere(stage, stage.titles().index(titles[6]))
    wait_for(lambda: "no longer in the queue" in page.locator("#announcer").text_content(), "the end is not announced")
    expect_no_drag(page)


@test("the focus stays where it was put after Delete, also where frames are slow")
def focus_after_delete(stage):
    titles = stage.fill()
    page = stage.open("#/queue", scripts=(
        "const frame = window.requestAnimationFrame; window.requestAnimationFrame = (run) => setTimeout(() => frame(run), 300);",))
    row(page, titles[1]).locator(".row-main").focus()
    page.keyboard.press("Delete")
    row(page, titles[5]).locator(".grip").focus()
    page.keyboard.press("Space")
    wait_for(lambda: shown_titles(page) == without(titles, 1), "the page does not follow")
    page.wait_for_timeout(700)  # two frames
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    expect(label == f"Move {titles[5]}", f"the focus is on {label}")
    page.keyboard.press("Escape")
    wait_for(lambda: "Moved back" in page.locator("#announcer").text_content(), "the entry was not held any more")


@test("Delete on a row that is not loaded yet does nothing")
def delete_unloaded(stage):
    titles = stage.fill()
    page = stage.open("#/queue", scripts=(
        "const ask = window.fetch; window.fetch = (path, ...rest) => path.includes('/queue?') ? new Promise(() => {}) : ask(path, ...rest);",))
    page.locator("#queue .queue-row[data-loading]:not([hidden]) .row-main").first.focus()
    page.keyboard.press("Delete")
    page.wait_for_timeout(200)
    expect(stage.titles() == titles, f"the house has {stage.titles()}")


@test("undo takes an entry out of the zone that it was added to")
def undo_in_zone(stage):
    titles = stage.fill(4)
    track = stage.tracks(6)[5]
    other = stage.api.post("/zones", {"name": "Web cellar", "rooms": []})["zone"]
    try:
        page = stage.open(f"#/library/albums/{track['albumID']}")
        page.get_by_role("button", name=f"More for {track['title']}", exact=True).first.click()
        page.get_by_role("menuitem", name="Add to the end").click()
        wait_for(lambda: stage.titles() == titles + [track["title"]], f"the house has {stage.titles()}")
        page.locator("#zone-button").click()
        page.get_by_role("menuitemradio", name="Web cellar").click()
        page.get_by_role("button", name="Undo").click()
        wait_for(lambda: stage.titles() == titles, "undo does not remove the entry")
    finally:
        stage.api.delete(f"/zones/{other}")
