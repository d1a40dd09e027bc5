package dev.gatehouse.sp.edge;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import java.util.Map;
import java.util.Optional;

/**
 * Redirects to another origin after a form. Our pages may send forms only to this origin, and Chromium applies the same
 * rule to redirects after a form (CSP Level 3, form-action). The reply is therefore a page that moves on by itself.
 */
public final class FormRedirect {

  private final Pages pages;

  public FormRedirect(Pages pages) {
    this.pages = pages;
  }

  /** Replaces a redirect by the page, with the same cookies; returns any other reply unchanged. */
  public EdgeReply page(SpRealm realm, EdgeRequest request, EdgeReply reply) {
    Optional<String> location = reply.headers().first("Location");
    if (location.isEmpty()) {
      return reply;
    }
    EdgeReply page =
        pages
            .render(request, Optional.of(realm.realm()), Page.of(200, "redirect", Map.of("location", location.get())))
            .with("Refresh", "0;url=" + location.get());
    for (String cookie : reply.headers().all("Set-Cookie")) {
      page = page.with("Set-Cookie", cookie);
    }
    return page;
  }
}
