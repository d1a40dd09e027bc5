package dev.gatehouse.perf.gatling;

import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.ScenarioBuilder;

/** S1, IdP-initiated: login at the IdP, unsolicited Response by POST, logout. */
public final class IdpInitiatedSimulation extends MeasuredSimulation {

  public IdpInitiatedSimulation() {
    ScenarioBuilder transaction =
        scenario("IdP-initiated, transient, POST, HTTP logout")
            .exec(
                feed(Steps.people(settings.people())),
                recorder.measured(Steps.LOGIN, Steps.directLogin(settings)),
                recorder.measured(
                    Steps.GENERATION,
                    Steps.takingResponse(
                        http("sign on")
                            .get(settings.realmUrl() + "/saml/init")
                            .queryParam("sp", settings.app() + "/.gatehouse/saml/metadata")
                            .queryParam("RelayState", "/protected/page"))),
                recorder.measured(Steps.CONSUMPTION, Steps.consume(settings)),
                recorder.measured(Steps.LOGOUT, Steps.logoutAtSp(settings)));
    offer(transaction);
  }
}
