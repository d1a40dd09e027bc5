package dev.gatehouse.perf.gatling;

import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.ScenarioBuilder;

/** S1, SP-initiated: login at the IdP, protected page, AuthnRequest by Redirect, Response by POST, logout at the SP. */
public final class SpInitiatedSimulation extends MeasuredSimulation {

  public SpInitiatedSimulation() {
    ScenarioBuilder transaction =
        scenario("SP-initiated, transient, POST, HTTP logout")
            .exec(
                feed(Steps.people(settings.people())),
                recorder.measured(Steps.LOGIN, Steps.directLogin(settings)),
                recorder.measured(
                    Steps.GENERATION,
                    Steps.takingResponse(
                        http("sign on").get(settings.app() + "/protected/page"))),
                recorder.measured(Steps.CONSUMPTION, Steps.consume(settings)),
                recorder.measured(Steps.LOGOUT, Steps.logoutAtSp(settings)));
    offer(transaction);
  }
}
