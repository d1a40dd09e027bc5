package dev.gatehouse.idp;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.backchannel.SoapCall;
import dev.gatehouse.common.db.Consents;
import dev.gatehouse.common.db.RegisteredClients;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.PasswordChanges;
import dev.gatehouse.common.federation.BulkFederation;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.http.PublicHttp;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.NamedKeys;
import dev.gatehouse.common.key.RegistrationKeys;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.logout.SoapLogout;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.Node;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.saml.MetadataCodec;
import dev.gatehouse.common.saml.SamlReader;
import dev.gatehouse.common.saml.SamlWriter;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.throttle.GuessThrottle;
import dev.gatehouse.idp.admin.NamesResource;
import dev.gatehouse.idp.admin.SecondFactorsResource;
import dev.gatehouse.idp.oauth.registration.ClientSources;
import dev.gatehouse.idp.saml.artifact.ArtifactNode;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The part of the identity provider's context that is independent of the web, so that administration finds its
 * AdminResource there too. For nodes with the role {@code idp}.
 */
@Configuration(proxyBeanMethods = false)
public class IdpServices {

  @Bean(initMethod = "start", destroyMethod = "close")
  IdentityProvider identityProvider(
      Realms realms,
      KeyRings keys,
      Directories directories,
      Stores stores,
      PersistentNameIds persistentNameIds,
      PartnerRegistry registry,
      SoapCall calls,
      SamlReader reader,
      SamlWriter writer,
      MetadataCodec metadata,
      Pages pages,
      GuessThrottle throttle,
      Consents consents,
      Node node,
      SecondFactors secondFactors,
      PasswordChanges passwordChanges,
      SealingKey sealing,
      RegisteredClients registeredClients,
      RegistrationKeys registrationKeys,
      PublicHttp publicHttp,
      AuditLog audit,
      RefusalLog refusals,
      InstantSource clock,
      RandomGenerator random) {
    return new IdentityProvider(
        realms,
        keys,
        directories,
        stores,
        persistentNameIds,
        registry,
        reader,
        writer,
        metadata,
        new SoapLogout(SoapLogout.Side.IDP, realms, registry, keys, calls, clock, random),
        pages,
        throttle,
        consents,
        calls,
        new ArtifactNode(node.index()),
        secondFactors,
        passwordChanges,
        sealing,
        clientSources(registeredClients, registrationKeys, publicHttp),
        audit,
        refusals,
        clock,
        random);
  }

  private static ClientSources clientSources(RegisteredClients registered, RegistrationKeys keys, PublicHttp publicHttp) {
    return new ClientSources(
        registered,
        token -> keys.verify(token).map(NamedKeys.NamedKey::name),
        publicHttp);
  }

  @Bean
  AdminResource.RegisteredClients adminRegisteredClients(IdentityProvider provider) {
    return provider.registeredClients();
  }

  @Bean
  AdminResource.Sessions idpSessions(IdentityProvider provider) {
    return provider.sessions();
  }

  @Bean
  AdminResource.Logouts idpLogouts(IdentityProvider provider) {
    return provider.waitingLogouts();
  }

  @Bean
  AdminResource.SecondFactorAdmin secondFactorAdmin(
      SecondFactors secondFactors, Realms realms, Directories directories, AuditLog audit, InstantSource clock) {
    return new SecondFactorsResource(secondFactors, realms, directories, audit, clock);
  }

  @Bean
  AdminResource.Federations idpNames(
      IdentityProvider provider,
      Realms realms,
      Directories directories,
      PersistentNameIds persistentNameIds,
      BulkFederation bulk) {
    return new NamesResource(realms, directories, persistentNameIds, provider.nameIdChanges(), bulk);
  }
}
