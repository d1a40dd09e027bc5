package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import java.util.List;

/** Input of a SOAP endpoint is refused, or the accepted content was signed. */
public final class SoapFuzz {

  private static final SamlReader READER = new StrictSamlReader();
  private static final SamlReader.PartnerLookup PARTNERS = SamlFixtures.partners(SamlFixtures.spMetadata());
  private static final SamlMessage LOGOUT = SamlFixtures.logoutRequest("_l1", SamlFixtures.SP);
  private static final ManageNameIdRequest RENAMING =
      SamlFixtures.manageNameIdRequest("_m1", SamlFixtures.SP, new Change.NewId("neu & <größer>"));

  private SoapFuzz() {}

  /** Keys take longer than an input may. */
  public static void fuzzerInitialize() {
    SamlFixtures.spKey();
  }

  public static void fuzzerTestOneInput(byte[] envelope) {
    EdgeRequest request = SamlFixtures.soap(SamlFixtures.IDP_SLO, envelope);
    check(READER.logoutRequest(request, PARTNERS), LOGOUT);
    check(READER.manageNameIdRequest(request, PARTNERS), RENAMING);
    if (READER.artifactResolve(request, PARTNERS) instanceof Result.Accepted(var read)) {
      throw new IllegalStateException("nobody signed an ArtifactResolve: " + read);
    }
  }

  private static <M extends SamlMessage> void check(Result<Received<M>, SamlRefusal> reading, SamlMessage genuine) {
    if (reading instanceof Result.Accepted(var received) && !received.message().equals(genuine)) {
      throw new IllegalStateException("believed what nobody signed: " + received);
    }
  }

  public static List<byte[]> seeds() {
    SamlWriter writer = new CanonicalSamlWriter();
    return List.of(writer.soap(LOGOUT, SamlFixtures.spKey()), writer.soap(RENAMING, SamlFixtures.spKey()));
  }
}
