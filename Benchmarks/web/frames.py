"""What the main thread of a page works for each frame, from a trace of Chromium."""

# The end of a frame on the main thread.
FRAME = "Commit"
TASK = "ThreadControllerImpl::RunTask"


def main_thread(events):
    """(process, thread) of the page: the one named CrRendererMain that commits most frames."""
    names = {(event["pid"], event["tid"]) for event in events
             if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"}
    ended = [(event["pid"], event["tid"]) for event in events if event.get("name") == FRAME]
    return max(names, key=ended.count)


def tasks_of_frames(events):
    """Milliseconds of the processor for each frame: of all tasks after the one that ended the last frame.

    Processor time, so that other work on the machine does not count. The first frame's tasks may be from before."""
    thread = main_thread(events)
    ours = [event for event in events if (event.get("pid"), event.get("tid")) == thread and event.get("ph") == "X"]
    ends = sorted(event["ts"] for event in ours if event["name"] == FRAME)
    costs, at = [0.0] * len(ends), 0
    for task in sorted((event for event in ours if event["name"] == TASK), key=lambda event: event["ts"]):
        while at < len(ends) and ends[at] < task["ts"]:
            at += 1
        if at == len(ends):
            break
        costs[at] += task.get("tdur", task.get("dur", 0)) / 1000
    return costs[1:]


def longest_task(events):
    """Milliseconds of the processor of the longest one."""
    thread = main_thread(events)
    return max(event.get("tdur", event.get("dur", 0)) / 1000 for event in events
               if (event.get("pid"), event.get("tid")) == thread and event.get("name") == TASK)
