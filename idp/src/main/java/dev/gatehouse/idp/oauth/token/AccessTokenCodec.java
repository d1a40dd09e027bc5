package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.idp.oauth.AuthorizationCodec;
import java.time.Instant;
import java.util.Set;

/** The byte codec of an opaque access token's content. */
public final class AccessTokenCodec extends PackedCodec<AccessToken> {

  private static final int VERSION = 1;

  public AccessTokenCodec() {
    super(VERSION);
  }

  @Override
  protected void write(PackedWriter out, AccessToken token) {
    out.text(token.id());
    out.text(token.realm());
    out.text(token.clientId());
    out.optional(token.authorization(), (o, id) -> o.text(id.value()));
    out.optional(token.person(), (o, id) -> o.text(id.value()));
    out.text(token.subject());
    out.words(token.scopes());
    out.words(token.audience());
    AuthorizationCodec.writeConfirmation(out, token.confirmation());
    out.instant(token.validity().issuedAt());
    out.instant(token.validity().expiresAt(), token.validity().issuedAt());
  }

  @Override
  protected AccessToken read(PackedReader in) {
    String id = in.text();
    String realm = in.text();
    String clientId = in.text();
    var authorization = in.optional(o -> new SessionId(o.text()));
    var person = in.optional(o -> new PersonId(o.text()));
    String subject = in.text();
    Set<String> scopes = Set.copyOf(in.words());
    var audience = in.words();
    var confirmation = AuthorizationCodec.readConfirmation(in);
    Instant issuedAt = in.instant();
    return new AccessToken(
        id, realm, clientId, authorization, person, subject, scopes, audience, confirmation,
        new AccessToken.Validity(issuedAt, in.instant(issuedAt)));
  }
}
