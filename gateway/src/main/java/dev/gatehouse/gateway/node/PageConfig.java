package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.page.ThymeleafPages;
import dev.gatehouse.common.refusal.FileRefusalTraces;
import dev.gatehouse.common.refusal.RefusalTraces;
import dev.gatehouse.common.space.SpaceWatch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the renderer of pages, and the log and the traces of refusals. */
@Configuration(proxyBeanMethods = false)
class PageConfig {

  @Bean
  Pages pages() {
    return new ThymeleafPages();
  }

  @Bean
  RefusalTraces refusalTraces(Node node, SealingKey sealing, InstantSource time, SpaceWatch space, PrometheusMeterRegistry meters) {
    if (node.storage() == Node.Storage.VOLATILE) {
      return RefusalTraces.NONE;
    }
    FileRefusalTraces traces =
        new FileRefusalTraces(node.data().resolve("refusals"), sealing, time, space::isLow, FileRefusalTraces.Limits.USUAL);
    FunctionCounter.builder("gatehouse.refusals.traces.lost", traces, FileRefusalTraces::lost)
        .description("Traces of refused requests that could not be kept")
        .register(meters);
    return traces;
  }

  @Bean
  RefusalLog refusalLog(
      AuditLog audit, PrometheusMeterRegistry meters, InstantSource time, SecureRandom random, RefusalTraces traces) {
    Counter unwritten =
        Counter.builder("gatehouse.refusals.unwritten")
            .description("Refused messages, certificates and administrator keys, and untried logins, that the audit log did not take")
            .register(meters);
    return new RefusalLog(audit, new AuditRateLimit(time), unwritten, random, traces, time);
  }
}
