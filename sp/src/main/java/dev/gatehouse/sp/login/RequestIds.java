package dev.gatehouse.sp.login;

import dev.gatehouse.common.crypto.InstancePool;
import dev.gatehouse.common.key.SealingKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * IDs of our requests that we recognise without storing them: time, 96 random bits and a MAC. They let us refuse at
 * once an answer to a request that was never sent, and tell it from an answer that arrives in another browser. The ID
 * grants nothing: a login needs the sealed request.
 */
final class RequestIds {

  private static final int BODY_BYTES = 16;
  private static final int MAC_BYTES = 8;
  private static final int LENGTH = 1 + 4 * (BODY_BYTES + MAC_BYTES) / 3;

  private final SealingKey sealing;
  private final InstantSource time;
  private final RandomGenerator random;

  /** Initialised MACs by realm name. The number of realms is limited by configuration. */
  private final Map<String, InstancePool<Mac>> macs = new ConcurrentHashMap<>();

  /** @param random a SecureRandom outside tests */
  RequestIds(SealingKey sealing, InstantSource time, RandomGenerator random) {
    this.sealing = sealing;
    this.time = time;
    this.random = random;
  }

  /** Creates an NCName (SAML Core 1.3.4) that is also suitable as {@code state} (RFC 6749, section 10.12). */
  String create(String realm) {
    byte[] id = new byte[BODY_BYTES + MAC_BYTES];
    random.nextBytes(id);
    ByteBuffer.wrap(id).putInt((int) time.instant().getEpochSecond());
    System.arraycopy(mac(realm, id), 0, id, BODY_BYTES, MAC_BYTES);
    return "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(id);
  }

  /** The time at which the ID was created, to the second; empty if the realm did not create it. */
  Optional<Instant> issuedAt(String realm, String id) {
    if (id.length() != LENGTH || id.charAt(0) != '_') {
      return Optional.empty();
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(id.substring(1));
      byte[] mac = Arrays.copyOf(mac(realm, bytes), MAC_BYTES);
      return MessageDigest.isEqual(mac, Arrays.copyOfRange(bytes, BODY_BYTES, bytes.length))
          ? Optional.of(Instant.ofEpochSecond(Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt())))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private byte[] mac(String realm, byte[] id) {
    try {
      return macs.computeIfAbsent(realm, this::macs)
          .use(
              mac -> {
                mac.update(id, 0, BODY_BYTES);
                return mac.doFinal();
              });
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private InstancePool<Mac> macs(String realm) {
    SecretKey key = sealing.derive("HmacSHA256", "sp request id", realm);
    return new InstancePool<>(
        () -> {
          Mac mac = Mac.getInstance("HmacSHA256");
          mac.init(key);
          return mac;
        });
  }
}
