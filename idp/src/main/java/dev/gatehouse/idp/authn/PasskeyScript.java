package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The script that asks the browser for passkeys. */
public final class PasskeyScript implements Endpoint {

  public static final String PATH = "passkey.js";

  private final byte[] script;

  public PasskeyScript() {
    try (InputStream in = Objects.requireNonNull(PasskeyScript.class.getResourceAsStream("/scripts/passkey.js"))) {
      this.script = in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    return EdgeReply.of(200, "text/javascript;charset=utf-8", script)
        .with("Cache-Control", "public, max-age=300")
        .with("X-Content-Type-Options", "nosniff");
  }
}
