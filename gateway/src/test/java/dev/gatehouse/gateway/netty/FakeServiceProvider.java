package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.login.RouteLogin;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** Answers what a test can recognise, and remembers what it was asked. */
final class FakeServiceProvider implements ServiceProvider {

  private final List<EdgeRequest> handled = new CopyOnWriteArrayList<>();
  private final List<EdgeRequest> challenged = new CopyOnWriteArrayList<>();
  private final AtomicReference<Optional<EdgeRequest>> kept = new AtomicReference<>(Optional.empty());

  List<EdgeRequest> handled() {
    return handled;
  }

  List<EdgeRequest> challenged() {
    return challenged;
  }

  @Override
  public EdgeReply handle(Realm realm, EdgeRequest request) {
    requireVirtual();
    handled.add(request);
    if (request.path().endsWith("/fault")) {
      throw new IllegalStateException("the test asked for it");
    }
    if (request.path().endsWith("/error")) {
      throw new StackOverflowError("the test asked for it");
    }
    return EdgeReply.of(200, "text/plain", "sp " + request.method() + " " + request.path() + " " + request.body().length)
        .with("Set-Cookie", "gh_app=x; Path=/");
  }

  @Override
  public EdgeReply challenge(Realm realm, EdgeRequest request, RouteLogin route, boolean mayReplayPost) {
    requireVirtual();
    challenged.add(request);
    if (mayReplayPost) {
      kept.set(Optional.of(request));
    }
    return switch (request.method()) {
      case "GET" -> EdgeReply.seeOther("/.gatehouse/login");
      case "POST" -> EdgeReply.of(409, "text/plain", mayReplayPost ? "kept" : "not kept");
      default -> EdgeReply.json(401, new JsonText());
    };
  }

  @Override
  public Optional<String> loginAddress(Realm realm, EdgeRequest request, RouteLogin route) {
    requireVirtual();
    return request.method().equals("GET") && request.isNavigation()
        ? Optional.of(request.origin() + "/.gatehouse/login?return=" + request.path())
        : Optional.empty();
  }

  @Override
  public Optional<EdgeRequest> takeReplay(Realm realm, EdgeRequest confirmation) {
    requireVirtual();
    return kept.getAndSet(Optional.empty())
        .map(
            post ->
                new EdgeRequest(
                    "POST",
                    post.origin(),
                    post.path(),
                    post.query(),
                    confirmation.headers(),
                    post.body(),
                    confirmation.client()));
  }

  private static void requireVirtual() {
    if (!Thread.currentThread().isVirtual()) {
      throw new AssertionError("the service provider blocks");
    }
  }
}
