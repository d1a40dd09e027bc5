package dev.gatehouse.sp.session;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.common.session.SessionCodec;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.sp.codec.FieldCodec;
import dev.gatehouse.sp.codec.FieldReader;
import dev.gatehouse.sp.codec.FieldWriter;

/** An AppSession as bytes. */
public final class AppSessionCodec implements SessionCodec<AppSession> {

  private static final FieldCodec<AppSession> FIELDS =
      new FieldCodec<>(2, AppSessionCodec::write, AppSessionCodec::read);

  @Override
  public byte[] encode(AppSession session) {
    return FIELDS.encode(session);
  }

  @Override
  public AppSession decode(byte[] bytes) {
    return FIELDS.decode(bytes);
  }

  /** A NameID's fields; for other records that hold one. */
  public static void writeNameId(FieldWriter out, NameId nameId) {
    out.text(nameId.value());
    out.text(nameId.format());
    out.optional(nameId.nameQualifier(), FieldWriter::text);
    out.optional(nameId.spNameQualifier(), FieldWriter::text);
    out.optional(nameId.spProvidedId(), FieldWriter::text);
  }

  /** What {@link #writeNameId} wrote. */
  public static NameId readNameId(FieldReader in) {
    return new NameId(
        in.text(),
        in.text(),
        in.optional(FieldReader::text),
        in.optional(FieldReader::text),
        in.optional(FieldReader::text));
  }

  private static void write(FieldWriter out, AppSession session) {
    out.text(session.id().value());
    out.text(session.realm());
    out.text(session.person().value());
    out.instant(session.createdAt());
    out.instant(session.expiresAt());
    out.instant(session.absoluteEnd());
    out.text(session.user());
    out.texts(session.roles());
    out.texts(session.groups());
    out.textLists(session.attributes());
    out.text(session.identityProvider());
    writeNameId(out, session.nameId());
    out.optional(session.sessionIndex(), FieldWriter::text);
    out.optional(session.authnContextClassRef(), FieldWriter::text);
  }

  private static AppSession read(FieldReader in) {
    return new AppSession(
        new SessionId(in.text()),
        in.text(),
        new PersonId(in.text()),
        in.instant(),
        in.instant(),
        in.instant(),
        in.text(),
        in.texts(),
        in.texts(),
        in.textLists(),
        in.text(),
        readNameId(in),
        in.optional(FieldReader::text),
        in.optional(FieldReader::text));
  }
}
