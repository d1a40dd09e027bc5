package dev.gatehouse.perf.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/** S1, SP-initiated: login at the IdP, protected page, AuthnRequest by Redirect, Response by POST, logout at the SP. */
public final class SpInitiatedSimulation extends Simulation {

  public SpInitiatedSimulation() {
    Settings settings = Settings.read();
    ScenarioBuilder transaction =
        scenario("SP-initiated, transient, POST, HTTP logout")
            .exec(
                feed(Steps.people(settings.people())),
                exec(Steps.directLogin(settings)).exitHereIfFailed(),
                exec(Steps.takingResponse(http(Steps.GENERATION).get(settings.app() + "/protected/page"))).exitHereIfFailed(),
                exec(Steps.consume(Steps.CONSUMPTION, settings)).exitHereIfFailed(),
                exec(Steps.logoutAtSp(settings)));
    setUp(
        transaction
            .injectClosed(constantConcurrentUsers(settings.users()).during(Duration.ofSeconds(settings.seconds())))
            .protocols(Steps.browser()));
  }
}
