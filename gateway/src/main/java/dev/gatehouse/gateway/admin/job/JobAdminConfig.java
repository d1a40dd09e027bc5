package dev.gatehouse.gateway.admin.job;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.JobTable;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.RightsWatch;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the jobs and their endpoint. */
@Configuration(proxyBeanMethods = false)
public class JobAdminConfig {

  @Bean
  Jobs jobs(
      Node node, ObjectProvider<JobTable> shared, RightsWatch rights, AdminAudit audit, InstantSource time, RandomGenerator random) {
    boolean isStored = node.storage() != Node.Storage.VOLATILE;
    JobTable table = shared.getIfAvailable();
    if (table == null) {
      return new Jobs(
          new JobsInFile(isStored ? Optional.of(node.data().resolve("jobs.json")) : Optional.empty()), rights::hold, audit, time, random);
    }
    return new Jobs(new JobsInDatabase(table), rights::hold, audit, time, random);
  }

  @Bean
  JobEndpoint jobEndpoint(Jobs jobs) {
    return new JobEndpoint(jobs);
  }
}
