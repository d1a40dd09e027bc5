package dev.gatehouse.idp.edge;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The document by which browsers take passkeys of a domain to origins elsewhere (WebAuthn Level 3, section 5.11). It is of the domain, not
 * of a realm, and tells nothing but origins of the configuration.
 */
final class RelatedOrigins {

  static final String PATH = "/.well-known/webauthn";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private RelatedOrigins() {}

  /** Returns the document of the host; empty if no realm has related origins for it. */
  static Optional<EdgeReply> at(String host, Collection<Realm> realms) {
    List<String> origins =
        realms.stream().flatMap(realm -> realm.idp().stream()).flatMap(idp -> origins(host, idp)).distinct().toList();
    return origins.isEmpty()
        ? Optional.empty()
        : Optional.of(
            EdgeReply.of(200, "application/json", JSON.writeValueAsBytes(Map.of("origins", origins)))
                .with("Cache-Control", "max-age=3600")
                .with("X-Content-Type-Options", "nosniff"));
  }

  private static Stream<String> origins(String host, IdpConfig idp) {
    Optional<ContractsConfig.Passkeys> related =
        idp.contracts().passkeys().filter(p -> p.rpId().equals(host) && !p.relatedOrigins().isEmpty());
    return related.stream()
        .flatMap(passkeys -> Stream.concat(Stream.of(idp.publicUrl()), passkeys.relatedOrigins().stream()))
        .map(url -> Origin.of(url).toString());
  }
}
