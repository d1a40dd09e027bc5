package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.sp.idtoken.VerifiedIdToken;
import dev.gatehouse.sp.session.AppSession;
import java.util.Optional;

/**
 * Stores the ID tokens with which sessions began, to be used only as {@code id_token_hint} (OpenID Connect RP-Initiated
 * Logout 1.0, section 2). They are separate from the sessions because sessions are read at each request, and a hint is
 * read once.
 */
public final class SavedIdTokens {

  private final SingleUseStore<String> store;

  public SavedIdTokens(Stores stores) {
    this.store =
        stores.singleUse("sp-id-tokens", PackedCodec.of(2, PackedWriter::text, PackedReader::text));
  }

  void keep(AppSession session, VerifiedIdToken token) {
    store.put(session.id().value(), token.text(), session.lifetime().absoluteEnd());
  }

  Optional<String> take(SessionId session) {
    return store.take(session.value()) instanceof TakeResult.First<String>(String token)
        ? Optional.of(token)
        : Optional.empty();
  }
}
