package dev.gatehouse.gateway.admin.partner;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.registry.EndpointRule;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataInspector;
import dev.gatehouse.common.saml.metadata.MetadataOutline;
import dev.gatehouse.common.saml.metadata.MetadataOutline.Verdict;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.gateway.admin.configuration.ProblemView;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.EndpointView;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.FoundPartner;
import dev.gatehouse.gateway.admin.partner.PartnerImportViews.SignatureView;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at metadata that somebody wants to import, and finds everything that speaks against it. */
final class MetadataInspection {

  /**
   * The metadata of the wanted entity, as far as it can be read.
   *
   * @param outline empty if the document is no metadata
   * @param metadata empty if there are problems with it
   */
  record Inspected(
      Optional<MetadataOutline> outline,
      Optional<String> entityId,
      Optional<PartnerMetadata> metadata,
      List<String> notes,
      List<ProblemView> problems) {

    /** Returns what is shown of the entity. */
    Optional<FoundPartner> found() {
      return outline.flatMap(
          known ->
              entityId.map(
                  id ->
                      new FoundPartner(
                          id,
                          metadata.flatMap(PartnerMetadata::displayName),
                          metadata.map(EndpointView::of).orElse(List.of()),
                          metadata.map(PartnerCertificateView::of).orElse(List.of()),
                          SignatureView.of(known.signature()),
                          metadata.flatMap(PartnerMetadata::validUntil).or(known::validUntil),
                          notes)));
    }
  }

  private final MetadataInspector inspector = new MetadataInspector();
  private final MetadataCodec codec;
  private final Realms realms;
  private final PartnerRegistry partners;
  private final InstantSource time;

  MetadataInspection(MetadataCodec codec, Realms realms, PartnerRegistry partners, InstantSource time) {
    this.codec = codec;
    this.realms = realms;
    this.partners = partners;
    this.time = time;
  }

  /**
   * Inspects a document.
   *
   * @param scope of the administrator who sees what is found: of other realms nothing is said to one of a single realm
   * @param source the URL that it came from, or {@code document}
   * @param wanted the entity; may be absent if the document describes one only
   * @param verifyWith a certificate in PEM
   */
  Inspected of(
      String realm, ChangeScope scope, byte[] document, String source, Optional<String> wanted, Optional<String> verifyWith) {
    List<ProblemView> problems = new ArrayList<>();
    Optional<X509Certificate> certificate = verifyWith.flatMap(pem -> certificate(pem, problems));
    return switch (inspector.outline(document, wanted, certificate)) {
      case Result.Refused<MetadataOutline, SamlRefusal>(SamlRefusal refusal) -> {
        problems.add(problem(source, refusal));
        yield new Inspected(Optional.empty(), Optional.empty(), Optional.empty(), List.of(), List.copyOf(problems));
      }
      case Result.Accepted<MetadataOutline, SamlRefusal>(MetadataOutline outline) -> {
        Optional<String> entityId = chosen(outline, wanted, source, problems);
        yield entityId
            .map(id -> read(realm, scope, document, source, outline, id, certificate, problems))
            .orElseGet(() -> new Inspected(Optional.of(outline), Optional.empty(), Optional.empty(), List.of(), List.copyOf(problems)));
      }
    };
  }

  private static Optional<X509Certificate> certificate(String pem, List<ProblemView> problems) {
    try {
      return Optional.of(Pem.certificates(pem.getBytes(StandardCharsets.UTF_8)).getFirst());
    } catch (GeneralSecurityException e) {
      String remedy = "paste the text from BEGIN CERTIFICATE to END CERTIFICATE";
      problems.add(new ProblemView("verifyWith", 0, "verifyWith", "is not a PEM certificate", remedy));
      return Optional.empty();
    }
  }

  private static Optional<String> chosen(
      MetadataOutline outline, Optional<String> wanted, String source, List<ProblemView> problems) {
    List<String> all = outline.entities().stream().map(MetadataOutline.Entity::entityId).toList();
    if (wanted.isPresent()) {
      if (!all.contains(wanted.get())) {
        problems.add(new ProblemView(source, 0, "entityId", "the metadata do not describe that entity", "choose one that they describe"));
        return Optional.empty();
      }
      return wanted;
    }
    if (all.size() != 1) {
      String message = all.isEmpty() ? "the metadata describe no entity" : "the metadata describe " + all.size() + " entities";
      String remedy = all.isEmpty() ? "get the partner's EntityDescriptor" : "choose one by its entity ID";
      problems.add(new ProblemView(source, 0, "entityId", message, remedy));
      return Optional.empty();
    }
    return Optional.of(all.getFirst());
  }

