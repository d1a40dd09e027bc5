package dev.gatehouse.gateway.effect;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.space.SpaceWatch;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the recorder of decisions, and what asks them again. */
@Configuration(proxyBeanMethods = false)
public class EffectConfig {

  private static final String FOLDER = "decisions";

  /** Nothing is recorded where nothing is kept on disk, and where no apps are served. */
  @Bean
  DecisionRecorder decisionRecorder(Node node, SealingKey sealing, InstantSource time, SpaceWatch space, MeterRegistry registry) {
    if (node.storage() == Node.Storage.VOLATILE || !node.roles().contains(Role.GATEWAY)) {
      return DecisionRecorder.NONE;
    }
    FileDecisionRecorder recorder =
        new FileDecisionRecorder(files(node, sealing), sealing, time, space::isLow, FileDecisionRecorder.Limits.USUAL);
    Gauge.builder("gatehouse.decisions.recorded", recorder, FileDecisionRecorder::recorded)
        .description("Decisions about people that were recorded today")
        .register(registry);
    FunctionCounter.builder("gatehouse.decisions.lost", recorder, FileDecisionRecorder::lost)
        .description("Decisions about people that could not be recorded")
        .register(registry);
    return recorder;
  }

  @Bean
  Effects effects(Node node, SealingKey sealing, DecisionRecorder recorder, InstantSource time) {
    return new Effects(files(node, sealing), recorder instanceof FileDecisionRecorder file ? file::lostRecently : () -> 0, time);
  }

  private static DecisionFiles files(Node node, SealingKey sealing) {
    return new DecisionFiles(node.data().resolve(FOLDER), sealing);
  }
}
