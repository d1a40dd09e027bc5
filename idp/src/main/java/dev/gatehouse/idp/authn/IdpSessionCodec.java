package dev.gatehouse.idp.authn;

import dev.gatehouse.common.session.SessionCodec;
import dev.gatehouse.common.store.JsonCodec;

/** An IdpSession as bytes. */
public final class IdpSessionCodec implements SessionCodec<IdpSession> {

  private final JsonCodec<IdpSession> json = new JsonCodec<>(IdpSession.class);

  @Override
  public byte[] encode(IdpSession session) {
    return json.encode(session);
  }

  @Override
  public IdpSession decode(byte[] bytes) {
    return json.decode(bytes);
  }
}
