package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlWriter.Signed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Any change of an envelope around a signed ArtifactResponse: it is refused, or the accepted content is the signed content. */
public final class ArtifactResponseFuzz {

  private static final SamlMessage GENUINE = SamlFixtures.response(Optional.of("_request-1"));
  private static final SamlReader READER = new StrictSamlReader();
  private static final SamlReader.PartnerLookup PARTNERS = SamlFixtures.partners(SamlFixtures.idpMetadata());

  private ArtifactResponseFuzz() {}

  /** Keys take longer than an input may. */
  public static void fuzzerInitialize() {
    SamlFixtures.idpKey();
    SamlFixtures.idpP256Key();
  }

  public static void fuzzerTestOneInput(byte[] envelope) {
    if (READER.artifactResponse(envelope, PARTNERS) instanceof Result.Accepted(var read)
        && read.message().filter(message -> !message.equals(GENUINE)).isPresent()) {
      throw new IllegalStateException("believed what nobody signed: " + read.message());
    }
  }

  public static List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    for (Signed signed : Signed.values()) {
      seeds.add(ArtifactResponseAttackTest.envelope(signed).getBytes(StandardCharsets.UTF_8));
    }
    seeds.add(new CanonicalSamlWriter().soapFault(SamlWriter.Fault.SERVER, "down"));
    return seeds;
  }
}
