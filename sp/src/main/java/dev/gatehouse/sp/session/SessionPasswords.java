package dev.gatehouse.sp.session;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.session.TokenSeal;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ValueCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Stores login passwords for the login forms of apps. Each password belongs to an AppSession and is sealed under a key
 * that only the browser's cookie holds ({@link TokenSeal}).
 */
public final class SessionPasswords {

  /** The stored record, under the AppSession's id. */
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

  static final class Codec implements ValueCodec<Sealed> {

    private static final PackedCodec<Sealed> FIELDS = PackedCodec.of(2, Codec::write, Codec::read);

    @Override
    public byte[] encode(Sealed sealed) {
      return FIELDS.encode(sealed);
    }

    @Override
    public Sealed decode(byte[] bytes) {
      return FIELDS.decode(bytes);
    }

    private static void write(PackedWriter out, Sealed sealed) {
      out.text(sealed.id().value());
      out.text(sealed.realm());
      out.text(sealed.person().value());
      out.instant(sealed.createdAt());
      out.instant(sealed.expiresAt());
      out.bytes(sealed.password());
    }

    private static Sealed read(PackedReader in) {
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
  private final TokenSeal seal = new TokenSeal("gatehouse login password");

  public SessionPasswords(Stores stores) {
    this.store = stores.sessions("app-password", new Codec());
  }

  /** Stores the password of the login that opened the session, for as long as the session may last. */
  public void keep(AppSession session, SessionToken token, String password, RandomGenerator random) {
    if (!session.id().equals(token.id())) {
      throw new IllegalArgumentException("another session's token");
    }
    byte[] sealed = seal.seal(token, context(session), password.getBytes(StandardCharsets.UTF_8), random);
    store.create(
        new Sealed(
            session.id(), session.realm(), session.person(), session.createdAt(), session.lifetime().absoluteEnd(), sealed));
  }

  /**
   * Returns the password to a caller that holds the session's token; empty if there is none or the token belongs to
   * another session.
   */
  public Optional<Secret> of(AppSession session, SessionToken token) {
    return store
        .find(session.id())
        .flatMap(sealed -> seal.open(token, context(session), sealed.password()))
        .map(plain -> new Secret(new String(plain, StandardCharsets.UTF_8)));
  }

  void end(SessionId session) {
    store.end(session);
  }

  private static String context(AppSession session) {
    return String.join("\n", session.realm(), session.person().value(), session.id().value());
  }
}
