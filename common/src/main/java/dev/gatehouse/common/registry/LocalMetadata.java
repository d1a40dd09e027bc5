package dev.gatehouse.common.registry;

import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the metadata files of a configuration before a node does. In a running node a bad file affects only its partner; a check of
 * the configuration should report it.
 */
public final class LocalMetadata {

  private final MetadataCodec codec;
  private final Instant now;

  /** @param now for {@code validUntil} */
  public LocalMetadata(MetadataCodec codec, Instant now) {
    this.codec = codec;
    this.now = now;
  }

  /**
   * The results.
   *
   * @param problems that make a partner unusable
   * @param notes about ignored content of usable documents, a line each
   */
  public record Found(List<Problem> problems, List<String> notes) {}

  public Found of(List<Realm> realms) {
    List<Problem> problems = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (Realm realm : realms) {
      for (PartnerConfig partner : realm.parties().partners()) {
        if (partner.metadata() instanceof MetadataSource.File(Path path, Optional<Path> verifyWith)) {
          check(realm, partner, path, verifyWith, problems, notes);
        }
      }
    }
    return new Found(List.copyOf(problems), List.copyOf(notes));
  }

  private void check(
      Realm realm,
      PartnerConfig partner,
      Path path,
      Optional<Path> verifyWith,
      List<Problem> problems,
      List<String> notes) {
    String key = "metadata of " + partner.entityId() + " in realm " + realm.name();
    try {
      Optional<X509Certificate> certificate =
          verifyWith.isPresent() ? Optional.of(WatchedFile.certificate(verifyWith.get())) : Optional.empty();
      switch (codec.read(Files.readAllBytes(path), partner.entityId(), certificate, now)) {
        case Result.Refused(SamlRefusal refusal) -> problems.add(problem(path, key, refusal));
        case Result.Accepted(PartnerMetadata metadata) ->
            new Partner(partner, new MetadataState.Usable(EndpointRule.of(realm, partner).applied(metadata), now, Optional.empty()))
                .warnings()
                .forEach(warning -> notes.add(path + ": " + key + ": " + warning));
      }
    } catch (IOException | GeneralSecurityException e) {
      problems.add(new Problem(path, 0, key, "cannot be read", "make the file and its verifyWith readable for this user"));
    }
  }

  private static Problem problem(Path path, String key, SamlRefusal refusal) {
    return switch (refusal.reason()) {
      case XML_NOT_WELL_FORMED, XML_DOCTYPE, XML_TOO_COMPLEX, UNEXPECTED_MESSAGE ->
          new Problem(path, 0, key, "is no SAML metadata: " + refusal.detail(), "write the partner's EntityDescriptor there");
      case PARTNER_UNKNOWN ->
          new Problem(path, 0, key, refusal.detail(), "write entityId exactly as the document has it, or get that partner's");
      case EXPIRED -> new Problem(path, 0, key, refusal.detail(), "get the partner's newest document");
      case SIGNATURE_MISSING, SIGNATURE_INVALID, SIGNATURE_ALGORITHM ->
          new Problem(path, 0, key, refusal.detail(), "get it from its publisher again, or correct verifyWith");
      default -> new Problem(path, 0, key, refusal.detail(), "ask the partner for a document that follows SAML Metadata 2.0");
    };
  }
}
