package dev.gatehouse.perf.gateway;

import static dev.gatehouse.perf.harness.Markdown.format;

import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.harness.WrkLoad;
import dev.gatehouse.perf.targets.Target;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One row of the comparison: the gateway's work, nginx's work beside it, and what is wanted of the two. */
public enum Work {
  PUBLIC_PAGE("public page of 14 KB from the cache", "nginx serves the file", Wanted.of(Target.PUBLIC_PAGE)),
  PUBLIC_PAGE_60K("public page of 60 KB from the cache", "nginx serves the file", Wanted.NOTHING),
  LARGE_PAGE("page of 8 MB from an app, identity headers injected", "nginx proxy_pass", Wanted.NOTHING),
  PROTECTED_PAGE(
      "the page of 14 KB, protected: session and role checked", "nginx serves the file, unchecked", Wanted.of(Target.PROTECTED_PAGE)),
  PASS_THROUGH("pass-through, identity headers injected", "nginx proxy_pass", Wanted.of(Target.PASS_THROUGH)),
  PUBLIC_PAGE_TLS("public page by TLS 1.3", "nginx by TLS 1.3", Wanted.BY_TLS),
  PASS_THROUGH_TLS("pass-through by TLS 1.3", "nginx proxy_pass by TLS 1.3", Wanted.BY_TLS),
  HANDSHAKE_RSA("new TLS connection and small page, RSA-2048", "nginx, the same", Wanted.BY_TLS),
  HANDSHAKE_P256("new TLS connection and small page, P-256", "nginx, the same", Wanted.BY_TLS),
  EXTRANET_COOKIE(
      "AuthMark Extranet, pages by session (11 operations)", "nginx serves the file", Wanted.of(Target.EXTRANET_BY_SESSION)),
  EXTRANET_PASSWORD(
      "AuthMark Extranet, password each time (11 operations)", "nginx serves the file", Wanted.of(Target.EXTRANET_BY_PASSWORD)),
  AUTHMARK_LOGIN("AuthMark Login: 401, Basic, page", "", Wanted.NOTHING);

  /**
   * Shares of nginx's rate per CPU second.
   *
   * @param least the required one; 0 for none
   */
  private record Wanted(double least, double aim) {
    static final Wanted NOTHING = new Wanted(0, 0);
    static final Wanted BY_TLS = new Wanted(0.85, 1.0);

    static Wanted of(Target target) {
      return new Wanted(target.least(), target.aim());
    }
  }

  private static final int CALLERS = 16;

  private final String title;
  private final String peer;
  private final Wanted wanted;

