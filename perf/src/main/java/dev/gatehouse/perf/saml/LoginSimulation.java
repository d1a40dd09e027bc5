package dev.gatehouse.perf.saml;

import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import dev.gatehouse.perf.simulation.MeasuredSimulation;
/** Only zero-page logins, by people chosen at random. */
public final class LoginSimulation extends MeasuredSimulation {

  public LoginSimulation() {
    offer(
        scenario("login")
            .exec(feed(people()), recorder.measured(Steps.LOGIN, Steps.directLogin())));
  }
}
