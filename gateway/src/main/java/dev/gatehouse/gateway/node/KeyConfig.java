package dev.gatehouse.gateway.node;

import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.FileKeyPlace;
import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.key.KeyPlace;
import dev.gatehouse.common.key.RegistrationKeys;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.pkcs11.Pkcs11Tokens;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the holders of keys. */
@Configuration(proxyBeanMethods = false)
class KeyConfig {

  @Bean
  KeyPlace keyPlace(Node node, ObjectProvider<SharedState> shared) {
    return switch (node.storage()) {
      case EMBEDDED, VOLATILE -> new FileKeyPlace(node.data());
      case SHARED -> shared.getObject().keys();
    };
  }

  /** The tokens, of which each works: a node whose keys are away starts with no others in their place. */
  @Bean
  Pkcs11Tokens pkcs11Tokens(Node node) {
    Pkcs11Tokens tokens = Pkcs11Tokens.of(node);
    tokens.requireAll();
    return tokens;
  }

  @Bean
  FileKeyRings keyRings(KeyPlace place, InstantSource time, SecureRandom random, Pkcs11Tokens tokens) {
    return new FileKeyRings(place, time, random, tokens);
  }

  @Bean
  SealingKey sealingKey(Node node, KeyPlace place, SecureRandom random) {
    return switch (node.storage()) {
      case EMBEDDED, SHARED -> new SealingKey(place, random);
      case VOLATILE -> SealingKey.inMemory(random);
    };
  }

  @Bean
  RegistrationKeys registrationKeys(KeyPlace place, InstantSource time, SecureRandom random) {
    return new RegistrationKeys(place, time, random);
  }

  @Bean
  AdministratorKeys administratorKeys(KeyPlace place, InstantSource time, SecureRandom random) {
    return new AdministratorKeys(place, time, random);
  }
}