  Work(String title, String peer, Wanted wanted) {
    this.title = title;
    this.peer = peer;
    this.wanted = wanted;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String title() {
    return title;
  }

  /** The comparable work of nginx; empty if there is none. */
  String peer() {
    return peer;
  }

  /** The required and the desired share of nginx's rate, as two cells; empty ones if nothing is wanted. */
  String wanted() {
    return wanted.least() == 0 ? " | " : format("%.2f | %.2f", wanted.least(), wanted.aim());
  }

  /** Returns whether each request uses a new connection. */
  private boolean isHandshake() {
    return this == HANDSHAKE_RSA || this == HANDSHAKE_P256;
  }

  private boolean isTls() {
    return this == PUBLIC_PAGE_TLS || this == PASS_THROUGH_TLS || isHandshake();
  }

  /** Returns whether a person is logged in. */
  private boolean isLoggedIn() {
    return this == PROTECTED_PAGE || this == PASS_THROUGH || this == PASS_THROUGH_TLS || this == LARGE_PAGE;
  }

  /** Further pages of the visits of AuthMark; nothing if one request is repeated by wrk. */
  private Optional<Visits.Later> visits() {
    return switch (this) {
      case EXTRANET_COOKIE -> Optional.of(Visits.Later.BY_COOKIE);
      case EXTRANET_PASSWORD -> Optional.of(Visits.Later.BY_PASSWORD);
      case AUTHMARK_LOGIN -> Optional.of(Visits.Later.NONE);
      case PUBLIC_PAGE, PUBLIC_PAGE_60K, LARGE_PAGE, PROTECTED_PAGE, PASS_THROUGH, PUBLIC_PAGE_TLS, PASS_THROUGH_TLS, HANDSHAKE_RSA,
          HANDSHAKE_P256 -> Optional.empty();
    };
  }

  /**
   * The load on the gateway.
   *
   * @param connections of wrk
   * @param people in the directory
   * @param active how many of them use the extranet
   */
  public Load at(Gateway gateway, Server server, int connections, int people, int active) throws IOException {
    URI url = ours(gateway);
    Optional<Visits.Later> later = visits();
    if (later.isPresent()) {
      int some = this == AUTHMARK_LOGIN ? people : active;
      return ClosedLoad.open(
          server, word(), CALLERS, number -> new Visits(url, url.getPath(), later.get(), some, Pages.PAGE, number));
    }
    List<String> fields = new ArrayList<>(closing());
    if (isLoggedIn()) {
      fields.add(gateway.loggedIn(url));
    }
    return new WrkLoad(server, word(), url.toString(), connections, fields);
  }

  /** The same kind of load on another gateway, at our paths if it proxies and otherwise at those of files. */
  Load at(Peer peer, Server server, int connections) throws IOException {
    URI url = peer instanceof NginxPeer nginx ? peer(nginx) : ours(peer.http(), peer.rsa(), peer.p256());
    return visits().isPresent()
        ? ClosedLoad.open(server, word(), CALLERS, number -> PageLoads.file(url))
        : new WrkLoad(server, word(), url.toString(), connections, closing());
  }

  private List<String> closing() {
    return isHandshake() ? List.of("Connection: close") : List.of();
  }

  /** Whether HAProxy can do it: it serves no files, and checks nobody. */
  boolean isOfProxies() {
    return switch (this) {
      case PUBLIC_PAGE, PUBLIC_PAGE_60K, LARGE_PAGE, PUBLIC_PAGE_TLS, PASS_THROUGH, PASS_THROUGH_TLS, HANDSHAKE_RSA, HANDSHAKE_P256 -> true;
      case PROTECTED_PAGE, EXTRANET_COOKIE, EXTRANET_PASSWORD, AUTHMARK_LOGIN -> false;
    };
  }

  /** The URL of the work at the gateway. */
  private URI ours(Gateway gateway) {
    return ours(gateway.http(), gateway.rsa(), gateway.p256());
  }

  private URI ours(int http, int rsa, int p256) {
    return URI.create(origin(http, rsa, p256) + switch (this) {
      case PUBLIC_PAGE, PUBLIC_PAGE_TLS -> "/public/page-14k.html";
      case PUBLIC_PAGE_60K -> "/public/page-60k.html";
      case LARGE_PAGE -> "/app/page-8m.html";
      case PROTECTED_PAGE -> "/role/page-14k.html";
      case PASS_THROUGH, PASS_THROUGH_TLS -> "/app/small";
      case HANDSHAKE_RSA, HANDSHAKE_P256 -> "/public/small.html";
      case EXTRANET_COOKIE, EXTRANET_PASSWORD, AUTHMARK_LOGIN -> "/mark/page-14k.html";
    });
  }

  /** The URL of the comparable work at nginx. */
  private URI peer(NginxPeer nginx) {
    return URI.create(origin(nginx.http(), nginx.rsa(), nginx.p256()) + switch (this) {
      case PASS_THROUGH, PASS_THROUGH_TLS -> "/app/small";
      case PUBLIC_PAGE_60K -> "/page-60k.html";
      case LARGE_PAGE -> "/app/page-8m.html";
      case HANDSHAKE_RSA, HANDSHAKE_P256 -> "/small.html";
      case PUBLIC_PAGE, PUBLIC_PAGE_TLS, PROTECTED_PAGE -> "/page-14k.html";
      case EXTRANET_COOKIE, EXTRANET_PASSWORD, AUTHMARK_LOGIN -> "/page-14k.html";
    });
  }

  private String origin(int http, int rsa, int p256) {
    int port = !isTls() ? http : this == HANDSHAKE_RSA ? rsa : p256;
    return (isTls() ? "https" : "http") + "://127.0.0.1:" + port;
  }
}
