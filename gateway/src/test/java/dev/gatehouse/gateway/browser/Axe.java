package dev.gatehouse.gateway.browser;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** What axe finds on a page that keeps people from using it. */
public final class Axe {

  /** In the dark only colours are others. Of what is as it should be, one element of each rule is enough. */
  private static final String RUN =
      """
      () => {
        const dark = matchMedia('(prefers-color-scheme: dark)').matches;
        const told = {resultTypes: ['violations'], selectors: false};
        return axe.run(dark ? {...told, runOnly: ['color-contrast', 'link-in-text-block']} : told)
          .then(r => r.passes.length < (dark ? 1 : 10) ? ['axe has not run']
            : r.violations.flatMap(v => v.nodes.map(n => v.id + ' ' + n.html)));
      }
      """;

  private Axe() {}

  /** Loads axe into the page that is shown now. */
  public static void load(Page page) {
    try (InputStream in = Objects.requireNonNull(Axe.class.getResourceAsStream("/axe.min.js"))) {
      page.evaluate(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the rules that the page breaks in its colour scheme of now, each with the element. */
  public static List<String> violations(Page page) {
    return ((List<?>) page.evaluate(RUN)).stream().map(String::valueOf).toList();
  }
}
