package dev.gatehouse.perf.gateway;

import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * One row of the comparison: the gateway's work, and nginx's work beside it.
 *
 * <p>{@code least} is the required share of nginx's rate per CPU second, if any; {@code aim} is the desired one.
 */
enum Work {
  PUBLIC_PAGE("public page of 14 KB from the cache", "nginx serves the file", 0.9, 1.0),
  PROTECTED_PAGE("the same page, protected: session and role checked", "nginx serves the file, unchecked", 0.8, 0.9),
  PASS_THROUGH("pass-through, identity headers injected", "nginx proxy_pass", 0.85, 1.0),
  PUBLIC_PAGE_TLS("public page by TLS 1.3", "nginx by TLS 1.3", 0.85, 1.0),
  PASS_THROUGH_TLS("pass-through by TLS 1.3", "nginx proxy_pass by TLS 1.3", 0.85, 1.0),
  HANDSHAKE_RSA("new TLS connection and small page, RSA-2048", "nginx, the same", 0.85, 1.0),
  HANDSHAKE_P256("new TLS connection and small page, P-256", "nginx, the same", 0.85, 1.0),
  EXTRANET_COOKIE("AuthMark Extranet, pages by session (11 operations)", "nginx serves the file", 0.7, 0.85),
  EXTRANET_PASSWORD("AuthMark Extranet, password each time (11 operations)", "nginx serves the file", 0.7, 0.85),
  AUTHMARK_LOGIN("AuthMark Login: 401, Basic, page", "", 0, 0);

  private final String title;
  private final String peer;
  private final double least;
  private final double aim;

  Work(String title, String peer, double least, double aim) {
    this.title = title;
    this.peer = peer;
    this.least = least;
    this.aim = aim;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<Work> of(String word) {
    return Arrays.stream(values()).filter(work -> work.word().equals(word)).findFirst();
  }

  String title() {
    return title;
  }

  /** The comparable work of nginx; empty if there is none. */
  String peer() {
    return peer;
  }

  double least() {
    return least;
  }

  double aim() {
    return aim;
  }

  /** Whether the work needs programmed callers, instead of one repeated request. */
  boolean isByCallers() {
    return this == EXTRANET_COOKIE || this == EXTRANET_PASSWORD || this == AUTHMARK_LOGIN;
  }

  /** Whether each request uses a new connection. */
  boolean isHandshake() {
    return this == HANDSHAKE_RSA || this == HANDSHAKE_P256;
  }

  private boolean isTls() {
    return this == PUBLIC_PAGE_TLS || this == PASS_THROUGH_TLS || isHandshake();
  }

  /** The URL of the work at the gateway. */
  URI ours(Gateway gateway) {
    return URI.create(origin(gateway.http(), gateway.rsa(), gateway.p256()) + switch (this) {
      case PUBLIC_PAGE, PUBLIC_PAGE_TLS -> "/public/page-14k.html";
      case PROTECTED_PAGE -> "/role/page-14k.html";
      case PASS_THROUGH, PASS_THROUGH_TLS -> "/app/small";
      case HANDSHAKE_RSA, HANDSHAKE_P256 -> "/public/small.html";
      case EXTRANET_COOKIE, EXTRANET_PASSWORD, AUTHMARK_LOGIN -> "/mark/page-14k.html";
    });
  }

  /** The URL of the comparable work at nginx. */
  URI peer(Peer nginx) {
    return URI.create(origin(nginx.http(), nginx.rsa(), nginx.p256()) + switch (this) {
      case PASS_THROUGH, PASS_THROUGH_TLS -> "/app/small";
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
