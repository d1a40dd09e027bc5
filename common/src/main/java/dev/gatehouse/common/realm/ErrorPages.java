package dev.gatehouse.common.realm;

import java.util.Map;
import java.util.Optional;

/**
 * An administrator's own pages for refusals and failing apps: HTML with the placeholders {@code {{status}}} and {@code
 * {{reference}}}.
 *
 * @param byStatus the page by a status like {@code 404}, a class like {@code 5xx}, or {@code other}
 */
public record ErrorPages(Map<String, String> byStatus) {

  /** Our pages only. */
  public static final ErrorPages NONE = new ErrorPages(Map.of());

  public ErrorPages {
    byStatus = Map.copyOf(byStatus);
  }

  /** Returns the most specific page for that status. */
  public Optional<String> of(int status) {
    return Optional.ofNullable(byStatus.get(Integer.toString(status)))
        .or(() -> Optional.ofNullable(byStatus.get(status / 100 + "xx")))
        .or(() -> Optional.ofNullable(byStatus.get("other")));
  }
}
