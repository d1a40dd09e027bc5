package dev.gatehouse.gateway.launch;

import java.util.List;

/**
 * Signals that the node cannot start for a reason that the operator can fix; the reason is given in whole sentences,
 * without a stack trace.
 */
final class StartRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<String> lines;

  StartRefused(List<String> lines) {
    super(String.join("\n", lines), null, false, false);
    this.lines = List.copyOf(lines);
  }

  StartRefused(String line) {
    this(List.of(line));
  }

  List<String> lines() {
    return lines;
  }
}
