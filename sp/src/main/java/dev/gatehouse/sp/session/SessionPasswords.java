package dev.gatehouse.sp.session;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionCodec;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.sp.codec.FieldCodec;
import dev.gatehouse.sp.codec.FieldReader;
import dev.gatehouse.sp.codec.FieldWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The passwords of logins, for the login forms of apps: each beside its AppSession, sealed (AES-256-GCM) under a key that is
 * derived from the browser's token (HKDF, RFC 5869). Stores know but the token's hash, so that nobody reads a password there,
 * nor in a heap dump of a node whose people are idle: it takes the cookie.
 *
 * <p>Each token seals once, so that a nonce derived with the key is never used twice under it.
 */
public final class SessionPasswords {

  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  /** What is stored; under the AppSession's id. */
  record Sealed(
      SessionId id, String realm, PersonId person, Instant createdAt, Instant expiresAt, byte[] password)
      implements Session {

    @Override
    public Set<String> indexKeys() {
      return Set.of();
    }

    @Override
    public String toString() {
      return "Sealed[" + id + "]";
    }
  }

  private static final class Codec implements SessionCodec<Sealed> {

    private static final FieldCodec<Sealed> FIELDS = new FieldCodec<>(1, Codec::write, Codec::read);

    @Override
    public byte[] encode(Sealed sealed) {
      return FIELDS.encode(sealed);
    }

    @Override
    public Sealed decode(byte[] bytes) {
      return FIELDS.decode(bytes);
    }

    private static void write(FieldWriter out, Sealed sealed) {
      out.text(sealed.id().value());
      out.text(sealed.realm());
      out.text(sealed.person().value());
      out.instant(sealed.createdAt());
      out.instant(sealed.expiresAt());
      out.bytes(sealed.password());
    }

    private static Sealed read(FieldReader in) {
      return new Sealed(
          new SessionId(in.text()),
          in.text(),
          new PersonId(in.text()),
          in.instant(),
          in.instant(),
          in.bytes());
    }
  }

  private final SessionStore<Sealed> store;

  public SessionPasswords(Stores stores) {
    this.store = stores.sessions("app-password", new Codec());
  }

  /** Keeps the password of the login that opened the session, as long as that may last. */
  public void keep(AppSession session, SessionToken token, String password) {
    if (!session.id().equals(token.id())) {
      throw new IllegalArgumentException("another session's token");
    }
    byte[] sealed = seal(token, session.realm(), session.person(), password.getBytes(StandardCharsets.UTF_8));
    store.create(
        new Sealed(
            session.id(), session.realm(), session.person(), session.createdAt(), session.absoluteEnd(), sealed));
  }

  /** The password, for whoever has the session's token; empty where there is none, or it is another's. */
  public Optional<Secret> of(AppSession session, SessionToken token) {
    return store
        .find(session.id())
        .filter(sealed -> sealed.realm().equals(session.realm()) && sealed.person().equals(session.person()))
        .flatMap(sealed -> open(token, sealed));
  }

  void end(SessionId session) {
    store.end(session);
  }

  private static byte[] seal(SessionToken token, String realm, PersonId person, byte[] plain) {
    try {
      return cipher(Cipher.ENCRYPT_MODE, token, realm, person).doFinal(plain);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Optional<Secret> open(SessionToken token, Sealed sealed) {
    try {
      byte[] plain =
          cipher(Cipher.DECRYPT_MODE, token, sealed.realm(), sealed.person()).doFinal(sealed.password());
      return Optional.of(new Secret(new String(plain, StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private static Cipher cipher(int mode, SessionToken token, String realm, PersonId person)
      throws GeneralSecurityException {
    byte[] derived =
        KDF.getInstance("HKDF-SHA256")
            .deriveData(
                HKDFParameterSpec.ofExtract()
                    .addIKM(token.value().getBytes(StandardCharsets.US_ASCII))
                    .thenExpand(
                        "gatehouse login password".getBytes(StandardCharsets.US_ASCII), KEY_BYTES + NONCE_BYTES));
    SecretKey key = new SecretKeySpec(derived, 0, KEY_BYTES, "AES");
    byte[] nonce = Arrays.copyOfRange(derived, KEY_BYTES, KEY_BYTES + NONCE_BYTES);
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD((realm + "\n" + person.value()).getBytes(StandardCharsets.UTF_8));
    Arrays.fill(derived, (byte) 0);
    return cipher;
  }
}
