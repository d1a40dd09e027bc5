package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.effect.Effects;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoints for revisions and secrets. */
@Configuration(proxyBeanMethods = false)
public class RevisionAdminConfig {

  @Bean
  RevisionChanges revisionChanges(
      RevisionStore revisions, ConfigurationControl control, Optional<StoredRealms> stored, AdminAudit audit) {
    return new RevisionChanges(revisions, control, stored, audit);
  }

  /** Only a node with the role gateway decides about requests. */
  @Bean
  PlannedEffects plannedEffects(Optional<Effects> effects, Realms realms, Node node) {
    return new PlannedEffects(effects.filter(made -> node.roles().contains(Role.GATEWAY)), realms);
  }

  @Bean
  RevisionEndpoint revisionEndpoint(
      RevisionStore revisions, ConfigurationControl control, RevisionChanges changes, PlannedEffects effects, AdminAudit audit) {
    return new RevisionEndpoint(revisions, control, changes, effects, audit);
  }

  @Bean
  RealmEntries realmEntries(ConfigurationControl control, RevisionChanges changes) {
    return new RealmEntries(control, changes);
  }

  @Bean
  EntryEndpoint entryEndpoint(RealmEntries entries, RevisionChanges changes, RevisionEndpoint revisions) {
    return new EntryEndpoint(entries, changes, revisions);
  }

  @Bean
  RealmSettings realmSettings(ConfigurationControl control, RevisionChanges changes) {
    return new RealmSettings(control, changes);
  }

  @Bean
  RealmSettingsEndpoint realmSettingsEndpoint(RealmSettings settings, RevisionChanges changes, RevisionEndpoint revisions) {
    return new RealmSettingsEndpoint(settings, changes, revisions);
  }

  @Bean
  PartnerEntries partnerEntries(
      RealmEntries entries, RevisionChanges changes, RevisionEndpoint revisions, ConfigurationControl control) {
    return new PartnerEntries(entries, changes, revisions, control);
  }

  @Bean
  NewEntries newEntries(RealmEntries entries, RevisionChanges changes, RevisionEndpoint revisions) {
    return new NewEntries(entries, changes, revisions);
  }

  @Bean
  RealmFiles realmFiles(ConfigurationControl control, RevisionChanges changes, RevisionEndpoint revisions) {
    return new RealmFiles(control, changes, revisions);
  }

  @Bean
  SecretEndpoint secretEndpoint(RevisionStore revisions, RevisionChanges changes, AdminAudit audit) {
    return new SecretEndpoint(revisions, changes, audit);
  }

  @Bean
  RealmSecretEndpoint realmSecretEndpoint(SecretEndpoint secrets, RevisionChanges changes) {
    return new RealmSecretEndpoint(secrets, changes);
  }
}
