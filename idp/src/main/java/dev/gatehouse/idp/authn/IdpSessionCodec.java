package dev.gatehouse.idp.authn;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.codec.Vocabulary;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.common.session.SessionCodec;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.authn.IdpSession.Browser;
import dev.gatehouse.idp.authn.IdpSession.Participant;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An IdpSession as bytes: it is read at each sign-on, and a node may hold a million of them. What all sessions of a node have
 * in common (partners, attribute names, browsers) goes through the vocabulary; instants are told from the session's beginning.
 */
public final class IdpSessionCodec implements SessionCodec<IdpSession> {

  private static final int VERSION = 3;

  /** How a DN is written: whole, or as {@code type=name,suffix} where its first value is the login name. */
  private static final int WHOLE = 0;

  private static final int OF_NAME = 1;

  /** Which qualifiers a NameID has; its SPNameQualifier is the partner, nearly always. */
  private static final int QUALIFIER = 1;

  private static final int SP_QUALIFIER_IS_PARTNER = 2;
  private static final int OTHER_SP_QUALIFIER = 4;
  private static final int SP_PROVIDED = 8;

  @Override
  public byte[] encode(IdpSession session) {
    PackedWriter out = new PackedWriter(Vocabulary.none());
    out.number(VERSION);
    out.text(session.id().value());
    write(out, session);
    return out.toBytes();
  }

  @Override
  public IdpSession decode(byte[] bytes) {
    PackedReader in = new PackedReader(bytes, Vocabulary.none());
    requireVersion(in);
    return read(in, new SessionId(in.text()));
  }

  @Override
  public byte[] pack(IdpSession session, Vocabulary vocabulary) {
    PackedWriter out = new PackedWriter(vocabulary);
    out.number(VERSION);
    write(out, session);
    return out.toBytes();
  }

  @Override
  public IdpSession unpack(SessionId id, byte[] bytes, Vocabulary vocabulary) {
    PackedReader in = new PackedReader(bytes, vocabulary);
    requireVersion(in);
    return read(in, id);
  }

  private static void requireVersion(PackedReader in) {
    if (in.number() != VERSION) {
      throw new IllegalArgumentException("not an IdpSession of version " + VERSION);
    }
  }

  private static void write(PackedWriter out, IdpSession session) {
    Instant begin = session.createdAt();
    out.word(session.realm());
    out.text(session.person().value());
    out.instant(begin);
    out.instant(session.expiresAt(), begin);
    out.instant(session.absoluteEnd(), begin);
    writePerson(out, session.details(), session.person());
    out.instant(session.readAt(), begin);
    out.list(session.passed(), (list, event) -> writeEvent(list, event, begin));
    out.text(session.browser().address());
    out.word(session.browser().userAgent());
    out.list(session.participants(), (list, participant) -> writeParticipant(list, participant, begin));
  }

  private static IdpSession read(PackedReader in, SessionId id) {
    String realm = in.word();
    PersonId person = new PersonId(in.text());
    Instant begin = in.instant();
    IdpSession session =
        new IdpSession(
            id,
            realm,
            person,
            begin,
            in.instant(begin),
            in.instant(begin),
            readPerson(in, person),
            in.instant(begin),
            in.list(event -> readEvent(event, begin)),
            new Browser(in.text(), in.word()),
            in.list(participant -> readParticipant(participant, begin)));
    in.requireEnd();
    return session;
  }

  private static void writePerson(PackedWriter out, Person person, PersonId known) {
    out.optional(Optional.of(person.id()).filter(id -> !id.equals(known)), (o, id) -> o.text(id.value()));
    out.text(person.name());
    writeDn(out, person.dn(), person.name());
    writeAttributes(out, person.attributes());
    out.words(person.groups());
    out.words(person.roles());
  }

  private static Person readPerson(PackedReader in, PersonId known) {
    PersonId id = in.optional(other -> new PersonId(other.text())).orElse(known);
    String name = in.text();
    String dn = readDn(in, name);
    return new Person(id, name, dn, readAttributes(in), in.words(), Set.copyOf(in.words()));
  }

  /** First those with one value, as most have, without a count for each. */
  private static void writeAttributes(PackedWriter out, Map<String, List<String>> attributes) {
    List<Map.Entry<String, List<String>>> single =
        attributes.entrySet().stream().filter(attribute -> attribute.getValue().size() == 1).toList();
    out.list(
        single,
        (list, attribute) -> {
          list.word(attribute.getKey());
          list.text(attribute.getValue().getFirst());
        });
    List<Map.Entry<String, List<String>>> others =
        attributes.entrySet().stream().filter(attribute -> attribute.getValue().size() != 1).toList();
    out.list(
        others,
        (list, attribute) -> {
          list.word(attribute.getKey());
          list.list(attribute.getValue(), PackedWriter::text);
        });
  }

  private static Map<String, List<String>> readAttributes(PackedReader in) {
    Map<String, List<String>> attributes = new LinkedHashMap<>();
    in.list(single -> Map.entry(single.word(), List.of(single.text())))
        .forEach(single -> attributes.put(single.getKey(), single.getValue()));
    in.list(other -> Map.entry(other.word(), other.list(PackedReader::text)))
        .forEach(other -> attributes.put(other.getKey(), other.getValue()));
    return Collections.unmodifiableMap(attributes);
  }

  /** {@code uid=alice,ou=people,dc=example,dc=org}: people of one branch share all but the name. */
  private static void writeDn(PackedWriter out, String dn, String name) {
    int equals = dn.indexOf('=');
    int comma = equals + 1 + name.length();
    if (equals > 0 && dn.startsWith(name, equals + 1) && comma < dn.length() && dn.charAt(comma) == ',') {
      out.number(OF_NAME);
      out.word(dn.substring(0, equals));
      out.word(dn.substring(comma + 1));
    } else {
      out.number(WHOLE);
      out.text(dn);
    }
  }

  private static String readDn(PackedReader in, String name) {
    return in.number() == WHOLE ? in.text() : in.word() + "=" + name + "," + in.word();
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
