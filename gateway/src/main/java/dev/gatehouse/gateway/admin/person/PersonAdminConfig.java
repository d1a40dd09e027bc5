package dev.gatehouse.gateway.admin.person;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.PersonAccess;
import dev.gatehouse.common.admin.PersonRecords;
import dev.gatehouse.common.admin.SessionAccounts;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the endpoints for what belongs to a person: sessions, second factors, stored secrets, persistent names. */
@Configuration(proxyBeanMethods = false)
public class PersonAdminConfig {

  @Bean
  SessionEndpoint sessionEndpoint(
      Realms realms, ObjectProvider<AdminResource.Sessions> sessions, AdministratorPeople people, AdminAudit audit) {
    return new SessionEndpoint(realms, List.copyOf(sessions.stream().toList()), people, audit);
  }

  @Bean
  AuthorizationEndpoint authorizationEndpoint(
      Realms realms, ObjectProvider<AdminResource.OAuthAuthorizations> authorizations, AdministratorPeople people, AdminAudit audit) {
    return new AuthorizationEndpoint(realms, authorizations.stream().findFirst(), people, audit);
  }

  @Bean
  PendingLogoutEndpoint pendingLogoutEndpoint(Realms realms, ObjectProvider<AdminResource.Logouts> logouts) {
    return new PendingLogoutEndpoint(realms, logouts.stream().toList());
  }

  @Bean
  SecondFactorEndpoint secondFactorEndpoint(
      Realms realms, ObjectProvider<AdminResource.SecondFactorAdmin> factors, AdministratorPeople people, AdminAudit audit) {
    return new SecondFactorEndpoint(realms, factors.stream().findFirst(), people, audit);
  }

  @Bean
  PasskeyEndpoint passkeyEndpoint(
      Realms realms, ObjectProvider<AdminResource.PasskeyAdmin> passkeys, AdministratorPeople people, AdminAudit audit) {
    return new PasskeyEndpoint(realms, passkeys.stream().findFirst(), people, audit);
  }

  @Bean
  AppSecretEndpoint appSecretEndpoint(
      Realms realms, ObjectProvider<AdminResource.StoredSecrets> secrets, AdministratorPeople people, AdminAudit audit) {
    return new AppSecretEndpoint(realms, secrets.stream().findFirst(), people, audit);
  }

  @Bean
  FederationEndpoint federationEndpoint(
      Realms realms, ObjectProvider<AdminResource.Federations> federations, AdministratorPeople people, AdminAudit audit) {
    return new FederationEndpoint(realms, List.copyOf(federations.stream().toList()), people, audit);
  }

  @Bean
  PersonDataEndpoint personDataEndpoint(Realms realms, PersonRecords records, AdministratorPeople people, AdminAudit audit) {
    return new PersonDataEndpoint(realms, records, people, audit);
  }

  @Bean
  PersonEndpoint personEndpoint(
      Realms realms,
      PersonRecords records,
      ObjectProvider<PersonAccess> access,
      ObjectProvider<AdminResource.OAuthAuthorizations> authorizations,
      ObjectProvider<SessionAccounts> accounts,
      AdministratorPeople people,
      AdminAudit audit) {
    return new PersonEndpoint(
        realms, records, access.stream().findFirst(), authorizations.stream().findFirst(), accounts.stream().findFirst(), people, audit);
  }

  @Bean
  ReleaseEndpoint releaseEndpoint(
      Realms realms,
      ObjectProvider<AdminResource.AttributeReleases> releases,
      PersonRecords records,
      AdministratorPeople people,
      AdminAudit audit) {
    return new ReleaseEndpoint(realms, releases.stream().findFirst(), records, people, audit);
  }
}
