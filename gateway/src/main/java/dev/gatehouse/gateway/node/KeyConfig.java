package dev.gatehouse.gateway.node;

import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.key.RegistrationKeys;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the holders of keys. */
@Configuration(proxyBeanMethods = false)
class KeyConfig {

  @Bean
  FileKeyRings keyRings(Node node, InstantSource time, SecureRandom random) {
    return new FileKeyRings(node.data(), time, random);
  }

  @Bean
  SealingKey sealingKey(Node node, SecureRandom random) {
    return switch (node.storage()) {
      case EMBEDDED -> new SealingKey(node.data(), random);
      case VOLATILE -> SealingKey.inMemory(random);
    };
  }

  @Bean
  RegistrationKeys registrationKeys(Node node, InstantSource time, SecureRandom random) {
    return new RegistrationKeys(node.data(), time, random);
  }

  @Bean
  AdministratorKeys administratorKeys(Node node, InstantSource time, SecureRandom random) {
    return new AdministratorKeys(node.data(), time, random);
  }
}
