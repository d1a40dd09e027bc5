package dev.gatehouse.gateway.pkcs11;

import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.key.Pkcs11Keys;
import dev.gatehouse.common.pkcs11.Pkcs11Token;
import dev.gatehouse.common.pkcs11.Pkcs11Tokens;
import dev.gatehouse.common.pkcs11.SignaturePool;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health and metrics of PKCS#11 tokens. */
@Configuration(proxyBeanMethods = false)
public class TokenHealth {

  /** Calls of a token, by their state. */
  record TokenMeters(Pkcs11Tokens tokens) {}

  /**
   * Degraded, but not part of readiness: all nodes have the same token, and one that is out of service leaves its people to nobody. Reads
   * the realms' keys once, so that a node whose realms name keys that are not there does not start; and from then on before a change.
   */
  @Bean("tokensHealthIndicator")
  HealthIndicator tokensHealth(Pkcs11Tokens tokens, RealmsInUse realms, FileKeyRings keys) {
    realms.require(new Pkcs11Keys(tokens));
    if (!tokens.all().isEmpty()) {
      realms.all().forEach(keys::of);
    }
    return () -> {
      List<String> problems = tokens.problems();
      return problems.isEmpty() ? Health.up().build() : Health.status("DEGRADED").withDetail("problems", problems).build();
    };
  }

  @Bean
  TokenMeters tokenMeters(Pkcs11Tokens tokens, PrometheusMeterRegistry meters) {
    for (Pkcs11Token token : tokens.all()) {
      gauge(meters, token, "running", SignaturePool::running);
      gauge(meters, token, "waiting", SignaturePool::waiting);
      FunctionCounter.builder("gatehouse.hsm.rejected", token.pool(), SignaturePool::rejected)
          .description("Calls of a token that were refused because too many waited")
          .tag("token", token.name())
          .register(meters);
    }
    return new TokenMeters(tokens);
  }

  private static void gauge(PrometheusMeterRegistry meters, Pkcs11Token token, String state, ToDoubleFunction<SignaturePool> value) {
    Gauge.builder("gatehouse.hsm.calls", token.pool(), value)
        .description("Calls of a token that are made, or wait for a thread")
        .tag("token", token.name())
        .tag("state", state)
        .register(meters);
  }
}
