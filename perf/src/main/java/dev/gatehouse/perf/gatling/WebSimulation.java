package dev.gatehouse.perf.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.css;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/** A first S2: a public page, a login through the form at the identity server, ten protected pages. */
public final class WebSimulation extends Simulation {

  private static final int PAGES = 10;

  public WebSimulation() {
    Settings settings = Settings.read();
    ScenarioBuilder transaction =
        scenario("public page, form login, protected pages")
            .exec(
                feed(Steps.people(settings.people())),
                exec(http("public page").get(settings.app() + "/public/page").check(status().is(200))),
                exec(
                        http("login form")
                            .get(settings.app() + "/protected/page")
                            .check(
                                status().is(200),
                                css("form", "action").saveAs("action"),
                                regex("name=\"csrf\" value=\"([^\"]+)\"").saveAs("csrf")))
                    .exitHereIfFailed(),
                exec(
                        Steps.takingResponse(
                            http("form login")
                                .post(settings.idp() + "#{action}")
                                .formParam("username", "#{name}")
                                .formParam("password", "#{password}")
                                .formParam("csrf", "#{csrf}")))
                    .exitHereIfFailed(),
                exec(Steps.consume("first protected page", settings)).exitHereIfFailed(),
                repeat(PAGES)
                    .on(
                        exec(
                            http("protected page")
                                .get(settings.app() + "/protected/page")
                                .check(status().is(200), regex("#{name}")))));
    setUp(
        transaction
            .injectClosed(constantConcurrentUsers(settings.users()).during(Duration.ofSeconds(settings.seconds())))
            .protocols(Steps.browser()));
  }
}
