package dev.gatehouse.perf.simulation;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.http.HttpDsl.http;

import dev.gatehouse.perf.data.People;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * The common part of all simulations: no think time, a closed injection profile with a constant number of users for a fixed
 * time, and recorded steps.
 */
public abstract class MeasuredSimulation extends Simulation {

  protected final Settings settings = Settings.read();
  protected final StepRecorder recorder = new StepRecorder();

  /** Offers the transaction as load; a user who has finished is replaced by the next one. */
  protected final void offer(ScenarioBuilder transaction) {
    setUp(
        transaction
            .injectClosed(constantConcurrentUsers(settings.users()).during(Duration.ofSeconds(settings.seconds())))
            .protocols(browser()));
  }

  /** People chosen at random: their {@code name} and {@code password}. */
  protected final Iterator<Map<String, Object>> people() {
    return Stream.generate(
            () -> {
              int n = ThreadLocalRandom.current().nextInt(1, settings.people() + 1);
              return Map.<String, Object>of("name", People.name(n), "password", People.password(n));
            })
        .iterator();
  }

  /** A browser: follows redirects, stores cookies, navigates. */
  private static HttpProtocolBuilder browser() {
    return http.acceptHeader("text/html")
        .userAgentHeader("Gatehouse bench")
        .header("Sec-Fetch-Mode", "navigate")
        .disableWarmUp()
        .disableCaching();
  }

  @Override
  public final void after() {
    recorder.write(settings.out());
  }
}
