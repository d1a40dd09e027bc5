package dev.gatehouse.gateway.signon;

import dev.gatehouse.common.session.SessionToken;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes digests that represent credentials in memory: HMAC-SHA-256 under a random key that exists only in this
 * process. A person who reads the memory finds neither passwords nor digests that could be tested elsewhere.
 */
final class CredentialDigests {

  private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final byte KEY = 1;
  private static final byte TOKEN = 2;

  /** The digest of credentials in a realm. Compares in constant time. */
  record Key(long a, long b, long c, long d) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key(long oa, long ob, long oc, long od)
          && ((a ^ oa) | (b ^ ob) | (c ^ oc) | (d ^ od)) == 0;
    }

    @Override
    public int hashCode() {
      return (int) (a ^ a >>> 32);
    }

    @Override
    public String toString() {
      return "***";
    }
  }

  private final ThreadLocal<Mac> macs;

  CredentialDigests(RandomGenerator random) {
    byte[] secret = new byte[32];
    random.nextBytes(secret);
    SecretKeySpec key = new SecretKeySpec(secret, "HmacSHA256");
    this.macs = ThreadLocal.withInitial(() -> mac(key));
  }

  Key key(String realm, BasicCredentials.Sent credentials) {
    byte[] digest = digest(KEY, 0, realm, credentials);
    return new Key(
        (long) LONGS.get(digest, 0), (long) LONGS.get(digest, 8), (long) LONGS.get(digest, 16),
        (long) LONGS.get(digest, 24));
  }

  /**
   * The token of the session that these credentials have opened. It is not stored in memory, so only a client that
   * presents the credentials again can obtain it.
   *
   * @param nonce of the session
   */
  SessionToken token(String realm, BasicCredentials.Sent credentials, long nonce) {
    byte[] digest = digest(TOKEN, nonce, realm, credentials);
    return new SessionToken(Base64.getUrlEncoder().withoutPadding().encodeToString(digest));
  }

  private byte[] digest(byte use, long nonce, String realm, BasicCredentials.Sent credentials) {
    Mac mac = macs.get();
    byte[] name = realm.getBytes(StandardCharsets.UTF_8);
    byte[] head = new byte[10];
    head[0] = use;
    LONGS.set(head, 1, nonce);
    head[9] = (byte) name.length;
    mac.update(head);
    mac.update(name);
    return mac.doFinal(credentials.decoded());
  }

  private static Mac mac(SecretKeySpec key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
