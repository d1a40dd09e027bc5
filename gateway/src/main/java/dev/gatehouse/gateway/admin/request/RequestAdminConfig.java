package dev.gatehouse.gateway.admin.request;

import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.refusal.RefusalTraces;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoint for requests. */
@Configuration(proxyBeanMethods = false)
public class RequestAdminConfig {

  @Bean
  RequestEndpoint requestEndpoint(RefusalTraces traces, AuditSearch search, InstantSource time) {
    return new RequestEndpoint(traces, search, time);
  }
}
