"""Two hosts for programs of several processes: network namespaces with a cable between them, each with a host name of its
own. The processes of a launcher on the first one can reach those of the second by TCP alone."""

import os
import stat
import subprocess

import pytest

NAMES = ("hosta", "hostb")
ADDRESSES = ("10.99.0.1", "10.99.0.2")

# Does on a host what its arguments are.
START = """#!/bin/sh
exec ip netns exec %s unshare --uts sh -c 'hostname %s && eval "$1"' sh "$*"
"""

# As ssh: [SWITCHES] HOST COMMAND, which is one text or several words.
AGENT = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
case $1 in %s) enter='%s' ;; *) enter='%s' ;; esac
shift
exec "$enter" "$*"
"""


class Hosts:
    def __init__(self, upct):
        self.upct = upct
        # Of this process, as several tests may run at once.
        self.spaces = [f"upct-{os.getpid()}-{name}" for name in NAMES]
        self.starts = [upct.write(name, START % (space, name)) for space, name in zip(self.spaces, NAMES)]
        self.agent = upct.write("agent", AGENT % (ADDRESSES[0], *self.starts))
        for script in (*self.starts, self.agent):
            os.chmod(script, os.stat(script).st_mode | stat.S_IXUSR)

    def connect(self):
        """Returns what the system has against it."""
        a, b = self.spaces
        commands = [f"netns add {a}", f"netns add {b}", f"link add va netns {a} type veth peer name vb netns {b}"]
        for space, link, address in zip(self.spaces, ("va", "vb"), ADDRESSES):
            commands += [f"-n {space} addr add {address}/24 dev {link}", f"-n {space} link set lo up",
                         f"-n {space} link set {link} up"]
        for command in commands:
            done = subprocess.run(["ip", *command.split()], capture_output=True, text=True, check=False)
            if done.returncode:
                return done.stderr.strip() or f"ip {command}"
        return None

    def disconnect(self):
        for space in self.spaces:
            subprocess.run(["ip", "netns", "delete", space], capture_output=True, check=False)

    def run(self, mpi, processes, threads, program, *arguments, **environment):
        """By MPI's launcher on the first host; the processes take turns among the two."""
        words = {"mpich": ["mpiexec.mpich", "-launcher", "ssh", "-launcher-exec", self.agent, "-iface", "va",
                           "-hosts", ",".join(ADDRESSES)],
                 "openmpi": ["mpiexec.openmpi", "--mca", "plm_rsh_agent", self.agent, "--oversubscribe", "--map-by", "node",
                             "-host", ",".join(f"{address}:{processes}" for address in ADDRESSES),
                             *(word for name in ("UPC_THREADS", *environment) for word in ("-x", name))]}[mpi]
        return self.upct.run([self.starts[0], *words, "-n", processes, program, *arguments], UPC_THREADS=threads,
                             OMPI_ALLOW_RUN_AS_ROOT=1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1, **environment)


def connected(upct):
    """For a fixture: the two, as long as it lasts."""
    hosts = Hosts(upct)
    refusal = hosts.connect()
    try:
        if refusal:
            pytest.skip(f"no network namespaces here: {refusal}")
        yield hosts
    finally:
        hosts.disconnect()
