package dev.gatehouse.perf.gateway;

import static io.gatling.javaapi.core.CoreDsl.bodyLength;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.feed;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.gatehouse.perf.simulation.MeasuredSimulation;
import dev.gatehouse.perf.simulation.Navigation;
import dev.gatehouse.perf.simulation.Settings;
import io.gatling.javaapi.core.ChainBuilder;

/** A login of S2 at the gateway, by HTTP Basic or through the form at the identity provider, up to a page of that length. */
public final class GatewayLoginSimulation extends MeasuredSimulation {

  /** The measured step. */
  public static final String LOGIN = "login";

  public GatewayLoginSimulation() {
    String page = Settings.get("page");
    int length = Integer.parseInt(Settings.get("length"));
    ChainBuilder login =
        switch (Settings.get("kind")) {
          case "basic" ->
              exec(
                  http("challenge").get(page).check(status().is(401)),
                  http("page").get(page).basicAuth("#{name}", "#{password}").check(status().is(200), bodyLength().is(length)));
          default ->
              Navigation.open(page, (at, answer) -> answer.status() == 200 && at.equals(page) && answer.body().length() == length);
        };
    offer(scenario(LOGIN).exec(feed(people()), recorder.measured(LOGIN, login)));
  }
}
