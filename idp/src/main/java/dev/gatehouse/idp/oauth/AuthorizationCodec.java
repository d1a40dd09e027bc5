package dev.gatehouse.idp.oauth;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSnapshot;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.idp.oauth.Authorization.Authn;
import dev.gatehouse.idp.oauth.Authorization.Grant;
import dev.gatehouse.idp.oauth.Authorization.Refresh;
import dev.gatehouse.idp.oauth.Authorization.Tokens;
import dev.gatehouse.idp.session.PackedPerson;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The byte codec of an Authorization, which is read at each use of a token and written at each refresh. Instants are
 * relative to the beginning of the authorization.
 */
public final class AuthorizationCodec extends PackedCodec<Authorization> {

  private static final int VERSION = 1;
  private static final int UNBOUND = 0;
  private static final int DPOP = 1;
  private static final int CERTIFICATE = 2;

  public AuthorizationCodec() {
    super(VERSION);
  }

  @Override
  protected void write(PackedWriter out, Authorization authorization) {
    out.text(authorization.id().value());
    Instant begin = authorization.createdAt();
    out.word(authorization.realm());
    out.word(authorization.clientId());
    out.text(authorization.person().value());
    out.instant(begin);
    out.instant(authorization.expiresAt(), begin);
    out.optional(authorization.session(), (o, session) -> o.text(session.value()));
    out.words(authorization.grant().scopes());
    out.words(authorization.grant().resources());
    out.instant(authorization.authn().time(), begin);
    out.word(authorization.authn().acr());
    out.words(authorization.authn().amr());
    out.optional(authorization.grant().claims(), PackedWriter::text);
    out.optional(authorization.grant().nonce(), PackedWriter::text);
    PackedPerson.write(out, authorization.snapshot().details(), authorization.person());
    out.instant(authorization.snapshot().readAt(), begin);
    writeConfirmation(out, authorization.tokens().confirmation());
    out.optional(authorization.tokens().refresh(), (o, refresh) -> writeRefresh(o, refresh, begin));
  }

  @Override
  protected Authorization read(PackedReader in) {
    SessionId id = new SessionId(in.text());
    String realm = in.word();
    String clientId = in.word();
    PersonId person = new PersonId(in.text());
    Instant begin = in.instant();
    Instant expiresAt = in.instant(begin);
    Optional<SessionId> session = in.optional(o -> new SessionId(o.text()));
    Set<String> scopes = Set.copyOf(in.words());
    List<String> resources = in.words();
    Authn authn = new Authn(in.instant(begin), in.word(), in.words());
    Grant grant = new Grant(scopes, resources, in.optional(PackedReader::text), in.optional(PackedReader::text));
    PersonSnapshot snapshot = new PersonSnapshot(person, PackedPerson.read(in, person), in.instant(begin));
    Tokens tokens = new Tokens(readConfirmation(in), in.optional(refresh -> readRefresh(refresh, begin)));
    return new Authorization(id, realm, clientId, session, grant, authn, snapshot, tokens, begin, expiresAt);
  }

  /** Also used by the codecs of other records with a confirmation. */
  public static void writeConfirmation(PackedWriter out, Optional<Confirmation> confirmation) {
    if (confirmation.isEmpty()) {
      out.number(UNBOUND);
      return;
    }
    switch (confirmation.get()) {
      case Confirmation.Dpop(String thumbprint) -> {
        out.number(DPOP);
        out.text(thumbprint);
      }
      case Confirmation.Certificate(String thumbprint) -> {
        out.number(CERTIFICATE);
        out.text(thumbprint);
      }
    }
  }

  public static Optional<Confirmation> readConfirmation(PackedReader in) {
    return switch ((int) in.number()) {
      case UNBOUND -> Optional.empty();
      case DPOP -> Optional.of(new Confirmation.Dpop(in.text()));
      case CERTIFICATE -> Optional.of(new Confirmation.Certificate(in.text()));
      default -> throw new IllegalArgumentException("unknown kind of confirmation");
    };
  }

  private static void writeRefresh(PackedWriter out, Refresh refresh, Instant begin) {
    out.text(refresh.current());
    out.optional(refresh.used(), PackedWriter::text);
    out.optional(refresh.graceUntil(), (o, until) -> o.instant(until, begin));
    out.optional(refresh.sealed(), PackedWriter::text);
  }

  private static Refresh readRefresh(PackedReader in, Instant begin) {
    return new Refresh(
        in.text(),
        in.optional(PackedReader::text),
        in.optional(until -> until.instant(begin)),
        in.optional(PackedReader::text));
  }
}
