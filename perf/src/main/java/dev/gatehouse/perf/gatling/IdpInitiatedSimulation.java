package dev.gatehouse.perf.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/** S1, IdP-initiated: login at the IdP, unsolicited Response by POST, logout. */
public final class IdpInitiatedSimulation extends Simulation {

  public IdpInitiatedSimulation() {
    Settings settings = Settings.read();
    ScenarioBuilder transaction =
        scenario("IdP-initiated, transient, POST, HTTP logout")
            .exec(
                feed(Steps.people(settings.people())),
                exec(Steps.directLogin(settings)).exitHereIfFailed(),
                exec(
                        Steps.takingResponse(
                            http(Steps.GENERATION)
                                .get(settings.realmUrl() + "/saml/init")
                                .queryParam("sp", settings.app() + "/.gatehouse/saml/metadata")
                                .queryParam("RelayState", "/protected/page")))
                    .exitHereIfFailed(),
                exec(Steps.consume(Steps.CONSUMPTION, settings)).exitHereIfFailed(),
                exec(Steps.logoutAtSp(settings)));
    setUp(
        transaction
            .injectClosed(constantConcurrentUsers(settings.users()).during(Duration.ofSeconds(settings.seconds())))
            .protocols(Steps.browser()));
  }
}
