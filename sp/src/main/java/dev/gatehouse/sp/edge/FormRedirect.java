package dev.gatehouse.sp.edge;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import java.util.Map;
import java.util.Optional;

/**
 * Answers a form that leads to another origin. Our pages may send forms to this origin only, and Chromium holds
 * redirects after them to the same rule (CSP Level 3, form-action), so the way on is a page that goes there by itself.
 */
public final class FormRedirect {

  private final Pages pages;

  public FormRedirect(Pages pages) {
    this.pages = pages;
  }

  /** The page in place of a redirect, with the cookies that it sets; any other reply as it is. */
  public EdgeReply page(SpRealm realm, EdgeRequest request, EdgeReply reply) {
    Optional<String> location = reply.headers().first("Location");
    if (location.isEmpty()) {
      return reply;
    }
    EdgeReply page =
        pages
            .render(request, Optional.of(realm.realm()), Page.of(200, "onward", Map.of("location", location.get())))
            .with("Refresh", "0;url=" + location.get());
    for (String cookie : reply.headers().all("Set-Cookie")) {
      page = page.with("Set-Cookie", cookie);
    }
    return page;
  }
}
