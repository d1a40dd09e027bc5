package dev.gatehouse.sp.session;

import dev.gatehouse.common.codec.PackedAttributes;
import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.PackedCodec;
import java.time.Instant;
import java.util.Optional;

/**
 * The compact byte form of an AppSession, because a node may hold a million of them. Instants are relative to the
 * beginning of the session.
 */
public final class AppSessionCodec extends PackedCodec<AppSession> {

  /** Since 6 the fingerprint has the ClientHello. */
  private static final int VERSION = 6;

  /** Without the device. */
  private static final int WITHOUT_DEVICE = 4;

  public AppSessionCodec() {
    super(VERSION, WITHOUT_DEVICE);
  }

  @Override
  protected void write(PackedWriter out, AppSession session) {
    out.text(session.id().value());
    Instant begin = session.createdAt();
    out.word(session.realm());
    out.word(session.login().identityProvider());
    out.text(session.account().user());
    // Nearly always derived from the two values before.
    PersonId usual = AppSession.personId(session.login().identityProvider(), session.account().user());
    out.optional(Optional.of(session.person()).filter(person -> !person.equals(usual)), (o, p) -> o.text(p.value()));
    out.instant(begin);
    out.instant(session.expiresAt(), begin);
    out.instant(session.lifetime().absoluteEnd(), begin);
    out.words(session.account().roles());
    out.words(session.account().groups());
    PackedAttributes.write(out, session.account().attributes());
    writeNameId(out, session.login().nameId());
    out.optional(session.login().sessionIndex(), PackedWriter::text);
    out.optional(session.login().authnContextClassRef(), PackedWriter::word);
    out.instant(session.login().authenticatedAt(), begin);
    if (versionOf(session) > WITHOUT_DEVICE) {
      session.device().write(out, begin);
    }
  }

  @Override
  protected int versionOf(AppSession session) {
    return session.device().equals(SessionDevice.NONE) ? WITHOUT_DEVICE : VERSION;
  }

  @Override
  protected AppSession read(PackedReader in) {
    return read(in, VERSION);
  }

  @Override
  protected AppSession read(PackedReader in, int written) {
    SessionId id = new SessionId(in.text());
    String realm = in.word();
    String identityProvider = in.word();
    String user = in.text();
    PersonId person =
        in.optional(other -> new PersonId(other.text())).orElseGet(() -> AppSession.personId(identityProvider, user));
    Instant begin = in.instant();
    Lifetime lifetime = new Lifetime(begin, in.instant(begin), in.instant(begin));
    LocalAccount account = new LocalAccount(person, user, in.words(), in.words(), PackedAttributes.read(in));
    AppSession.Login login =
        new AppSession.Login(
            identityProvider,
            readNameId(in),
            in.optional(PackedReader::text),
            in.optional(PackedReader::word),
            in.instant(begin));
    SessionDevice device = written > WITHOUT_DEVICE ? SessionDevice.read(in, begin) : SessionDevice.NONE;
    return new AppSession(id, realm, lifetime, account, login, device);
  }

  /** Writes the fields of a NameID, also for other records that contain one. */
  public static void writeNameId(PackedWriter out, NameId nameId) {
    out.text(nameId.value());
    out.word(nameId.format());
    out.optional(nameId.nameQualifier(), PackedWriter::word);
    out.optional(nameId.spNameQualifier(), PackedWriter::word);
    out.optional(nameId.spProvidedId(), PackedWriter::text);
  }

  /** Reads the fields that {@link #writeNameId} wrote. */
  public static NameId readNameId(PackedReader in) {
    return new NameId(
        in.text(),
        in.word(),
        in.optional(PackedReader::word),
        in.optional(PackedReader::word),
        in.optional(PackedReader::text));
  }
}
