package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlWriter.Signed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Any change of a signed Response, such as wrapped or doubled elements: it is refused, or the accepted content is the signed content. */
public final class ResponseFuzz {

  private static final List<Assertion> GENUINE = SamlFixtures.response(Optional.of("_request-1")).assertions();

  private ResponseFuzz() {}

  /** Keys take longer than an input may. */
  public static void fuzzerInitialize() {
    SamlFixtures.idpKey();
    SamlFixtures.idpP256Key();
  }

  public static void fuzzerTestOneInput(byte[] xml) {
    if (Forgery.read(xml) instanceof Result.Accepted(ReceivedResponse response)
        && !response.assertions().isEmpty()
        && !response.assertions().equals(GENUINE)) {
      throw new IllegalStateException("believed what nobody signed: " + response.assertions());
    }
  }

  public static List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (Signed signed : Signed.values()) {
      seeds.add(Forgery.response(signed).getBytes(StandardCharsets.UTF_8));
    }
    return seeds;
  }
}
