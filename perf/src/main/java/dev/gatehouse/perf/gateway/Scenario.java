package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.simulation.GatlingLoad;
import dev.gatehouse.perf.simulation.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The rows of FIGURES S2, with the best published figure of each. */
enum Scenario {
  PUBLIC_HTTP("HTTP public, requests", "48,000/s"),
  PUBLIC_HTTPS("HTTPS public, requests", "47,000/s"),
  PAGE_A_SESSION("HTTPS public, one page (51 requests) a connection", "2,808 K/min"),
  TEN_PAGES_A_SESSION("HTTPS public, 10 pages (510 requests) a connection", "1,800 K/min"),
  BASIC("login, name and password by Basic", "700/s"),
  SECURE_BASIC("login, secure Basic", "700/s"),
  FORM("login, name and password by form", "700/s"),
  /** Over raw connections, since all sides are reached by https. */
  SECURE_FORM("login, secure form", "700/s"),
  FORM_ROLE("login + role policy", "500/s"),
  FORM_INJECTION("login + identity injection", "425/s"),
  FORM_FILL("login + form fill", "450/s"),
  ONE_PAGE("authorization, one page, logins included", "30 K/min"),
  TEN_PAGES("authorization, 10 pages, logins included", "2,800 pages/s");

  private final String title;
  private final String published;

  Scenario(String title, String published) {
    this.title = title;
    this.published = published;
  }

  String word() {
    return "s2-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String title() {
    return title;
  }

  String published() {
    return published;
  }

  /** Returns whether the scenario consists of logins that Gatling runs. */
  boolean isLogin() {
    return switch (this) {
      case BASIC, SECURE_BASIC, FORM, FORM_ROLE, FORM_INJECTION, FORM_FILL -> true;
      case PUBLIC_HTTP, PUBLIC_HTTPS, PAGE_A_SESSION, TEN_PAGES_A_SESSION, SECURE_FORM, ONE_PAGE, TEN_PAGES -> false;
    };
  }

  /**
   * The scenario over raw connections; each login is by one of that many people.
   *
   * @param callers concurrent browsers or programs
   */
  Load connections(Gateway gateway, Server server, int callers, int people) throws IOException {
    URI url = at(gateway);
    return ClosedLoad.open(
        server,
        word(),
        callers,
        number ->
            switch (this) {
              case PUBLIC_HTTP, PUBLIC_HTTPS -> PageLoads.publicPages(url, 1, true);
              case PAGE_A_SESSION -> PageLoads.publicPages(url, 1, false);
              case TEN_PAGES_A_SESSION -> PageLoads.publicPages(url, 10, false);
              case BASIC, SECURE_BASIC, ONE_PAGE ->
                  new Visits(url, url.getPath(), Visits.Later.NONE, people, Pages.SMALL, number);
              case TEN_PAGES -> new Visits(url, url.getPath(), Visits.Later.BY_COOKIE, people, Pages.SMALL, number);
              case FORM, FORM_ROLE, FORM_INJECTION, FORM_FILL ->
                  new FormLogin(url.toString(), gateway.idpUrl(), people, number);
              case SECURE_FORM ->
                  new FormLogin(
                      url.toString(), List.of(gateway.idpUrl(), "http://127.0.0.1:" + gateway.http()), false, people, number);
            });
  }

  /** The scenario, which is a login, as a Gatling simulation. */
  Load simulation(Gateway gateway, Server server, int callers, int people, Path work) {
    String kind = this == BASIC || this == SECURE_BASIC ? "basic" : "form";
    Map<String, String> settings =
        Map.of("page", at(gateway).toString(), "kind", kind, "length", Integer.toString(Pages.SMALL));
    return new GatlingLoad(
        server, word(), work, GatewayLoginSimulation.class, Settings.of(callers, people, settings),
        GatewayLoginSimulation.LOGIN);
  }

  /** The URL of the scenario at the gateway. */
  private URI at(Gateway gateway) {
    return switch (this) {
      case PUBLIC_HTTP -> http(gateway, "/public/");
      case PUBLIC_HTTPS, PAGE_A_SESSION, TEN_PAGES_A_SESSION -> https(gateway, "/public/");
      case BASIC, ONE_PAGE, TEN_PAGES -> http(gateway, "/app/small");
      case SECURE_BASIC -> https(gateway, "/app/small");
      case FORM -> http(gateway, "/form-plain/small");
      case SECURE_FORM -> https(gateway, "/form-plain/small");
      case FORM_ROLE -> http(gateway, "/form-role/small");
      case FORM_INJECTION -> http(gateway, "/form/small");
      case FORM_FILL -> http(gateway, "/fill/page");
    };
  }

  private static URI http(Gateway gateway, String path) {
    return URI.create("http://127.0.0.1:" + gateway.http() + path);
  }

  private static URI https(Gateway gateway, String path) {
    return URI.create("https://127.0.0.1:" + gateway.p256() + path);
  }
}
