package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** An unsigned AuthnRequest by POST: refused with a reason, or one that can be written and read again as the same. */
public final class AuthnRequestFuzz {

  private static final SamlReader READER = new StrictSamlReader();
  private static final SamlWriter WRITER = new CanonicalSamlWriter();

  private AuthnRequestFuzz() {}

  /** Keys take longer than an input may. */
  public static void fuzzerInitialize() {
    SamlFixtures.spKey();
  }

  public static void fuzzerTestOneInput(byte[] xml) {
    if (!(read(Base64.getEncoder().encodeToString(xml)) instanceof Result.Accepted(var received))) {
      return;
    }
    AuthnRequest message = received.message();
    SamlWriter.PostForm form = WRITER.post(message, SamlFixtures.IDP_SSO, Optional.empty(), SamlFixtures.spKey());
    if (!(read(form.value()) instanceof Result.Accepted(var again))
        || !again.message().equals(message)) {
      throw new IllegalStateException("does not survive writing: " + message);
    }
  }

  private static Result<Received<AuthnRequest>, SamlRefusal> read(String base64) {
    var form = new SamlWriter.PostForm(SamlFixtures.IDP_SSO, "SAMLRequest", base64, Optional.empty());
    return READER.authnRequest(SamlFixtures.posted(form), SamlFixtures.partners(SamlFixtures.spMetadata()));
  }

  public static List<byte[]> seeds() {
    var form =
        WRITER.post(SamlFixtures.authnRequest("_r1"), SamlFixtures.IDP_SSO, Optional.empty(), SamlFixtures.spKey());
    byte[] signed = Base64.getDecoder().decode(form.value());
    String unsigned = new String(signed, StandardCharsets.UTF_8).replaceFirst("(?s)<ds:Signature.*</ds:Signature>", "");
    String rich =
        unsigned.replaceFirst(
            "</samlp:AuthnRequest>",
            """
            <samlp:RequestedAuthnContext Comparison="minimum"><saml:AuthnContextClassRef xmlns:saml="%s">\
            urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>\
            </samlp:AuthnRequest>"""
                .formatted("urn:oasis:names:tc:SAML:2.0:assertion"));
    return List.of(
        signed, unsigned.getBytes(StandardCharsets.UTF_8), rich.getBytes(StandardCharsets.UTF_8));
  }
}
