package dev.gatehouse.gateway.admin.theme;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.ThemePages;
import dev.gatehouse.common.page.ThemeTexts;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.admin.web.BadRequest;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Shows pages of a realm with sample values, by the engine that makes the real ones. They have no session, send nothing and run nothing.
 */
public final class ThemePreview {

  /** Nobody has asked for the page. */
  private static final Origin NOWHERE = Origin.of(URI.create("http://localhost"));

  private final Pages pages;

  ThemePreview(Pages pages) {
    this.pages = pages;
  }

  /**
   * What is to be shown.
   *
   * @param page as in {@link ThemePages#names()}
   * @param sample empty: the first of the page
   * @param language as in {@link ThemeTexts#languages()}
   */
  public record Shown(String page, String sample, String language) {

    public Shown {
      if (!ThemePages.isKnown(page)) {
        throw new BadRequest("`page` is one of " + String.join(", ", ThemePages.names()) + ".");
      }
      if (!sample.isEmpty() && !ThemePages.samples(page).containsKey(sample)) {
        throw new BadRequest("`sample` is one of " + String.join(", ", ThemePages.samples(page).keySet()) + ".");
      }
      if (!ThemeTexts.languages().contains(language)) {
        throw new BadRequest("`language` is one of " + String.join(", ", ThemeTexts.languages()) + ".");
      }
    }

    private Map<String, Object> model() {
      Map<String, Map<String, Object>> samples = ThemePages.samples(page);
      return sample.isEmpty() ? samples.values().iterator().next() : Optional.ofNullable(samples.get(sample)).orElseThrow();
    }
  }

  /**
   * Returns the page.
   *
   * @param realm with the theme
   */
  public EdgeReply show(Realm realm, Shown shown) {
    Headers language = Headers.of(List.of(new Headers.Field("Accept-Language", shown.language())));
    EdgeRequest request = new EdgeRequest("GET", NOWHERE, "/", "", language, new byte[0], InetAddress.getLoopbackAddress());
    return pages.render(request, Optional.of(realm), new Page(200, shown.page(), shown.model(), Page.Policy.preview()));
  }
}
