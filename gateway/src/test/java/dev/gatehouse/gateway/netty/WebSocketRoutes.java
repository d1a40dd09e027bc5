package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.common.realm.WebSocketConfig;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A realm with one public route whose WebSockets are configured. */
final class WebSocketRoutes {

  private WebSocketRoutes() {}

  static Realm realm(int port, Duration idle) {
    WebSocketConfig sockets = new WebSocketConfig(Set.of(new Origin("https", "pages.example", 443)), idle);
    return TestRealms.change(TestRealms.demo())
        .spUrls("http://app.localhost", "https://app.localhost")
        .routes(
            TestRoutes.withWebSocket(
                TestRealms.route("public", "/public/", URI.create("http://127.0.0.1:" + port), new Access.Public()),
                sockets))
        .realm();
  }

  /** With {@code /hour/}, where a login counts for an hour. */
  static Realm anHour(int port) {
    SessionDemand hour = new SessionDemand(Optional.empty(), Optional.of(Duration.ofHours(1)));
    return TestRealms.change(TestRealms.demo())
        .spUrls("http://app.localhost", "https://app.localhost")
        .routes(
            TestRoutes.withSignOn(
                TestRealms.route("hour", "/hour/", URI.create("http://127.0.0.1:" + port), new Access.Protected()),
                SignOnContract.FORM, hour))
        .realm();
  }
}
