package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.admin.PersonLogins.PersonLogin;
import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.Parameters.Parameter;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.ValueCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A session of an administrator.
 *
 * @param expiresAt as of the last use
 * @param saved a form that waits until the person has logged in again
 */
record AdminSession(SessionId id, Holder holder, Instant createdAt, Instant expiresAt, Optional<SavedForm> saved) implements Session {

  static final Duration IDLE = Duration.ofMinutes(15);
  static final Duration LONGEST = Duration.ofHours(8);

  private static final PersonId NOBODY = new PersonId("-");

  /** Who a session belongs to. */
  sealed interface Holder {

    /** @param digest of the key: another key with the same name does not get the session */
    record OfKey(String name, String digest) implements Holder {}

    record OfPerson(PersonLogin login) implements Holder {}

    /** Returns what is the same in all sessions of one administrator. */
    default String owner() {
      return switch (this) {
        case OfKey(String name, String digest) -> "key\n" + digest + "\n" + name;
        case OfPerson(PersonLogin login) -> "person\n" + login.realm() + "\n" + login.person().value();
      };
    }
  }

  /** Returns a new session. */
  static AdminSession begun(SessionId id, Holder holder, Instant now) {
    return new AdminSession(id, holder, now, now.plus(IDLE), Optional.empty());
  }

  AdminSession usedAt(Instant now) {
    Instant idle = now.plus(IDLE);
    Instant last = createdAt.plus(LONGEST);
    return expiringAt(idle.isBefore(last) ? idle : last).orElseThrow();
  }

  AdminSession with(SavedForm form) {
    return new AdminSession(id, holder, createdAt, expiresAt, Optional.of(form));
  }

  @Override
  public Optional<AdminSession> expiringAt(Instant end) {
    return Optional.of(new AdminSession(id, holder, createdAt, end, saved));
  }

  @Override
  public String realm() {
    return switch (holder) {
      case Holder.OfKey key -> AdminRights.NODE;
      case Holder.OfPerson(PersonLogin login) -> login.realm();
    };
  }

  @Override
  public PersonId person() {
    return switch (holder) {
      case Holder.OfKey key -> NOBODY;
      case Holder.OfPerson(PersonLogin login) -> login.person();
    };
  }

  @Override
  public Set<String> indexKeys() {
    return Set.of(holder.owner());
  }

  /** The byte codec of a session. */
  static final class Codec implements ValueCodec<AdminSession> {

    private static final long KEY = 1;
    private static final long PERSON = 2;
    private static final PackedCodec<AdminSession> FIELDS = PackedCodec.of(1, Codec::write, Codec::read);

    @Override
    public byte[] encode(AdminSession session) {
      return FIELDS.encode(session);
    }

    @Override
    public AdminSession decode(byte[] bytes) {
      return FIELDS.decode(bytes);
    }

    private static void write(PackedWriter out, AdminSession session) {
      out.text(session.id().value());
      out.instant(session.createdAt());
      out.instant(session.expiresAt());
      switch (session.holder()) {
        case Holder.OfKey(String name, String digest) -> {
          out.number(KEY);
          out.text(name);
          out.text(digest);
        }
        case Holder.OfPerson(PersonLogin login) -> {
          out.number(PERSON);
          out.text(login.realm());
          out.text(login.person().value());
          out.text(login.name());
          out.instant(login.authenticatedAt());
          out.text(login.session().value());
        }
      }
      out.number(session.saved().isPresent() ? 1 : 0);
      session.saved().ifPresent(form -> write(out, form));
    }

    private static void write(PackedWriter out, SavedForm form) {
      out.text(form.action());
      out.number(form.fields().size());
      for (Parameter field : form.fields()) {
        out.text(field.name());
        out.text(field.value());
        out.text(field.rawValue());
      }
    }

    private static AdminSession read(PackedReader in) {
      SessionId id = new SessionId(in.text());
      Instant createdAt = in.instant();
      Instant expiresAt = in.instant();
      Holder holder =
          in.number() == KEY
              ? new Holder.OfKey(in.text(), in.text())
              : new Holder.OfPerson(
                  new PersonLogin(in.text(), new PersonId(in.text()), in.text(), in.instant(), new SessionId(in.text())));
      return new AdminSession(id, holder, createdAt, expiresAt, in.number() == 1 ? Optional.of(form(in)) : Optional.empty());
    }

    private static SavedForm form(PackedReader in) {
      String action = in.text();
      List<Parameter> fields = new ArrayList<>();
      for (long left = in.number(); left > 0; left--) {
        fields.add(new Parameter(in.text(), in.text(), in.text()));
      }
      return new SavedForm(action, fields);
    }
  }
}
