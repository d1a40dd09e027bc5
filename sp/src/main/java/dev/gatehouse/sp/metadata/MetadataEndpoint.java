package dev.gatehouse.sp.metadata;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.KeyRing;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * {@code GET /.gatehouse/saml/metadata} at the home origin. The document is signed, valid for two weeks, and should be
 * fetched daily. It is signed again at most once an hour, or when the realm or its keys have changed.
 */
public final class MetadataEndpoint {

  private static final Duration RESIGN = Duration.ofHours(1);

  private record Key(
      String realm,
      String revision,
      String signing,
      List<VerificationKey> published,
      List<VerificationKey> encryption) {}

  private record Document(byte[] bytes, Instant madeAt) {}

  private final MetadataCodec codec;
  private final KeyRings keyRings;
  private final Refusals refusals;
  private final InstantSource time;
  private final Cache<Key, Document> documents = Caffeine.newBuilder().maximumSize(1000).executor(Runnable::run).build();

  public MetadataEndpoint(MetadataCodec codec, KeyRings keyRings, Refusals refusals, InstantSource time) {
    this.codec = codec;
    this.keyRings = keyRings;
    this.refusals = refusals;
    this.time = time;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!realm.isHome(request)) {
      return refusals.notFound(realm, request);
    }
    if (!request.isGet()) {
      return refusals.methodNotAllowed(realm, request, "GET, HEAD");
    }
    return EdgeReply.of(200, "application/samlmetadata+xml", document(realm))
        .with("Cache-Control", "public, max-age=3600")
        .with("X-Content-Type-Options", "nosniff");
  }

  private byte[] document(SpRealm realm) {
    KeyRing ring = keyRings.of(realm.realm());
    SigningKey signing = ring.current(KeyUse.SP_SIGNING);
    List<VerificationKey> published = ring.published(KeyUse.SP_SIGNING);
    boolean encryptionPublished = realm.realm().keys().encryptionPublished();
    List<VerificationKey> encryption = encryptionPublished ? ring.published(KeyUse.SP_ENCRYPTION) : List.of();
    Key key = new Key(realm.name(), realm.realm().revision().value(), signing.id(), published, encryption);
    Instant now = time.instant();
    Document document =
        documents
            .asMap()
            .compute(
                key,
                (same, held) ->
                    held != null && now.isBefore(held.madeAt().plus(RESIGN))
                        ? held
                        : new Document(
                            codec.writeSp(SpDescription.of(realm, published, encryption, now), signing), now));
    return document.bytes();
  }
}
