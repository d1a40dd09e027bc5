package dev.gatehouse.gateway.admin.theme;

import dev.gatehouse.common.page.Pages;
import dev.gatehouse.gateway.admin.revision.RealmFiles;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoints for themes. */
@Configuration(proxyBeanMethods = false)
public class ThemeAdminConfig {

  @Bean
  ThemePreview themePreview(Pages pages) {
    return new ThemePreview(pages);
  }

  @Bean
  ThemeEndpoint themeEndpoint(RealmFiles files, ThemePreview preview, AdminAudit audit) {
    return new ThemeEndpoint(files, preview, audit);
  }
}
