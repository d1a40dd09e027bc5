package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** A query of the Redirect binding: base64, DEFLATE and the signature over raw text. Accepted content was signed. */
public final class RedirectFuzz {

  private static final SamlReader READER = new StrictSamlReader();
  private static final LogoutRequest GENUINE = SamlFixtures.logoutRequest("_l1", SamlFixtures.SP);

  private RedirectFuzz() {}

  /** Keys take longer than an input may. */
  public static void fuzzerInitialize() {
    SamlFixtures.spKey();
  }

  public static void fuzzerTestOneInput(byte[] query) {
    EdgeRequest base = SamlFixtures.followed(URI.create(SamlFixtures.IDP_SLO));
    EdgeRequest request =
        new EdgeRequest(
            "GET",
            base.origin(),
            base.path(),
            new String(query, StandardCharsets.ISO_8859_1),
            base.headers(),
            base.body(),
            base.client());
    var partners = SamlFixtures.partners(SamlFixtures.spMetadata());
    if (READER.logoutRequest(request, partners) instanceof Result.Accepted(var received)
        && !received.message().equals(GENUINE)) {
      throw new IllegalStateException("believed what nobody signed: " + received.message());
    }
  }

  public static List<byte[]> seeds() {
    return List.of(query(Optional.empty()), query(Optional.of("state & more")));
  }

  private static byte[] query(Optional<String> relayState) {
    return new CanonicalSamlWriter()
        .redirect(GENUINE, SamlFixtures.IDP_SLO, relayState, SamlFixtures.spKey())
        .getRawQuery()
        .getBytes(StandardCharsets.ISO_8859_1);
  }
}
