package dev.gatehouse.idp.session;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSnapshot;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.idp.session.IdpSession.Browser;
import dev.gatehouse.idp.session.IdpSession.Participant;
import java.time.Instant;
import java.util.Optional;

/**
 * The compact byte form of an IdpSession, which is read at each sign-on; a node may hold a million of them. Instants are
 * relative to the beginning of the session.
 */
public final class IdpSessionCodec extends PackedCodec<IdpSession> {

  /** Has a device, or a login by passkey or token; nodes up to version 5 check neither and refuse it. Since 7 with the ClientHello. */
  private static final int VERSION = 7;

  private static final int PLAIN = 4;

  /** Flags for the qualifiers of a NameID; its SPNameQualifier is nearly always the partner. */
  private static final int QUALIFIER = 1;

  private static final int SP_QUALIFIER_IS_PARTNER = 2;
  private static final int OTHER_SP_QUALIFIER = 4;
  private static final int SP_PROVIDED = 8;

  public IdpSessionCodec() {
    super(VERSION, PLAIN);
  }

  @Override
  protected void write(PackedWriter out, IdpSession session) {
    out.text(session.id().value());
    Instant begin = session.createdAt();
    out.optional(Optional.of(session.first()).filter(first -> !first.equals(session.id())), (o, first) -> o.text(first.value()));
    out.word(session.realm());
    out.text(session.person().value());
    out.instant(begin);
    out.instant(session.expiresAt(), begin);
    out.instant(session.lifetime().absoluteEnd(), begin);
    PackedPerson.write(out, session.snapshot().details(), session.person());
    out.instant(session.snapshot().readAt(), begin);
    out.list(session.passed(), (list, event) -> writeEvent(list, event, begin));
    out.text(session.browser().address());
    out.word(session.browser().userAgent());
    out.list(session.participants(), (list, participant) -> writeParticipant(list, participant, begin));
    if (versionOf(session) > PLAIN) {
      session.device().write(out, begin);
    }
  }

  @Override
  protected int versionOf(IdpSession session) {
    boolean isPlain = session.device().equals(SessionDevice.NONE) && session.passed().stream().noneMatch(AuthnEvent::hasNewWords);
    return isPlain ? PLAIN : VERSION;
  }

  @Override
  protected IdpSession read(PackedReader in) {
    return read(in, VERSION);
  }

  @Override
  protected IdpSession read(PackedReader in, int written) {
    SessionId id = new SessionId(in.text());
    SessionId first = in.optional(other -> new SessionId(other.text())).orElse(id);
    String realm = in.word();
    PersonId person = new PersonId(in.text());
    Instant begin = in.instant();
    return new IdpSession(
        id,
        first,
        realm,
        new Lifetime(begin, in.instant(begin), in.instant(begin)),
        new PersonSnapshot(person, PackedPerson.read(in, person), in.instant(begin)),
        in.list(event -> readEvent(event, begin)),
        new Browser(in.text(), in.word()),
        in.list(participant -> readParticipant(participant, begin)),
        written > PLAIN ? SessionDevice.read(in, begin) : SessionDevice.NONE);
  }

  private static void writeEvent(PackedWriter out, AuthnEvent event, Instant begin) {
    out.instant(event.at(), begin);
    out.word(event.contract().name());
    out.word(event.level().name());
  }

  private static AuthnEvent readEvent(PackedReader in, Instant begin) {
    return new AuthnEvent(in.instant(begin), LoginContract.valueOf(in.word()), AuthnLevel.valueOf(in.word()));
  }

  private static void writeParticipant(PackedWriter out, Participant participant, Instant begin) {
    NameId nameId = participant.nameId();
    boolean isPartner = nameId.spNameQualifier().filter(participant.entityId()::equals).isPresent();
    out.word(participant.entityId());
    out.number(
        (nameId.nameQualifier().isPresent() ? QUALIFIER : 0)
            | (isPartner ? SP_QUALIFIER_IS_PARTNER : 0)
            | (!isPartner && nameId.spNameQualifier().isPresent() ? OTHER_SP_QUALIFIER : 0)
            | (nameId.spProvidedId().isPresent() ? SP_PROVIDED : 0));
    out.text(nameId.value());
    out.word(nameId.format());
    nameId.nameQualifier().ifPresent(out::word);
    nameId.spNameQualifier().filter(qualifier -> !isPartner).ifPresent(out::word);
    nameId.spProvidedId().ifPresent(out::text);
    out.text(participant.sessionIndex());
    out.instant(participant.since(), begin);
  }

  private static Participant readParticipant(PackedReader in, Instant begin) {
    String entityId = in.word();
    long has = in.number();
    NameId nameId =
        new NameId(
            in.text(),
            in.word(),
            (has & QUALIFIER) == 0 ? Optional.empty() : Optional.of(in.word()),
            (has & SP_QUALIFIER_IS_PARTNER) != 0
                ? Optional.of(entityId)
                : (has & OTHER_SP_QUALIFIER) == 0 ? Optional.empty() : Optional.of(in.word()),
            (has & SP_PROVIDED) == 0 ? Optional.empty() : Optional.of(in.text()));
    return new Participant(entityId, nameId, in.text(), in.instant(begin));
  }
}