  private Inspected read(
      String realm, ChangeScope scope, byte[] document, String source, MetadataOutline outline, String entityId, Optional<X509Certificate> certificate,
      List<ProblemView> problems) {
    Optional<PartnerMetadata> metadata = Optional.empty();
    switch (codec.read(document, entityId, certificate, time.instant())) {
      case Result.Accepted<PartnerMetadata, SamlRefusal>(PartnerMetadata read) -> metadata = Optional.of(counting(realm, read));
      case Result.Refused<PartnerMetadata, SamlRefusal>(SamlRefusal refusal) -> problems.add(problem(source, refusal));
    }
    if (certificate.isEmpty() && outline.signature().verdict() == Verdict.INVALID) {
      String message = "the signature is wrong: " + outline.signature().detail().orElse("it does not verify");
      problems.add(new ProblemView(source, 0, "signature", message, "get the metadata from their publisher again"));
    }
    ownEntity(entityId, source, scope).ifPresent(problems::add);
    List<String> notes = new ArrayList<>(metadata.map(PartnerMetadata::notes).orElse(List.of()));
    metadata.ifPresent(read -> notes.addAll(notes(realm, scope, read)));
    return new Inspected(Optional.of(outline), Optional.of(entityId), metadata, List.copyOf(notes), List.copyOf(problems));
  }

  /** Returns what will count of the metadata: of a partner that is configured already, as its entry says. */
  private PartnerMetadata counting(String realm, PartnerMetadata read) {
    boolean plainHttp = partners.find(realm, read.entityId()).filter(known -> known.config().plainHttp()).isPresent();
    return realms.find(realm).map(config -> EndpointRule.of(config, plainHttp).applied(read)).orElse(read);
  }

  /** Nobody else may say what this node's own keys are; its own metadata count at their own address only. */
  Optional<ProblemView> ownEntity(String entityId, String source, ChangeScope scope) {
    for (Realm realm : realms.all().stream().filter(one -> scope.includesRealm(one.name())).toList()) {
      Optional<String> idp = realm.idp().map((IdpConfig config) -> config.entityId(realm.name()));
      boolean isOwnIdp = idp.equals(Optional.of(entityId)) && !source.equals(entityId + "/saml/metadata");
      boolean isOwnSp = realm.sp().map(SpConfig::entityId).equals(Optional.of(entityId)) && !source.equals(entityId);
      if (isOwnIdp || isOwnSp) {
        String address = isOwnIdp ? entityId + "/saml/metadata" : entityId;
        return Optional.of(
            new ProblemView(
                source, 0, "entityId", "is this node's own, of the realm " + realm.name(),
                "import it by the URL " + address + ", or write the partner without `metadata`"));
      }
    }
    return Optional.empty();
  }

  private List<String> notes(String realm, ChangeScope scope, PartnerMetadata metadata) {
    List<String> notes = new ArrayList<>();
    Instant now = time.instant();
    for (PartnerCertificateView one : PartnerCertificateView.of(metadata)) {
      if (now.isAfter(one.expiresAt())) {
        notes.add("its certificate for " + one.use() + " has ended at " + one.expiresAt() + ": " + one.subject());
      } else if (now.isBefore(one.startsAt())) {
        notes.add("its certificate for " + one.use() + " begins at " + one.startsAt() + " only: " + one.subject());
      }
    }
    partners.find(realm, metadata.entityId()).flatMap(partner -> older(partner, metadata)).ifPresent(notes::add);
    realms.all().stream()
        .filter(other -> scope.includesRealm(other.name()) && !other.name().equals(realm) && partners.find(other.name(), metadata.entityId()).isPresent())
        .forEach(other -> notes.add("the realm " + other.name() + " has this partner, too"));
    return notes;
  }

  /** An old document, well signed and not yet expired, could restore a revoked key. */
  private static Optional<String> older(Partner partner, PartnerMetadata metadata) {
    return partner.metadata() instanceof MetadataState.Usable(PartnerMetadata held, Instant at, Optional<String> problem)
            && held.validUntil().filter(until -> metadata.validUntil().filter(its -> !its.isBefore(until)).isEmpty()).isPresent()
        ? Optional.of("the metadata in use are valid longer: until " + held.validUntil().orElseThrow() + "; these may be older")
        : Optional.empty();
  }

  static ProblemView problem(String source, SamlRefusal refusal) {
    return switch (refusal.reason()) {
      case XML_NOT_WELL_FORMED, XML_DOCTYPE, XML_TOO_COMPLEX, XML_PROCESSING_INSTRUCTION, XML_DUPLICATE_ID, MESSAGE_TOO_LARGE,
          UNEXPECTED_MESSAGE ->
          new ProblemView(
              source, 0, "metadata", "is no SAML metadata: " + refusal.detail(), "use the partner's EntityDescriptor, in UTF-8");
      case EXPIRED -> new ProblemView(source, 0, "validUntil", refusal.detail(), "get the partner's newest metadata");
      case SIGNATURE_MISSING, SIGNATURE_INVALID, SIGNATURE_ALGORITHM, SIGNATURE_MALFORMED, SIGNATURE_REFERENCE, SIGNATURE_TRANSFORM ->
          new ProblemView(source, 0, "signature", refusal.detail(), "get the metadata from their publisher again, or correct `verifyWith`");
      default -> new ProblemView(source, 0, "metadata", refusal.detail(), "ask the partner for metadata that follow SAML Metadata 2.0");
    };
  }
}
