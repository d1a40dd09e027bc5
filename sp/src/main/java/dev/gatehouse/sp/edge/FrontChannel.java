package dev.gatehouse.sp.edge;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.message.SamlMessage;
import dev.gatehouse.common.saml.message.SamlWriter;
import java.util.List;
import java.util.Optional;

/** Sends our signed messages to identity providers through the browser (SAML Bindings 3.4, 3.5). */
public final class FrontChannel {

  private final KeyRings keyRings;
  private final SamlWriter writer;
  private final Pages pages;

  public FrontChannel(KeyRings keyRings, SamlWriter writer, Pages pages) {
    this.keyRings = keyRings;
    this.writer = writer;
    this.pages = pages;
  }

  /** Redirects with the message, signed as HTTP-Redirect demands. */
  public EdgeReply redirect(SpRealm realm, SamlMessage message, String location, Optional<String> relayState) {
    return EdgeReply.seeOther(writer.redirect(message, location, relayState, key(realm)));
  }

  /** The page that submits the signed message by HTTP-POST. */
  public EdgeReply post(
      SpRealm realm, EdgeRequest request, SamlMessage message, String location, Optional<String> relayState) {
    return post(realm, request, message, location, relayState, List.of());
  }

  /** @param framedBy origins whose pages may frame the page, as in {@link dev.gatehouse.common.page.Page.Policy} */
  public EdgeReply post(
      SpRealm realm,
      EdgeRequest request,
      SamlMessage message,
      String location,
      Optional<String> relayState,
      List<String> framedBy) {
    return pages.autoSubmit(
        request, Optional.of(realm.realm()), writer.post(message, location, relayState, key(realm)), framedBy);
  }

  private SigningKey key(SpRealm realm) {
    return keyRings.of(realm.realm()).current(KeyUse.SP_SIGNING);
  }
}
