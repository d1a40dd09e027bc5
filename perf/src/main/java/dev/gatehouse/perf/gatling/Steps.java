package dev.gatehouse.perf.gatling;

import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.currentLocationRegex;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.saml.SamlCase;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** The measured steps of S1, with the names of the report, and the common parts of its simulations. */
final class Steps {

  static final String LOGIN = "IdP Login";
  static final String GENERATION = "IdP Assertion Generation";
  static final String CONSUMPTION = "SP Assertion Consumption";
  static final String SINGLE_SIGN_ON = "Single Sign-On";

  private Steps() {}

  static String logout(SamlCase.Logout logout) {
    return logout + " Logout";
  }

  /** People chosen at random. */
  static Iterator<Map<String, Object>> people(int people) {
    return Stream.generate(
            () -> {
              int n = ThreadLocalRandom.current().nextInt(1, people + 1);
              return Map.<String, Object>of("name", People.name(n), "password", People.password(n));
            })
        .iterator();
  }

  /** A browser: follows redirects, stores cookies, navigates. */
  static HttpProtocolBuilder browser() {
    return http.acceptHeader("text/html")
        .userAgentHeader("Gatehouse bench")
        .header("Sec-Fetch-Mode", "navigate")
        .disableWarmUp()
        .disableCaching();
  }

  /** Zero-page login: name and password in the request, a blank page as response. */
  static HttpRequestActionBuilder directLogin(Settings settings) {
    return http("login")
        .post(settings.realmUrl() + "/login/direct")
        .formParam("username", "#{name}")
        .formParam("password", "#{password}")
        .check(status().is(200));
  }

  /** Extracts the Response from the self-submitting form. */
  static HttpRequestActionBuilder takingResponse(HttpRequestActionBuilder request) {
    return request.check(
        status().is(200),
        regex("name=\"SAMLResponse\" value=\"([^\"]+)\"").saveAs("response"),
        regex("name=\"RelayState\" value=\"([^\"]*)\"").withDefault("").saveAs("relayState"));
  }

  /** Submits the form; ends on the protected page, which contains the person's name. */
  static HttpRequestActionBuilder consume(Settings settings) {
    return http("consume")
        .post(settings.app() + "/.gatehouse/saml/acs")
        .formParam("SAMLResponse", "#{response}")
        .formParam("RelayState", "#{relayState}")
        .check(status().is(200), regex("#{name}"));
  }

  /** Follows redirects to the protected page, which contains the person's name. */
  static HttpRequestActionBuilder endingOnPage(HttpRequestActionBuilder request) {
    return request.check(status().is(200), regex("#{name}"));
  }

  /**
   * Logout at the sp, over exactly the channel of the case; ends on the page that confirms the end of both sessions.
   * Over HTTP the browser returns from the IdP with its LogoutResponse; over SOAP the sp's first response is that page,
   * so a redirect would be a failure.
   */
  static HttpRequestActionBuilder logoutAtSp(Settings settings, SamlCase.Logout logout) {
    HttpRequestActionBuilder request =
        http("logout")
            .get(settings.app() + "/.gatehouse/logout")
            .header("Sec-Fetch-Site", "same-origin")
            .check(status().is(200), substring("class=\"badge good\"").count().is(2));
    return switch (logout) {
      case HTTP -> request.check(currentLocationRegex("/\\.gatehouse/saml/slo\\?.*SAMLResponse="));
      case SOAP -> request.disableFollowRedirect();
    };
  }
}
