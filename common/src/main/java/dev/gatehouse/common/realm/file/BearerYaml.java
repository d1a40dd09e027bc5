package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.GatewayConfig.Verification;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads {@code bearer} of a route. */
final class BearerYaml {

  static final Section KEYS = new Section();
  private static final Key<String> ISSUER =
      KEYS.list("issuer", Type.TEXT.reaching(Reach.NAME_ONLY), "e.g. https://login.example.org",
          "Issuers among `providers` whose tokens count; required.");
  private static final Key<String> AUDIENCE =
      KEYS.list("audience", Type.TEXT.reaching(Reach.NAME_ONLY), "e.g. https://api.example.org",
          "Accepted audiences; a token must name one. Required.");
  private static final Key<Boolean> INTROSPECTION =
      KEYS.key(
          "verification", Type.choice(i -> i ? "introspection" : "jwt", false, true), "jwt",
          "How a token is verified: with the issuer's keys, or by a request to the issuer.");
  private static final Key<Duration> CACHE =
      KEYS.key("cache", Type.duration("0s", "5m"), "10s", "With `verification: introspection`: how long an answer counts.");
  private static final Key<String> SCOPES =
      KEYS.list("scopes", Type.TEXT, "[]", "Scopes that a token must have, all of them, e.g. `[read, write]`.");
  private static final Key<Boolean> DPOP =
      KEYS.key(
          "dpop", Type.choice(r -> r ? "required" : "optional", false, true), "optional",
          "`required`: tokens without a DPoP proof are refused.");
  private static final Key<Boolean> FORWARD = KEYS.key("forwardToken", Type.BOOL, "false", "Whether the app gets the token.");

  private final YamlSection section;
  private final List<ProviderConfig> providers;

  BearerYaml(YamlSection section, List<ProviderConfig> providers) {
    this.section = section;
    this.providers = providers;
  }

  Optional<BearerConfig> read() {
    List<String> issuers = section.all(ISSUER).stream().distinct().toList();
    List<String> audiences = section.all(AUDIENCE).stream().distinct().toList();
    boolean introspected = section.get(INTROSPECTION);
    if (section.has(CACHE) && !introspected) {
      section.problem(CACHE, "has no effect with verification: jwt", "remove it, or use verification: introspection");
    }
    owed(issuers, audiences, introspected);
    Verification how = introspected ? new Verification.Introspection(section.get(CACHE)) : new Verification.Jwt();
    List<String> scopes = section.all(SCOPES).stream().distinct().toList();
    BearerConfig config = new BearerConfig(issuers, audiences, how, scopes, section.get(DPOP), section.get(FORWARD));
    return issuers.isEmpty() || audiences.isEmpty() ? Optional.empty() : Optional.of(config);
  }

  private void owed(List<String> issuers, List<String> audiences, boolean introspected) {
    if (issuers.isEmpty()) {
      section.problem(ISSUER, "is missing: no token would be accepted", "write the issuer of one of the providers");
    }
    if (audiences.isEmpty()) {
      section.problem(
          AUDIENCE, "is missing: a token for another service would be accepted", "write what tokens for this API name as aud");
    }
    if (introspected && issuers.size() > 1) {
      section.problem(ISSUER, "names several issuers, but an opaque token does not name its issuer", "keep one of them");
    }
    for (String issuer : issuers) {
      Optional<ProviderConfig> provider = providers.stream().filter(p -> p.issuer().equals(issuer)).findFirst();
      if (provider.isEmpty()) {
        String known = providers.stream().map(ProviderConfig::issuer).collect(Collectors.joining(", "));
        section.problem(
            ISSUER, "`" + issuer + "` is not a provider of this realm",
            known.isEmpty() ? "add providers with this issuer" : "add it to providers, or write one of " + known);
      } else if (introspected && provider.get().client().isEmpty()) {
        section.problem(INTROSPECTION, "needs credentials at " + issuer, "add clientId and secret to that provider");
      }
    }
  }
}
