package dev.gatehouse.gateway.admin.log;

import ch.qos.logback.classic.LoggerContext;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import java.time.InstantSource;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoint for levels of the log. */
@Configuration(proxyBeanMethods = false)
public class LogAdminConfig {

  @Bean
  LogLevels logLevels(InstantSource time) {
    return new LogLevels((LoggerContext) LoggerFactory.getILoggerFactory(), time);
  }

  @Bean
  LogEndpoint logEndpoint(LogLevels levels, AdminAudit audit, InstantSource time) {
    return new LogEndpoint(levels, audit, time);
  }
}
