package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.data.People;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The rows of FIGURES S2, with the best published figure of each. */
public enum Scenario {
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

  /**
   * A gateway as people reach it.
   *
   * @param http its origin in rows by http; the same as the next where people come by https alone
   * @param https its origin in rows by https
   * @param idp the origin of the identity provider
   */
  public record Site(String http, String https, String idp) {

    /** A gateway that people reach by https alone. */
    public static Site secure(String gateway, String idp) {
      return new Site(gateway, gateway, idp);
    }
  }

  private final String title;
  private final String published;

  Scenario(String title, String published) {
    this.title = title;
    this.published = published;
  }

  public String word() {
    return "s2-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String title() {
    return title;
  }

  String published() {
    return published;
  }

  /**
   * The rows at several nodes, whose balancer people reach by https, as in all published logins. So the secure logins are the others there,
   * and public pages by http are left out. {@link #ONE_PAGE} sends the requests of {@link #BASIC}, whose page needs a role.
   */
  public static List<Scenario> byHttps() {
    return List.of(
        PUBLIC_HTTPS, PAGE_A_SESSION, TEN_PAGES_A_SESSION, BASIC, FORM, FORM_ROLE, FORM_INJECTION, FORM_FILL, TEN_PAGES);
  }

  /** The routes of all rows as a realm lists them, to an app with {@link Pages}. */
  public static String routes(int app) {
    return """
          - {path: /public/, upstream: "http://127.0.0.1:%1$d", access: public, cache: {}}
          - {path: /app/, upstream: "http://127.0.0.1:%1$d", roles: [%2$s], contract: basic, passwordCache: 1d}
          - {path: /form/, upstream: "http://127.0.0.1:%1$d"}
          - path: /fill/
            upstream: http://127.0.0.1:%1$d
            formFill: {form: {path: /fill/login}, fields: {username: user, password: "literal:open"}}
          - {path: /form-plain/, upstream: "http://127.0.0.1:%1$d", inject: {}}
          - {path: /form-role/, upstream: "http://127.0.0.1:%1$d", roles: [%2$s]}
        """
        .formatted(app, roles());
  }

  /** The roles of the pages that need one: everybody in the directory has one of them. */
  static String roles() {
    return IntStream.range(0, People.GROUPS).mapToObj(group -> "group" + group).collect(Collectors.joining(", "));
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
  public Load connections(Site site, Server server, int callers, int people) throws IOException {
    URI url = at(site);
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
                  new FormLogin(url.toString(), site.idp(), people, number);
              case SECURE_FORM ->
                  new FormLogin(url.toString(), List.of(site.idp(), site.http()), false, people, number);
            });
  }

  /** The scenario, which is a login, as a Gatling simulation. */
  Load simulation(Site site, Server server, int callers, int people, Path work) {
    String kind = this == BASIC || this == SECURE_BASIC ? "basic" : "form";
    Map<String, String> settings =
        Map.of("page", at(site).toString(), "kind", kind, "length", Integer.toString(Pages.SMALL));
    return new GatlingLoad(
        server, word(), work, GatewayLoginSimulation.class, Settings.of(callers, people, settings),
        GatewayLoginSimulation.LOGIN);
  }

  /** The URL of the scenario at the gateway. */
  URI at(Site site) {
    return URI.create(
        switch (this) {
          case PUBLIC_HTTP -> site.http() + "/public/";
          case PUBLIC_HTTPS, PAGE_A_SESSION, TEN_PAGES_A_SESSION -> site.https() + "/public/";
          case BASIC, ONE_PAGE, TEN_PAGES -> site.http() + "/app/small";
          case SECURE_BASIC -> site.https() + "/app/small";
          case FORM -> site.http() + "/form-plain/small";
          case SECURE_FORM -> site.https() + "/form-plain/small";
          case FORM_ROLE -> site.http() + "/form-role/small";
          case FORM_INJECTION -> site.http() + "/form/small";
          case FORM_FILL -> site.http() + "/fill/page";
        });
  }
}
