package dev.gatehouse.gateway.admin.request;

import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.refusal.RefusalTraces;
import dev.gatehouse.gateway.admin.web.AdminViews;
import java.time.InstantSource;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoint for requests. */
@Configuration(proxyBeanMethods = false)
public class RequestAdminConfig {

  @Bean
  RequestEndpoint requestEndpoint(RefusalTraces traces, AuditSearch search, InstantSource time) {
    return new RequestEndpoint(traces, search, time);
  }

  @Bean
  AdminViews requestViews() {
    return new AdminViews(
        List.of(
            RequestView.class, RefusalView.class, RefusalView.PersonView.class, RefusalView.RuleView.class,
            RefusalView.AssertionView.class));
  }
}
