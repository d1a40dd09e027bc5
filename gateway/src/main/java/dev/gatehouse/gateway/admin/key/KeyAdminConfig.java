package dev.gatehouse.gateway.admin.key;

import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoints for keys. */
@Configuration(proxyBeanMethods = false)
public class KeyAdminConfig {

  @Bean
  KeyEndpoint keyEndpoint(Realms realms, FileKeyRings keys, InstantSource time, AdminAudit audit) {
    return new KeyEndpoint(realms, keys, time, audit);
  }

  @Bean
  KeyChangeEndpoint keyChangeEndpoint(AdminAudit audit) {
    return new KeyChangeEndpoint(audit);
  }
}
