"""Which test runs when: long ones first, each worker asks for the next when it is nearly idle."""

import json
import os

from xdist.scheduler.load import LoadScheduling


class OneByOne(LoadScheduling):
    """Hands out tests one by one. xdist's own hands out pieces, and one worker is left with
    the last while the others have nothing to do."""

    def schedule(self):
        assert self.collection_is_completed
        if self.collection is None:
            if not self._check_nodes_have_same_collection():
                return
            self.collection = next(iter(self.node2collection.values()))
            self.pending[:] = range(len(self.collection))
        for _ in range(2):
            for node in self.nodes:
                if self.pending and len(self.node2pending[node]) < 2:
                    self._send_tests(node, 1)
        if not self.pending:
            for node in self.nodes:
                node.shutdown()

    def check_schedule(self, node, duration=0):
        """A worker has the test that it runs and the next one, which it must know beforehand."""
        if node.shutting_down:
            return
        if not self.pending:
            node.shutdown()
        elif len(self.node2pending[node]) < 2:
            self._send_tests(node, 2 - len(self.node2pending[node]))


class Durations:
    """How long each test took when it last ran in this build."""

    def __init__(self, path):
        self.path = path
        self.seconds = {}
        if os.path.exists(path):
            with open(path) as f:
                self.seconds = json.load(f)

    def save(self):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path + ".new", "w") as f:
            json.dump(self.seconds, f, indent=0, sort_keys=True)
        os.replace(self.path + ".new", self.path)

    def expected(self, item):
        default = 30 if item.get_closest_marker("slow") else getattr(item, "expected_seconds", 1)
        return self.seconds.get(item.nodeid, default)
