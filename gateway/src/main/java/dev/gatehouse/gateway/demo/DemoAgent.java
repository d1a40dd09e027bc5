package dev.gatehouse.gateway.demo;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** What an agent needs to ask the demo: a key of this copy of the demo, made once, whose public half the realm knows. */
final class DemoAgent {

  private DemoAgent() {}

  /** Makes the key, unless it is there with its public half. */
  static void ensure(Path config) throws IOException {
    Path key = config.resolve("agent/agent.key");
    Path known = config.resolve("realms/agent-keys.json");
    if (Files.exists(key) && Files.exists(known)) {
      return;
    }
    try {
      ECKey made = new ECKeyGenerator(Curve.P_256).keyID("demo-agent").keyUse(KeyUse.SIGNATURE).generate();
      Files.createDirectories(known.getParent());
      Files.createDirectories(key.getParent());
      byte[] encoded = made.toECPrivateKey().getEncoded();
      String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(encoded);
      PrivateFiles.replace(key, "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n");
      Files.writeString(known, new JWKSet(made.toPublicJWK()) + "\n");
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }
}
