package dev.gatehouse.sp.login;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.ValueCodec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An AuthnRequest, or a request to an OpenID provider, that was sent and is not answered yet.
 *
 * @param realm the name of the realm that sent it; another realm does not accept the answer
 * @param id the ID of the AuthnRequest: the Response names it as InResponseTo, and it is also the RelayState; in OpenID
 *     it is {@code state}
 * @param identityProvider the recipient: only this identity provider may answer
 * @param authnContext the requested AuthnContextClassRefs or {@code acr} values: the answer must have one of them
 * @param exchange present if the request went to an OpenID provider: then no SAML message may answer it; if empty, only
 *     a SAML message may
 */
public record PendingRequest(
    String realm,
    String id,
    String identityProvider,
    LoginRequest loginRequest,
    List<String> authnContext,
    Instant createdAt,
    Optional<CodeExchange> exchange) {

  /** The codec of the stored form. Realm and ID are not written, because the seal is bound to them. */
  static ValueCodec<PendingRequest> codec(String realm, String id) {
    return PackedCodec.of(
        2,
        (out, pending) -> {
          out.text(pending.identityProvider());
          LoginRequest.write(out, pending.loginRequest());
          out.list(pending.authnContext(), PackedWriter::text);
          out.instant(pending.createdAt());
          out.optional(pending.exchange(), CodeExchange::write);
        },
        in ->
            new PendingRequest(
                realm, id, in.text(), LoginRequest.read(in), in.list(PackedReader::text), in.instant(), in.optional(CodeExchange::read)));
  }

  /** The place to return to after the login. */
  public ReturnTarget target() {
    return loginRequest.target();
  }
}
