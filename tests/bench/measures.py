"""What is measured: ours beside something else, in samples of both, with what we want of it."""

import re
import statistics

TARGET = re.compile(r"(<=|>=) (?:([\d.]+)|(?:([\d.]+) )?ref(?: \+ ([\d.]+))?)")


class Measure:
    def __init__(self, name, unit, reference, target):
        self.name, self.unit, self.reference, self.target = name, unit, reference, target
        self.samples = []

    def finish(self):
        self.ours = statistics.median(ours for ours, _ in self.samples)
        self.theirs = statistics.median(theirs for _, theirs in self.samples)
        ratios = [ours / theirs for ours, theirs in self.samples]
        self.quartile1, self.ratio, self.quartile3 = statistics.quantiles(ratios, n=4)

    def is_met(self):
        """None where there is no target."""
        if not self.target:
            return None
        direction, bound, factor, offset = TARGET.fullmatch(self.target).groups()
        factor = 0 if bound else float(factor or 1)
        offset = float(bound or offset or 0)
        above = statistics.median(ours - factor * theirs - offset
                                  for ours, theirs in self.samples)
        return above <= 0 if direction == "<=" else above >= 0
