"""A queue of 5,000 entries."""

import os

from stage import Skipped, expect, shown_titles, test, wait_for

LENGTH = 5000
# A frame of 60 in a second takes 16.7 ms; one above this was missed.
LATE_MS = 25
LATE_SHARE = 0.02
MEDIAN_MS = 17.5
ATTEMPTS = 3
# A load for each processor above which frames say nothing about the page.
BUSY = 1.2
OWN_WORK_MS = 5

# Scrolls evenly, as a wheel or a finger does, and notes the time from frame to frame.
SCROLL = """async ({ speed, seconds }) => {
    const scroller = document.querySelector('#queue .scroller');
    const times = [];
    let last = await new Promise(requestAnimationFrame);
    const end = last + seconds * 1000;
    let direction = 1;
    while (last < end) {
        scroller.scrollTop += speed * direction;
        if (scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2) direction = -1;
        const now = await new Promise(requestAnimationFrame);
        times.push(now - last);
        last = now;
    }
    return times;
}"""

# The cost of the page itself: the work of a scroll event, until its layout is done.
WORK = """async () => {
    const scroller = document.querySelector('#queue .scroller');
    const times = [];
    for (let i = 0; i < 120; i++) {
        scroller.scrollTop += 240;
        await new Promise((resolve) => scroller.addEventListener('scroll', resolve, { once: true }));
        const start = performance.now();
        scroller.dispatchEvent(new Event('scroll'));
        void document.body.offsetHeight;
        times.push(performance.now() - start);
        await new Promise(requestAnimationFrame);
    }
    return times;
}"""


def fill_long(stage):
    tracks = [t["id"] for t in stage.api.get("/library/tracks?count=1000")["items"]]
    items = [{"track": tracks[i % len(tracks)]} for i in range(LENGTH)]
    for start in range(0, LENGTH, 1000):
        stage.api.post(f"/zones/{stage.zone}/queue", {"items": items[start:start + 1000], "place": "end"})


def share_of_late(times):
    return sum(time > LATE_MS for time in times) / len(times)


def measure(stage, page, name, speed):
    """Measures up to three times, each right after a page that stands still: other processes of the machine take frames from both."""
    for _ in range(ATTEMPTS):
        still = share_of_late(page.evaluate(SCROLL, {"speed": 0, "seconds": 2}))
        times = sorted(page.evaluate(SCROLL, {"speed": speed, "seconds": 4}))
        median, late = times[len(times) // 2], share_of_late(times)
        stage.note(f"{name}: median {median:.1f} ms, worst {times[-1]:.1f} ms, {late:.1%} above {LATE_MS} ms, {still:.1%} while standing still")
        if median < MEDIAN_MS and late <= LATE_SHARE + still:
            return
    load = os.getloadavg()[0]
    if load > BUSY * os.cpu_count():
        raise Skipped(f"{late:.1%} of the frames are late, but the machine is busy (load {load:.1f}); run it again on a quiet one")
    expect(False, f"in each of {ATTEMPTS} attempts frames were late: {late:.1%}")


@test("a queue of 5,000 entries scrolls at 60 frames a second", measures_time=True)
def scroll(stage):
    fill_long(stage)
    page = stage.open("#/queue", 390, 844)
    wait_for(lambda: page.locator("#queue .queue-row:not([hidden])").count() > 5, "the queue is not shown")
    page.evaluate(SCROLL, {"speed": 40, "seconds": 0.5})
    work = sorted(page.evaluate(WORK))
    expect(work[len(work) // 2] < OWN_WORK_MS, f"the page works for {work[len(work) // 2]:.1f} ms in a frame")
    stage.note(f"own work a frame: median {work[len(work) // 2]:.2f} ms, worst {work[-1]:.2f} ms")
    for name, speed in (("slow", 24), ("fast", 400)):
        measure(stage, page, name, speed)


@test("a long queue keeps few elements in the page, and its end can be reached")
def few_elements(stage):
    fill_long(stage)
    page = stage.open("#/queue", 390, 844)
    wait_for(lambda: page.locator("#queue .queue-row:not([hidden])").count() > 5, "the queue is not shown")
    page.evaluate(SCROLL, {"speed": 4000, "seconds": 1})
    rows = page.locator("#queue .queue-row").count()
    stage.note(f"{rows} rows in the page")
    expect(rows < 80, f"{rows} rows are in the page")
    page.evaluate("(() => { const s = document.querySelector('#queue .scroller'); s.scrollTop = s.scrollHeight; })()")
    last = stage.api.get(f"/zones/{stage.zone}/queue?start={LENGTH - 1}&count=1")["entries"][0]
    wait_for(lambda: page.locator(f'.queue-row[data-entry="{last["id"]}"]').count() == 1, "the last entry is not shown")
    page.locator(f'.queue-row[data-entry="{last["id"]}"] .row-main').focus()
    page.keyboard.press("Alt+ArrowUp")
    moved = wait_for(lambda: stage.api.get(f"/zones/{stage.zone}/queue?start={LENGTH - 2}&count=1")["entries"][0]["id"] == last["id"], "the last entry did not move")
    expect(moved, "the last entry did not move")


@test("an entry is removed from, and moved in, a long queue of which only parts are loaded")
def edit_partly_loaded(stage):
    fill_long(stage)
    page = stage.open("#/queue")
    wait_for(lambda: len(shown_titles(page)) > 5, "the queue is not shown")
    page.evaluate("(() => { const s = document.querySelector('#queue .scroller'); s.scrollTop = s.scrollHeight / 2; })()")
    entries = stage.api.get(f"/zones/{stage.zone}/queue?start=2500&count=3")["entries"]
    rows = [page.locator(f'.queue-row[data-entry="{entry["id"]}"]') for entry in entries]
    rows[0].wait_for()
    # The house never answers: the page shows its own guess.
    held = []
    page.route("**/queue/*", lambda route: held.append(route))
    rows[0].locator(".row-main").focus()
    page.keyboard.press("Delete")
    wait_for(lambda: rows[1].get_attribute("data-index") == "2500", "the next entry does not follow")
    expect(rows[1].get_attribute("aria-setsize") == str(LENGTH - 1), f"the page shows {rows[1].get_attribute('aria-setsize')} entries")
    page.locator('.queue-row[data-index="2500"] .row-more').click()
    page.get_by_role("menuitem", name="Move to the end").click()
    wait_for(lambda: rows[2].get_attribute("data-index") == "2500", "the moved entry does not leave its place")
    expect(rows[2].get_attribute("aria-setsize") == str(LENGTH - 1), "the number of entries has changed")
    for route in held:
        route.fulfill(json={"revision": 0})
