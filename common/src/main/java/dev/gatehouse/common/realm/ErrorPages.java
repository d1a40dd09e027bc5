package dev.gatehouse.common.realm;

import java.util.Map;
import java.util.Optional;

/**
 * Pages of an administrator's own for what is refused and for apps that fail: HTML in which {@code {{status}}} and {@code
 * {{reference}}} are filled in.
 *
 * @param byStatus the page by a status like {@code 404}, a class like {@code 5xx}, or {@code other}
 */
public record ErrorPages(Map<String, String> byStatus) {

  /** Ours. */
  public static final ErrorPages NONE = new ErrorPages(Map.of());

  public ErrorPages {
    byStatus = Map.copyOf(byStatus);
  }

  /** The page for that status; the most exact one. */
  public Optional<String> of(int status) {
    return Optional.ofNullable(byStatus.get(Integer.toString(status)))
        .or(() -> Optional.ofNullable(byStatus.get(status / 100 + "xx")))
        .or(() -> Optional.ofNullable(byStatus.get("other")));
  }
}
