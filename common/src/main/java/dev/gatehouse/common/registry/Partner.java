package dev.gatehouse.common.registry;

import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A partner: its configuration and the present state of its metadata. */
public record Partner(PartnerConfig config, MetadataState metadata) {

  /** The state of a partner's metadata. */
  public sealed interface MetadataState {
    /**
     * In use.
     *
     * @param lastProblem why the last refresh failed, while this older document stays in use
     */
    record Usable(PartnerMetadata metadata, Instant fetchedAt, Optional<String> lastProblem) implements MetadataState {}

    /** No valid metadata, or past its validUntil: only this partner is refused. */
    record Unusable(String problem) implements MetadataState {
      /** The state at start, until the first check. */
      public static final Unusable NOT_READ_YET = new Unusable("its metadata has not been read yet");
    }
  }

  public String entityId() {
    return config.entityId();
  }

  /** Returns when the first of the signing certificates in its metadata expires, for administrators. */
  public Optional<Instant> certificatesEnd() {
    return metadata instanceof MetadataState.Usable(var m, var at, var problem)
        ? Stream.concat(
                m.idp().stream().flatMap(idp -> idp.signing().stream()),
                m.sp().stream().flatMap(sp -> sp.signing().stream()))
            .map(certificate -> certificate.getNotAfter().toInstant())
            .min(Comparator.naturalOrder())
        : Optional.empty();
  }

  /** Returns warnings for administrators: ignored content of its metadata, and configured settings that cannot work. */
  public List<String> warnings() {
    if (!(metadata instanceof MetadataState.Usable(var m, var at, var problem))) {
      return List.of();
    }
    boolean keyMissing =
        !config.asServiceProvider().encrypt().isEmpty()
            && m.sp().filter(sp -> sp.encryption().isEmpty()).isPresent();
    return Stream.concat(
            m.notes().stream(),
            keyMissing
                ? Stream.of("encrypt is configured, but its metadata has no key for that: nobody can log in to it")
                : Stream.empty())
        .toList();
  }

  /** Returns the name for people: the configured name, else the metadata's, else the entity ID. */
  public String displayName() {
    return config
        .displayName()
        .or(
            () ->
                metadata instanceof MetadataState.Usable(var m, var at, var problem)
                    ? m.displayName()
                    : Optional.empty())
        .orElse(config.entityId());
  }
}
