package dev.gatehouse.perf.gatling;

import static io.gatling.javaapi.core.CoreDsl.css;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ScenarioBuilder;

/** A first version of S2: a public page, a login through the form at the identity provider, ten protected pages. */
public final class WebSimulation extends MeasuredSimulation {

  private static final int PAGES = 10;

  public WebSimulation() {
    ScenarioBuilder transaction =
        scenario("public page, form login, protected pages")
            .exec(
                feed(Steps.people(settings.people())),
                recorder.measured(
                    "public page", http("public").get(settings.app() + "/public/page").check(status().is(200))),
                recorder.measured(
                    "login form",
                    http("form")
                        .get(settings.app() + "/protected/page")
                        .check(
                            status().is(200),
                            css("form", "action").saveAs("action"),
                            regex("name=\"csrf\" value=\"([^\"]+)\"").saveAs("csrf"))),
                recorder.measured(
                    "form login",
                    Steps.takingResponse(
                        http("login")
                            .post(settings.idp() + "#{action}")
                            .header("Origin", settings.idp())
                            .formParam("username", "#{name}")
                            .formParam("password", "#{password}")
                            .formParam("csrf", "#{csrf}"))),
                recorder.measured("first protected page", Steps.consume(settings)),
                repeat(PAGES)
                    .on(
                        recorder.measured(
                            "protected page",
                            http("page")
                                .get(settings.app() + "/protected/page")
                                .check(status().is(200), regex("#{name}")))));
    offer(transaction);
  }
}
