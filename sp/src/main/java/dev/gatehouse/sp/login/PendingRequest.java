package dev.gatehouse.sp.login;

import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.sp.codec.FieldCodec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An AuthnRequest, or a request to an OpenID provider, that was sent and not yet answered.
 *
 * @param realm the name of the realm that sent it: an answer to another one is none
 * @param id the AuthnRequest's ID: the Response names it as InResponseTo, and it is the RelayState too; in OpenID {@code state}
 * @param identityProvider whom it was sent to: only that one may answer
 * @param authnContext the AuthnContextClassRefs or {@code acr} values that it asked for: the answer must have one of them
 * @param exchange present where it went to an OpenID provider: nothing of SAML may answer it then, and nothing else otherwise
 */
public record PendingRequest(
    String realm,
    String id,
    String identityProvider,
    LoginRequest wish,
    List<String> authnContext,
    Instant createdAt,
    Optional<CodeExchange> exchange) {

  /** As it is carried: realm and ID are what it is sealed for. */
  static ValueCodec<PendingRequest> codec(String realm, String id) {
    return new FieldCodec<>(
        1,
        (out, pending) -> {
          out.text(pending.identityProvider());
          LoginRequest.write(out, pending.wish());
          out.texts(pending.authnContext());
          out.instant(pending.createdAt());
          out.optional(pending.exchange(), CodeExchange::write);
        },
        in ->
            new PendingRequest(
                realm, id, in.text(), LoginRequest.read(in), in.texts(), in.instant(), in.optional(CodeExchange::read)));
  }

  /** Where the person goes then. */
  public ReturnTarget target() {
    return wish.target();
  }
}
