package dev.gatehouse.sp.session;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.ValueCodec;
import java.time.Instant;
import java.util.Set;

/**
 * A further token for an AppSession, which the browser holds at another origin of the realm. It ends with the session.
 *
 * @param id the id of the further token
 * @param session the session that it refers to
 * @param expiresAt the absolute end of the session
 */
record AppAlias(SessionId id, SessionId session, String realm, PersonId person, Instant createdAt, Instant expiresAt)
    implements Session {

  @Override
  public Set<String> indexKeys() {
    return Set.of(indexKey(session));
  }

  static String indexKey(SessionId session) {
    return "alias of\n" + session.value();
  }

  /** The byte codec of an alias. */
  static final class Codec implements ValueCodec<AppAlias> {

    private static final PackedCodec<AppAlias> FIELDS = PackedCodec.of(2, Codec::write, Codec::read);

    @Override
    public byte[] encode(AppAlias alias) {
      return FIELDS.encode(alias);
    }

    @Override
    public AppAlias decode(byte[] bytes) {
      return FIELDS.decode(bytes);
    }

    private static void write(PackedWriter out, AppAlias alias) {
      out.text(alias.id().value());
      out.text(alias.session().value());
      out.text(alias.realm());
      out.text(alias.person().value());
      out.instant(alias.createdAt());
      out.instant(alias.expiresAt());
    }

    private static AppAlias read(PackedReader in) {
      return new AppAlias(
          new SessionId(in.text()),
          new SessionId(in.text()),
          in.text(),
          new PersonId(in.text()),
          in.instant(),
          in.instant());
    }
  }
}
