package dev.gatehouse.gateway.node;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditRateLimit;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.page.ThymeleafPages;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the renderer of pages and the log of refusals. */
@Configuration(proxyBeanMethods = false)
class PageConfig {

  @Bean
  Pages pages() {
    return new ThymeleafPages();
  }

  @Bean
  RefusalLog refusalLog(AuditLog audit, PrometheusMeterRegistry meters, InstantSource time, SecureRandom random) {
    Counter unwritten =
        Counter.builder("gatehouse.refusals.unwritten")
            .description("Refused messages and wrong administrator keys that the audit log did not take")
            .register(meters);
    return new RefusalLog(audit, new AuditRateLimit(time), unwritten, random);
  }
}
