package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import java.time.Duration;
import java.util.Map;

/**
 * Tells a throttled person how long to wait: status 429 (RFC 6585, section 4), Retry-After, and the time on the page.
 */
public final class ThrottledForm {

  public static final int STATUS = 429;

  private ThrottledForm() {}

  /** Adds the minutes to the page's model, rounded up. */
  public static void addWait(Map<String, Object> model, Duration retryAfter) {
    model.put("minutes", Math.max(1, retryAfter.plusSeconds(59).toMinutes()));
  }

  public static EdgeReply with(EdgeReply page, Duration retryAfter) {
    return page.with("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
  }
}
