package dev.gatehouse.idp.otp.visit;

import dev.gatehouse.common.admin.TrustDesk;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.otp.home.AskedCounts;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What asks other realms of one-time passwords. */
@Configuration(proxyBeanMethods = false)
public class VisitConfig {

  @Bean
  HomeLinks homeLinks(Optional<Node> node, InstantSource clock) {
    return new HomeLinks((address, port) -> node.filter(here -> here.listeners().isAdministration(address, port)).isPresent(), clock);
  }

  @Bean
  Homes homes(Directories directories, HomeLinks links, SealingKey sealing, Stores stores, InstantSource clock) {
    return new Homes(
        directories, new HomeSearch(links, clock), sealing, stores.singleUse(Homes.STORE, new JsonCodec<>(Homes.Remembered.class)), clock);
  }

  @Bean
  VisitRecords visitRecords(AuditLog audit, RefusalLog refusals, Optional<MeterRegistry> meters) {
    return new VisitRecords(audit, refusals, new VisitCounts(meters));
  }

  @Bean
  Visits visits(
      PasscodeChecks passcodes, Homes homes, HomeLinks links, SealingKey sealing, VisitRecords records, RandomGenerator random,
      InstantSource clock) {
    return new Visits(passcodes, homes, links, sealing, records, random, clock);
  }

  @Bean
  TrustDesk trustDesk(Realms realms, HomeLinks links, AskedCounts asked) {
    return new OurTrusts(realms, links, asked);
  }
}
