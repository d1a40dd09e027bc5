package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The page for what is shown once, and can be printed: emergency codes, or a PIN that the server has made. */
public final class ShownOnce {

  /** What is shown: the words of its texts. */
  public enum What {
    EMERGENCY_CODES("emergency-codes"),
    SERVER_PIN("server-pin");

    private final String word;

    What(String word) {
      this.word = word;
    }
  }

  private ShownOnce() {}

  /** @param next one of our paths, at which the person continues */
  public static EdgeReply page(Pages pages, RealmRequest request, What what, List<String> values, String name, String next) {
    return page(pages, request, what, values, name, next, Optional.empty());
  }

  /** As the other one; @param until when what is shown ends, for the sheet that is printed */
  public static EdgeReply page(
      Pages pages, RealmRequest request, What what, List<String> values, String name, String next, Optional<Instant> until) {
    Map<String, Object> model = new HashMap<>();
    model.put("what", what.word);
    model.put("values", values);
    model.put("name", name);
    model.put("until", until);
    model.put("next", next);
    return pages.render(request.http(), Optional.of(request.realm()), Page.of(200, "shown-once", model));
  }
}
