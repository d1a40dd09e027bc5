package dev.gatehouse.common.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A wrong clock of one process, by Debian's {@code libfaketime}: the time of day is ahead; the clock that only measures how long something
 * takes is not touched, as on a machine whose clock is set wrong.
 */
final class ClockAhead {

  private static final List<Path> LIBRARIES =
      List.of(Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"), Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1"));

  private ClockAhead() {}

  /** Returns the environment of a process whose clock is ahead. */
  static Map<String, String> environment(Duration by) {
    Path library =
        LIBRARIES.stream()
            .filter(Files::isReadable)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("libfaketime is not installed: apt-get install faketime"));
    return Map.of(
        "LD_PRELOAD", library.toString(), "FAKETIME", "+" + by.toSeconds() + "s", "FAKETIME_DONT_FAKE_MONOTONIC", "1",
        "FAKETIME_FORCE_MONOTONIC_FIX", "0", "FAKETIME_DISABLE_SHM", "1", "NO_FAKE_STAT", "1");
  }
}
