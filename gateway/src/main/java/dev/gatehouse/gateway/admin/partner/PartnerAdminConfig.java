package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.job.Jobs;
import dev.gatehouse.gateway.admin.revision.PartnerEntries;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoints for imports, tests and certificates of partners. */
@Configuration(proxyBeanMethods = false)
public class PartnerAdminConfig {

  @Bean
  PartnerImportEndpoint partnerImportEndpoint(
      MetadataInspection inspection, PartnerRegistry partners, PartnerEntries entries, PublicHttp http, ConfigurationControl control,
      AdminAudit audit) {
    return new PartnerImportEndpoint(new PartnerImports(inspection, partners, entries, http, control, audit), entries, audit);
  }

  @Bean
  ProviderImportEndpoint providerImportEndpoint(
      Realms realms, PartnerEntries entries, PublicHttp http, ConfigurationControl control, AdminAudit audit) {
    ProviderImports imports = new ProviderImports(new ProviderInspection(http), realms, entries, control, audit);
    return new ProviderImportEndpoint(imports, entries, audit);
  }

  @Bean
  AggregateImports aggregateImports(
      MetadataInspection inspection, MetadataCodec codec, PartnerEntries entries, PublicHttp http, ConfigurationControl control,
      InstantSource time) {
    return new AggregateImports(inspection, codec, entries, http, new AggregateAge(codec, control, time), time);
  }

  @Bean
  AggregateImportEndpoint aggregateImportEndpoint(
      AggregateImports imports, PartnerEntries entries, Jobs jobs, ConfigurationControl control, AdminAudit audit) {
    return new AggregateImportEndpoint(imports, entries, jobs, control, audit);
  }

  @Bean
  MetadataInspection metadataInspection(MetadataCodec codec, Realms realms, PartnerRegistry partners, InstantSource time) {
    return new MetadataInspection(codec, realms, partners, time);
  }

  @Bean
  PartnerEndpoint partnerEndpoint(
      Realms realms, PartnerRegistry partners, PartnerTests tests, Jobs jobs, ConfigurationControl control, AdminAudit audit) {
    return new PartnerEndpoint(realms, partners, tests, jobs, control, audit);
  }

  @Bean
  PartnerTests partnerTests(MetadataCodec codec, OutboundHttp metadataHttp, PublicHttp http, InstantSource time) {
    return new PartnerTests(codec, metadataHttp, http, time);
  }

  /** Spring finds converters of bodies by their type. */
  @Bean
  MetadataBodyConverter metadataBodyConverter() {
    return new MetadataBodyConverter();
  }
}
