package dev.gatehouse.perf.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/**
 * The common part of all simulations: no think time, a constant number of users for a fixed time, and recorded steps.
 */
abstract class MeasuredSimulation extends Simulation {

  final Settings settings = Settings.read();
  final StepRecorder recorder = new StepRecorder();

  /** Offers the transaction as load; a user who has finished is replaced by the next one. */
  final void offer(ScenarioBuilder transaction) {
    setUp(
        transaction
            .injectClosed(constantConcurrentUsers(settings.users()).during(Duration.ofSeconds(settings.seconds())))
            .protocols(Steps.browser()));
  }

  @Override
  public final void after() {
    recorder.write(settings.out());
  }
}
