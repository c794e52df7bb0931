import sys
import time

import allantools
import numpy

size = int(sys.stdin.buffer.readline())
phase = numpy.frombuffer(sys.stdin.buffer.read(size), dtype="<i8").astype(float)
print("ready", flush=True)
for line in sys.stdin.buffer:
    measure = getattr(allantools, line.decode().strip())
    begin = time.perf_counter()
    taus, results, _, _ = measure(phase, rate=1.0, data_type="phase", taus="octave")
    seconds = time.perf_counter() - begin
    print(*(int(tau) for tau in taus))
    print(*(repr(float(result)) for result in results))
    print(seconds, flush=True)
