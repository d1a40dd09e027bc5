package dev.gatehouse.perf.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/** Zero-page logins of people at random, and nothing else. */
public final class LoginSimulation extends Simulation {

  public LoginSimulation() {
    Settings settings = Settings.read();
    setUp(
        scenario("login")
            .exec(feed(Steps.people(settings.people())), exec(Steps.directLogin(settings)))
            .injectClosed(constantConcurrentUsers(settings.users()).during(Duration.ofSeconds(settings.seconds())))
            .protocols(Steps.browser()));
  }
}
