package dev.gatehouse.perf.gatling;

import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/** Only zero-page logins, by people chosen at random. */
public final class LoginSimulation extends MeasuredSimulation {

  public LoginSimulation() {
    offer(
        scenario("login")
            .exec(feed(Steps.people(settings.people())), recorder.measured(Steps.LOGIN, Steps.directLogin(settings))));
  }
}
