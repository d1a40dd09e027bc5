package dev.gatehouse.perf.saml;

import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import dev.gatehouse.perf.simulation.MeasuredSimulation;
import dev.gatehouse.perf.simulation.Settings;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.util.Locale;

/**
 * One case of S1: login at the IdP, single sign-on, logout. With POST the browser submits the Response, in two measured
 * steps; with Artifact it only follows redirects, in one.
 */
public final class SamlSimulation extends MeasuredSimulation {

  private final SamlCase samlCase =
      SamlCase.all().stream().filter(each -> each.name().equals(Settings.get("case"))).findFirst().orElseThrow();

  public SamlSimulation() {
    offer(
        scenario(samlCase.name())
            .exec(
                feed(people()),
                recorder.measured(Steps.LOGIN, Steps.directLogin()),
                signOn(),
                recorder.measured(Steps.logout(samlCase.logout()), Steps.logoutAtSp(samlCase.logout()))));
  }

  private ChainBuilder signOn() {
    return switch (samlCase.profile()) {
      case POST ->
          exec(
              recorder.measured(Steps.GENERATION, Steps.takingResponse(begin())),
              recorder.measured(Steps.CONSUMPTION, Steps.consume()));
      case ARTIFACT -> exec(recorder.measured(Steps.SINGLE_SIGN_ON, Steps.endingOnPage(begin())));
    };
  }

  private HttpRequestActionBuilder begin() {
    return switch (samlCase.initiator()) {
      case SP -> http("sign on").get(Settings.get("app") + "/protected/page");
      case IDP ->
          http("sign on")
              .get(Steps.realmUrl() + "/saml/init")
              .queryParam("sp", Settings.get("app") + "/.gatehouse/saml/metadata")
              .queryParam("binding", samlCase.profile().name().toLowerCase(Locale.ROOT))
              .queryParam("RelayState", "/protected/page");
    };
  }
}
