package dev.gatehouse.perf.saml;

import static io.gatling.javaapi.core.CoreDsl.css;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.regex;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.gatehouse.perf.simulation.MeasuredSimulation;
import dev.gatehouse.perf.simulation.Settings;
import io.gatling.javaapi.core.ScenarioBuilder;

/** A public page, a login through the form at the identity provider, eleven protected pages. */
public final class WebSimulation extends MeasuredSimulation {

  private static final int PAGES = 10;

  public WebSimulation() {
    ScenarioBuilder transaction =
        scenario("public page, form login, protected pages")
            .exec(
                feed(people()),
                recorder.measured(
                    "public page", exec(http("public").get(Settings.get("app") + "/public/page").check(status().is(200)))),
                recorder.measured(
                    "login form",
                    exec(http("form")
                        .get(Settings.get("app") + "/protected/page")
                        .check(
                            status().is(200),
                            css("form", "action").saveAs("action"),
                            regex("name=\"csrf\" value=\"([^\"]+)\"").saveAs("csrf")))),
                recorder.measured(
                    "form login",
                    Steps.takingResponse(
                        http("login")
                            .post(Settings.get("idp") + "#{action}")
                            .header("Origin", Settings.get("idp"))
                            .formParam("username", "#{name}")
                            .formParam("password", "#{password}")
                            .formParam("csrf", "#{csrf}"))),
                recorder.measured("first protected page", Steps.consume()),
                repeat(PAGES)
                    .on(
                        recorder.measured(
                            "protected page",
                            exec(http("page")
                                .get(Settings.get("app") + "/protected/page")
                                .check(status().is(200), regex("#{name}"))))));
    offer(transaction);
  }
}
