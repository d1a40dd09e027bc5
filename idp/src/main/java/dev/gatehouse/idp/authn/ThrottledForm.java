package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import java.time.Duration;
import java.util.Map;

/** How somebody who is slowed is told so: status 429 (RFC 6585, section 4), Retry-After, and the time in the page. */
public final class ThrottledForm {

  public static final int STATUS = 429;

  private ThrottledForm() {}

  /** The page's model says in how many minutes, rounded up. */
  public static void tell(Map<String, Object> model, Duration retryAfter) {
    model.put("minutes", Math.max(1, retryAfter.plusSeconds(59).toMinutes()));
  }

  public static EdgeReply with(EdgeReply page, Duration retryAfter) {
    return page.with("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
  }
}
