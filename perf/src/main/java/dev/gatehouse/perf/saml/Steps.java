package dev.gatehouse.perf.saml;

import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.currentLocationRegex;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.gatehouse.perf.simulation.Settings;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;

/** The measured steps of S1, with the names of the report, and the common parts of its simulations. */
final class Steps {

  static final String LOGIN = "IdP Login";
  static final String GENERATION = "IdP Assertion Generation";
  static final String CONSUMPTION = "SP Assertion Consumption";
  static final String SINGLE_SIGN_ON = "Single Sign-On";

  private Steps() {}

  /** The URL of the realm at the identity provider. */
  static String realmUrl() {
    return Settings.get("idp") + "/realms/" + Settings.get("realm");
  }

  static String logout(SamlCase.Logout logout) {
    return logout + " Logout";
  }

  /** Zero-page login: name and password in the request, a blank page as response. */
  static ChainBuilder directLogin() {
    return exec(http("login")
        .post(realmUrl() + "/login/direct")
        .formParam("username", "#{name}")
        .formParam("password", "#{password}")
        .check(status().is(200)));
  }

  /** Extracts the Response from the self-submitting form. */
  static ChainBuilder takingResponse(HttpRequestActionBuilder request) {
    return exec(request.check(
        status().is(200),
        regex("name=\"SAMLResponse\" value=\"([^\"]+)\"").saveAs("response"),
        regex("name=\"RelayState\" value=\"([^\"]*)\"").withDefault("").saveAs("relayState")));
  }

  /** Submits the form; ends on the protected page, which contains the person's name. */
  static ChainBuilder consume() {
    return exec(http("consume")
        .post(Settings.get("app") + "/.gatehouse/saml/acs")
        .formParam("SAMLResponse", "#{response}")
        .formParam("RelayState", "#{relayState}")
        .check(status().is(200), regex("#{name}")));
  }

  /** Follows redirects to the protected page, which contains the person's name. */
  static ChainBuilder endingOnPage(HttpRequestActionBuilder request) {
    return exec(request.check(status().is(200), regex("#{name}")));
  }

  /**
   * Logout at the sp, over exactly the channel of the case; ends on the page that confirms the end of both sessions.
   * Over HTTP the browser returns from the IdP with its LogoutResponse; over SOAP the sp's first response is that page,
   * so a redirect would be a failure.
   */
  static ChainBuilder logoutAtSp(SamlCase.Logout logout) {
    HttpRequestActionBuilder request =
        http("logout")
            .get(Settings.get("app") + "/.gatehouse/logout")
            .header("Sec-Fetch-Site", "same-origin")
            .check(status().is(200), substring("class=\"badge good\"").count().is(2));
    return switch (logout) {
      case HTTP -> exec(request.check(currentLocationRegex("/\\.gatehouse/saml/slo\\?.*SAMLResponse=")));
      case SOAP -> exec(request.disableFollowRedirect());
    };
  }
}
