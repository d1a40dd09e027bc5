package dev.gatehouse.gateway.node;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.PersonRecords;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.refusal.RefusalTraces;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes what exports and erases data about people, over the resources of all roles. */
@Configuration(proxyBeanMethods = false)
class PersonDataConfig {

  @Bean
  PersonRecords personRecords(
      Directories directories,
      ObjectProvider<AdminResource.Sessions> sessions,
      ObjectProvider<AdminResource.Federations> federation,
      ObjectProvider<AdminResource.SecondFactorAdmin> factors,
      ObjectProvider<AdminResource.PersonData> data,
      PersonEvents events,
      AuditLog audit,
      InstantSource time) {
    return new PersonRecords(
        directories,
        () ->
            new PersonRecords.Resources(
                sessions.stream().toList(), federation.stream().toList(), factors.stream().toList(), data.stream().toList()),
        events,
        audit,
        time);
  }

  @Bean
  PersonEvents personEvents(AuditSearch search, InstantSource time) {
    return new PersonEvents(search, time);
  }

  @Bean
  RefusalsOfPerson refusalsOfPerson(RefusalTraces traces) {
    return new RefusalsOfPerson(traces);
  }
}
