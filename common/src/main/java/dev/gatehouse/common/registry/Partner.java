package dev.gatehouse.common.registry;

import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.saml.PartnerMetadata;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A partner: what is configured of it, and what is known of its metadata now. */
public record Partner(PartnerConfig config, MetadataState metadata) {

  /** The state of a partner's metadata. */
  public sealed interface MetadataState {
    /**
     * In use.
     *
     * @param lastProblem why the last refresh failed, while this older document serves on
     */
    record Usable(PartnerMetadata metadata, Instant fetchedAt, Optional<String> lastProblem) implements MetadataState {}

    /** Never had, or past its validUntil: this partner alone is refused. */
    record Unusable(String problem) implements MetadataState {
      /** The state at start, until the first look. */
      public static final Unusable NOT_READ_YET = new Unusable("its metadata has not been read yet");
    }
  }

  public String entityId() {
    return config.entityId();
  }

  /** When the first of the signing certificates in its metadata ends; for administrators. */
  public Optional<Instant> certificatesEnd() {
    return metadata instanceof MetadataState.Usable(var m, var at, var problem)
        ? Stream.concat(
                m.idp().stream().flatMap(idp -> idp.signing().stream()),
                m.sp().stream().flatMap(sp -> sp.signing().stream()))
            .map(certificate -> certificate.getNotAfter().toInstant())
            .min(Comparator.naturalOrder())
        : Optional.empty();
  }

  /** What administrators should know: what was passed over in its metadata, and what is configured but cannot work. */
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

  /** What people call it: configured name, else metadata's, else the entity ID. */
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
