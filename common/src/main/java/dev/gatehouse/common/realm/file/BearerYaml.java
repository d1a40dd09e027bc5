package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.GatewayConfig.Verification;
import dev.gatehouse.common.realm.ProviderConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads {@code bearer} of a route. */
final class BearerYaml {

  private static final Duration CACHE = Duration.ofSeconds(10);

  private final YamlSection section;
  private final List<ProviderConfig> providers;

  BearerYaml(YamlSection section, List<ProviderConfig> providers) {
    this.section = section;
    this.providers = providers;
  }

  Optional<BearerConfig> read() {
    List<String> issuers = texts("issuer");
    List<String> audiences = texts("audience");
    boolean introspected =
        section.read("verification", false, v -> v.choice(Map.of("jwt", false, "introspection", true)));
    Duration cache = section.read("cache", CACHE, v -> v.duration(Duration.ZERO, Duration.ofMinutes(5)));
    List<String> scopes = texts("scopes");
    boolean dpop = section.read("dpop", false, v -> v.choice(Map.of("optional", false, "required", true)));
    boolean forward = section.read("forwardToken", false, YamlValue::bool);
    if (section.has("cache") && !introspected) {
      section.problem("cache", "has no use with verification: jwt", "remove it, or use verification: introspection");
    }
    owed(issuers, audiences, introspected);
    if (issuers.isEmpty() || audiences.isEmpty()) {
      return Optional.empty();
    }
    Verification how = introspected ? new Verification.Introspection(cache) : new Verification.Jwt();
    return Optional.of(new BearerConfig(issuers, audiences, how, scopes, dpop, forward));
  }

  private void owed(List<String> issuers, List<String> audiences, boolean introspected) {
    if (issuers.isEmpty()) {
      section.problem("issuer", "is missing: nobody's tokens count", "write the issuer of one of the providers");
    }
    if (audiences.isEmpty()) {
      section.problem(
          "audience", "is missing: a token for another service would count", "write what tokens for this API name as aud");
    }
    if (introspected && issuers.size() > 1) {
      section.problem("issuer", "names several, but an opaque token does not say whose it is", "keep one of them");
    }
    for (String issuer : issuers) {
      Optional<ProviderConfig> provider = providers.stream().filter(p -> p.issuer().equals(issuer)).findFirst();
      if (provider.isEmpty()) {
        String known = providers.stream().map(ProviderConfig::issuer).collect(Collectors.joining(", "));
        section.problem(
            "issuer", "`" + issuer + "` is not a provider of this realm",
            known.isEmpty() ? "add providers with this issuer" : "add it to providers, or write one of " + known);
      } else if (introspected && provider.get().client().isEmpty()) {
        section.problem("verification", "needs credentials at " + issuer, "add clientId and secret to that provider");
      }
    }
  }

  private List<String> texts(String key) {
    return section.values(key).stream().flatMap(v -> v.string().stream()).distinct().toList();
  }
}
