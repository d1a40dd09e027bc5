package dev.gatehouse.idp.saml.metadata;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.KeyRing;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.UiInfo;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.saml.artifact.ArtifactNode;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Our IDPSSODescriptor, at {@code /saml/metadata} below the entity ID. The signed document is cached until the realm or
 * its keys change, or ten minutes have passed, because {@code validUntil} moves on.
 */
public final class MetadataEndpoint implements dev.gatehouse.idp.endpoint.Endpoint {

  private static final Duration CACHED = Duration.ofMinutes(10);
  private static final Duration VALID = Duration.ofDays(7);
  private static final Duration CACHE = Duration.ofHours(1);

  /** A document with the values from which it was made. */
  private record Document(Realm.Revision revision, List<String> keys, Instant madeAt, byte[] xml) {}

  private final KeyRings keys;
  private final MetadataCodec codec;
  private final InstantSource clock;
  private final ConcurrentHashMap<String, Document> documents = new ConcurrentHashMap<>();

  public MetadataEndpoint(KeyRings keys, MetadataCodec codec, InstantSource clock) {
    this.keys = keys;
    this.codec = codec;
    this.clock = clock;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    KeyRing ring = keys.of(request.realm());
    SigningKey signing = ring.current(KeyUse.IDP_SIGNING);
    List<VerificationKey> published = ring.published(KeyUse.IDP_SIGNING);
    boolean encryptionPublished = request.realm().keys().encryptionPublished();
    List<VerificationKey> encryption = encryptionPublished ? ring.published(KeyUse.IDP_ENCRYPTION) : List.of();
    List<String> ids = Stream.concat(published.stream(), encryption.stream()).map(VerificationKey::id).toList();
    Instant now = clock.instant();
    Document document = documents.get(request.realm().name());
    if (document == null
        || !document.revision().equals(request.realm().revision())
        || !document.keys().equals(ids)
        || document.madeAt().plus(CACHED).isBefore(now)) {
      byte[] xml = codec.writeIdp(descriptor(request, published, encryption, now), signing);
      document = new Document(request.realm().revision(), ids, now, xml);
      documents.put(request.realm().name(), document);
    }
    return EdgeReply.of(200, "application/samlmetadata+xml", document.xml())
        .with("Cache-Control", "public, max-age=600")
        .with("X-Content-Type-Options", "nosniff");
  }

  private static MetadataCodec.IdpDescriptor descriptor(
      RealmRequest request, List<VerificationKey> published, List<VerificationKey> encryption, Instant now) {
    return new MetadataCodec.IdpDescriptor(
        request.entityId(), UiInfo.of(request.realm().brand()), now.plus(VALID), CACHE, request.idp().signedRequests(),
        published, encryption, signOn(request.location("saml/sso")),
        // Browser bindings come first: a partner that uses the first binding it knows then uses the one that reaches
        // every participant.
        new PartnerMetadata.SsoDescriptor(
            andSoap(both(request.location("saml/slo")), request.location("saml/slo/soap")),
            ArtifactNode.endpoints(request),
            andSoap(both(request.location("saml/nameid")), request.location("saml/nameid/soap")),
            Arrays.stream(NameIdFormat.values()).map(NameIdFormat::uri).toList()),
        scopes(request.realm()));
  }

  /** The scopes that we append to released values: a partner that filters by scope accepts these. */
  private static List<String> scopes(Realm realm) {
    return realm.parties().partners().stream()
        .flatMap(partner -> partner.release().values().stream())
        .flatMap(release -> release.scope().stream())
        .distinct()
        .sorted()
        .toList();
  }

  private static List<Endpoint> signOn(String location) {
    List<Endpoint> all = new ArrayList<>(both(location));
    all.add(new Endpoint(Binding.ARTIFACT, location, Optional.empty()));
    return List.copyOf(all);
  }

  private static List<Endpoint> andSoap(List<Endpoint> front, String location) {
    List<Endpoint> all = new ArrayList<>(front);
    all.add(new Endpoint(Binding.SOAP, location, Optional.empty()));
    return List.copyOf(all);
  }

  private static List<Endpoint> both(String location) {
    return List.of(
        new Endpoint(Binding.REDIRECT, location, Optional.empty()),
        new Endpoint(Binding.POST, location, Optional.empty()));
  }
}
