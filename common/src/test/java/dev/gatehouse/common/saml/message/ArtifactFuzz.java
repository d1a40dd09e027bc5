package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Every accepted artifact has exactly one spelling. */
public final class ArtifactFuzz {

  private ArtifactFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    String value = new String(input, StandardCharsets.UTF_8);
    if (Artifact.parse(value) instanceof Result.Accepted(Artifact artifact)
        && !artifact.value().equals(value)) {
      throw new IllegalStateException("two spellings of " + artifact.value());
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        Artifact.create(0, SamlFixtures.IDP, new Random(1)).value().getBytes(StandardCharsets.US_ASCII),
        Artifact.create(65535, "", new Random(2)).value().getBytes(StandardCharsets.US_ASCII));
  }
}
