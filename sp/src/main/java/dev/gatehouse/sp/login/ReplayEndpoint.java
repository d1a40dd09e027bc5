package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /.gatehouse/replay?post=...}: asks whether to send the form that was interrupted by a login. The answer is
 * a POST, which the edge gives to {@link SavedRequests#take}; it reaches this endpoint only if that method finds
 * nothing.
 */
public final class ReplayEndpoint {

  private final SavedRequests savedRequests;
  private final Pages pages;
  private final Refusals refusals;

  public ReplayEndpoint(SavedRequests savedRequests, Pages pages, Refusals refusals) {
    this.savedRequests = savedRequests;
    this.pages = pages;
    this.refusals = refusals;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    return switch (request.method()) {
      case "GET" -> ask(realm, request);
      case "POST" -> refusals.page(realm, request, 403, "expired");
      default -> refusals.methodNotAllowed(realm, request, "GET, POST");
    };
  }

  private EdgeReply ask(SpRealm realm, EdgeRequest request) {
    Optional<String> key = request.queryParameters().one("post");
    return key.flatMap(post -> savedRequests.question(realm, request, post))
        .map(question -> page(realm, request, key.get(), question))
        .orElseGet(() -> refusals.page(realm, request, 403, "expired"));
  }

  private EdgeReply page(SpRealm realm, EdgeRequest request, String key, SavedRequests.Question question) {
    Map<String, Object> model =
        Map.of("action", SpPaths.REPLAY, "post", key, "csrf", question.csrf(), "path", question.path());
    return pages.render(request, Optional.of(realm.realm()), Page.of(200, "replay", model));
  }
}
