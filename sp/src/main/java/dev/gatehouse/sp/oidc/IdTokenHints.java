package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.sp.codec.FieldCodec;
import dev.gatehouse.sp.codec.FieldReader;
import dev.gatehouse.sp.codec.FieldWriter;
import dev.gatehouse.sp.idtoken.VerifiedIdToken;
import dev.gatehouse.sp.session.AppSession;
import java.util.Optional;

/**
 * The ID tokens that sessions began with, for {@code id_token_hint} alone (OpenID Connect RP-Initiated Logout 1.0, section 2). Beside
 * the sessions and not in them: they are read at each request, and this once.
 */
public final class IdTokenHints {

  private final SingleUseStore<String> store;

  public IdTokenHints(Stores stores) {
    this.store =
        stores.singleUse("sp-id-tokens", new FieldCodec<String>(1, FieldWriter::text, FieldReader::text));
  }

  void keep(AppSession session, VerifiedIdToken token) {
    store.put(session.id().value(), token.text(), session.absoluteEnd());
  }

  Optional<String> take(SessionId session) {
    return store.take(session.value()) instanceof TakeResult.First<String>(String token)
        ? Optional.of(token)
        : Optional.empty();
  }
}
