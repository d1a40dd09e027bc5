package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.realm.ClientConfig.SubjectType;
import dev.gatehouse.common.realm.ClientUris;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The subject type of a client that registers, and the sector of pairwise subjects (OpenID Connect Core 8.1; OpenID
 * Connect Dynamic Client Registration 1.0, section 5). A sector is a host that its owner can prove: that of a document,
 * or the one host of all redirect URIs.
 *
 * @param identifier the document that lists the sector's redirect URIs, to be fetched once
 */
record SubjectMetadata(SubjectType type, Optional<URI> identifier) {

  static SubjectMetadata read(MetadataReader in, List<String> redirectUris) {
    Optional<URI> identifier = in.url("sector_identifier_uri");
    boolean pairwise = in.choice("subject_type", Map.of("public", false, "pairwise", true)).orElse(false);
    if (!pairwise) {
      return new SubjectMetadata(new SubjectType.Public(), identifier);
    }
    Optional<String> sector = identifier.map(URI::getHost).or(() -> ClientUris.sector(redirectUris));
    if (sector.isEmpty()) {
      in.wrong("sector_identifier_uri", "is missing: the redirect URIs are not all https addresses of one host");
    }
    return new SubjectMetadata(new SubjectType.Pairwise(sector.orElse("-")), identifier);
  }

  /** The subject type of stored metadata, whatever else is wrong with them; empty if it is pairwise without a sector. */
  static Optional<SubjectType> stored(Map<String, Object> metadata) {
    MetadataReader in = new MetadataReader(metadata);
    SubjectType type = read(in, in.texts("redirect_uris")).type();
    return in.problem().isPresent() ? Optional.empty() : Optional.of(type);
  }

  /**
   * Returns whether the client's subjects may be sent to this address. Pairwise ones may go where the sector is, and where
   * its redirect URIs lead: they arrive there anyway.
   */
  boolean mayBeSentTo(URI address, List<String> redirectUris) {
    return switch (type) {
      case SubjectType.Public everybody -> true;
      case SubjectType.Pairwise(String sector) ->
          Stream.concat(Stream.of(sector), redirectUris.stream().flatMap(uri -> ClientUris.host(uri).stream()))
              .anyMatch(host -> host.equalsIgnoreCase(address.getHost()));
    };
  }
}
