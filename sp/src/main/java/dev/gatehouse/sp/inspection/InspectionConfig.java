package dev.gatehouse.sp.inspection;

import dev.gatehouse.sp.edge.SpRoutes;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Test logins. */
@Configuration(proxyBeanMethods = false)
@Import({LoginInspector.class, ResponseInspector.class, TestLoginEndpoint.class, TestLogins.class})
public class InspectionConfig {

  @Bean
  SpRoutes inspectionRoutes(TestLoginEndpoint tests) {
    return new SpRoutes(Map.of(TestLoginEndpoint.PATH, tests::handle));
  }
}
