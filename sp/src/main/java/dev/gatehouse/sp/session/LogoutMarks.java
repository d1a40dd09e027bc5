package dev.gatehouse.sp.session;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.common.crypto.Digests;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Recent LogoutRequests of identity providers. A LogoutRequest also ends an assertion that arrives after it (SAML Core
 * 3.7.3.1), and one that waits for its browser.
 *
 * <p>It ends only assertions that were issued before it. The person may log in again, and the identity provider may
 * then reuse a SessionIndex (Core 2.7.2 recommends small numbers).
 */
public final class LogoutMarks {

  /** Longer than a login that we asked for can wait for its answer and then for its browser. */
  private static final Duration LIFE = Duration.ofMinutes(90);

  private static final PersonId NOBODY = new PersonId("-");

  /**
   * @param id digest of Issuer, NameID and SessionIndex (no SessionIndex: all sessions)
   * @param before assertions issued until then are ended
   */
  record Mark(SessionId id, String realm, Instant createdAt, Instant expiresAt, Instant before)
      implements Session {

    @Override
    public PersonId person() {
      return NOBODY;
    }

    @Override
    public Set<String> indexKeys() {
      return Set.of();
    }
  }

  /** The byte codec of a mark. */
  static final class Codec implements ValueCodec<Mark> {

    private static final PackedCodec<Mark> FIELDS =
        PackedCodec.of(
            2,
            (out, mark) -> {
              out.text(mark.id().value());
              out.text(mark.realm());
              out.instant(mark.createdAt());
              out.instant(mark.expiresAt());
              out.instant(mark.before());
            },
            in -> new Mark(new SessionId(in.text()), in.text(), in.instant(), in.instant(), in.instant()));

    @Override
    public byte[] encode(Mark mark) {
      return FIELDS.encode(mark);
    }

    @Override
    public Mark decode(byte[] bytes) {
      return FIELDS.decode(bytes);
    }
  }

  private final SessionStore<Mark> marks;
  private final InstantSource time;

  public LogoutMarks(Stores stores, InstantSource time) {
    this.marks = stores.ends().sessions("sp-logout-marks", new Codec(), Expired.FORGOTTEN);
    this.time = time;
  }

  /** Stores the mark of a valid LogoutRequest. Callers must do this before they look up the open sessions. */
  public void mark(String realm, SpConfig sp, LogoutRequest request) {
    // An unsolicited assertion may arrive for as long as it is valid, and then wait for its browser.
    Duration life = sp.unsolicited() ? LIFE.plus(sp.times().validity()) : LIFE;
    mark(realm, request.issuer(), request.nameId(), request.sessionIndexes(), request.issueInstant(), life);
  }

  /**
   * Like {@link #mark(String, SpConfig, LogoutRequest)}, with the parts of the request, for logins that we asked for.
   *
   * @param sessionIndexes empty means all sessions
   */
  public void mark(String realm, String issuer, NameId nameId, List<String> sessionIndexes, Instant issueInstant) {
    mark(realm, issuer, nameId, sessionIndexes, issueInstant, LIFE);
  }

  private void mark(
      String realm, String issuer, NameId nameId, List<String> sessionIndexes, Instant issueInstant, Duration life) {
    List<String> indexes = sessionIndexes.isEmpty() ? List.of("") : sessionIndexes;
    for (String index : indexes) {
      Instant now = time.instant();
      SessionId id = id(realm, issuer, nameId, index);
      Mark mark = new Mark(id, realm, now, now.plus(life), issueInstant);
      if (marks.update(id, old -> later(old, mark)).isEmpty()) {
        create(mark);
      }
    }
  }

  private void create(Mark mark) {
    try {
      marks.create(mark);
    } catch (IllegalStateException e) {
      // Two requests about the same person arrived at the same time.
      marks.update(mark.id(), old -> later(old, mark));
    }
  }

  private static Mark later(Mark a, Mark b) {
    return b.before().isBefore(a.before()) ? a : b;
  }

  /** Returns whether a LogoutRequest ended the assertion before it was used. */
  public boolean cover(
      String realm, String issuer, NameId nameId, Optional<String> sessionIndex, Instant issueInstant) {
    return Stream.concat(Stream.of(""), sessionIndex.stream())
        .flatMap(index -> marks.find(id(realm, issuer, nameId, index)).stream())
        .anyMatch(mark -> !issueInstant.isAfter(mark.before()));
  }

  private static SessionId id(String realm, String issuer, NameId nameId, String sessionIndex) {
    return new SessionId(Digests.of("logout", realm, issuer, nameId.format(), nameId.value(), sessionIndex));
  }
}
