"""The model's event loop as one writes it in Python: a heap of ends, a heap of ready stages a server.

usage: heapq_loop.py FILE REPETITIONS
FILE is a program as bench_heapq.c writes it. Prints the ticks of its last end and, for each
repetition, the processor seconds that it took. Policy strict_fifo.
"""

import heapq
import sys
import time

UNSENT, QUEUED, STARTED, COMPLETE = range(4)
DMA_READ, DMA_WRITE, SERVERS = 1, 2, 7


def read(path):
    commands, instructions = [], []
    with open(path, encoding="ascii") as lines:
        depth, latency = map(int, next(lines).split())
        for line in lines:
            kind, *numbers = line.split()
            numbers = list(map(int, numbers))
            if kind == "instruction":
                instructions.append(tuple(numbers))  # is_wait, command
            elif kind == "command":
                commands.append((numbers[0], numbers[1:], [], set()))  # is_composite, segments
            elif kind == "stage":
                commands[-1][2].append((numbers[0], numbers[1], numbers[2:]))  # server, service, after
            else:
                commands[-1][3].update(numbers)  # hazards with earlier composites
    return depth, latency, instructions, commands


class Machine:
    def __init__(self, program):
        self.depth, self.latency, self.instructions, self.commands = program
        self.now = self.next = self.last_end = 0
        self.state = [UNSENT] * len(self.commands)
        self.left = [len(stages) for _, _, stages, _ in self.commands]
        self.missing = [[len(after) for _, _, after in stages] for _, _, stages, _ in self.commands]
        self.followers = [[[] for _ in stages] for _, _, stages, _ in self.commands]
        for command, (_, _, stages, _) in enumerate(self.commands):
            for stage, (_, _, after) in enumerate(stages):
                for earlier in after:
                    self.followers[command][earlier].append(stage)
        self.ends = []  # (time, command, stage); stage -1: the server `command` is free
        self.ready = [[] for _ in range(SERVERS)]
        self.is_busy = [False] * SERVERS
        self.queue, self.in_flight = [], set()
        self.segment, self.sent_at, self.has_hazard = 0, None, None

    def start(self, command):
        self.state[command] = STARTED
        if self.commands[command][0]:
            self.in_flight.add(command)
        for stage, (server, _, after) in enumerate(self.commands[command][2]):
            if not after:
                heapq.heappush(self.ready[server], (self.now, command, stage))

    def finish(self, command, stage):
        self.last_end = self.now
        self.left[command] -= 1
        for follower in self.followers[command][stage]:
            self.missing[command][follower] -= 1
            if self.missing[command][follower] == 0:
                server = self.commands[command][2][follower][0]
                heapq.heappush(self.ready[server], (self.now, command, follower))
        if self.left[command] == 0:
            self.state[command] = COMPLETE
            self.in_flight.discard(command)

    def act(self):
        """What PE_CPU does at this instant; false when that is nothing more."""
        if self.next == len(self.instructions):
            return False
        is_wait, command = self.instructions[self.next]
        if is_wait:
            if self.state[command] != COMPLETE:
                return False
        else:
            is_composite, segments, _, _ = self.commands[command]
            if self.segment < len(segments):
                if self.sent_at is None:
                    self.sent_at = self.now + segments[self.segment]
                    heapq.heappush(self.ends, (self.sent_at, 0, -1))
                if self.sent_at != self.now:
                    return False
                self.segment, self.sent_at = self.segment + 1, None
                return True
            if not is_composite:
                self.start(command)
            elif len(self.queue) + len(self.in_flight) < self.depth:
                self.queue.append(command)
                self.state[command] = QUEUED
            else:
                return False
            self.segment = 0
        self.next += 1
        return True

    def schedule(self):
        if not self.queue:
            return False
        head = self.queue[0]
        if self.has_hazard is None:
            self.has_hazard = not self.commands[head][3].isdisjoint(self.in_flight)
        if self.has_hazard and self.in_flight:
            return False
        self.queue.pop(0)
        self.has_hazard = None
        self.start(head)
        return True

    def serve(self, server):
        if self.is_busy[server] or not self.ready[server]:
            return
        _, command, stage = heapq.heappop(self.ready[server])
        free_at = self.now + self.commands[command][2][stage][1]
        latency = self.latency if server in (DMA_READ, DMA_WRITE) else 0
        self.is_busy[server] = True
        heapq.heappush(self.ends, (free_at, server, -1))
        heapq.heappush(self.ends, (free_at + latency, command, stage))

    def run(self):
        while True:
            while self.act() or self.schedule():
                pass
            for server in range(1, SERVERS):
                self.serve(server)
            if not self.ends:
                return self.last_end
            self.now = self.ends[0][0]
            while self.ends and self.ends[0][0] == self.now:
                _, command, stage = heapq.heappop(self.ends)
                if stage >= 0:
                    self.finish(command, stage)
                elif command:
                    self.is_busy[command] = False


def main():
    program = read(sys.argv[1])
    for repetition in range(int(sys.argv[2])):
        machine = Machine(program)
        start = time.process_time()
        total = machine.run()
        spent = time.process_time() - start
        if repetition == 0:
            print(total)
        print(f"{spent:.9f}")


main()
