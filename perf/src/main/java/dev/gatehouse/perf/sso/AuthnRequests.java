package dev.gatehouse.perf.sso;

import dev.gatehouse.perf.http.Browser;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.Deflater;

/**
 * Unsigned AuthnRequests by HTTP-Redirect (SAML Bindings, section 3.4.4.1), each with a new ID, for one identity
 * provider.
 */
public final class AuthnRequests {

  static final String SP = "http://sp.bench.example/metadata";
  static final String ACS = "https://sp.bench.example/acs";

  /** @param target of the GET: path and query */
  record AuthnRequest(String id, String target) {}

  private final String destination;
  private final String run = "_" + UUID.randomUUID().toString().replace("-", "") + "-";
  private final AtomicLong made = new AtomicLong();

  /** @param destination the SingleSignOnService */
  AuthnRequests(String destination) {
    this.destination = destination;
  }

  /** The origin of the identity provider. */
  String origin() {
    return Browser.origin(destination);
  }

  AuthnRequest next() {
    String id = run + made.incrementAndGet();
    String request =
        "<samlp:AuthnRequest xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"" + id
            + "\" Version=\"2.0\" IssueInstant=\"" + Instant.now().truncatedTo(ChronoUnit.SECONDS)
            + "\" Destination=\"" + destination + "\" AssertionConsumerServiceURL=\"" + ACS
            + "\" ProtocolBinding=\"urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST\">"
            + "<saml:Issuer xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\">" + SP + "</saml:Issuer>"
            + "<samlp:NameIDPolicy AllowCreate=\"true\" Format=\"urn:oasis:names:tc:SAML:2.0:nameid-format:transient\"/>"
            + "</samlp:AuthnRequest>";
    String message = Base64.getEncoder().encodeToString(deflated(request.getBytes(StandardCharsets.US_ASCII)));
    return new AuthnRequest(
        id, destination.substring(origin().length()) + "?SAMLRequest=" + URLEncoder.encode(message, StandardCharsets.US_ASCII) + "&RelayState=state");
  }

  private static byte[] deflated(byte[] bytes) {
    try (Deflater deflater = new Deflater(Deflater.BEST_SPEED, true)) {
      deflater.setInput(bytes);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
      byte[] buffer = new byte[1024];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    }
  }

  /** The metadata of the service provider for both identity providers. */
  static String metadata() {
    return """
        <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%s">
          <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" AuthnRequestsSigned="false">
            <AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="%s" index="0"/>
          </SPSSODescriptor>
        </EntityDescriptor>
        """
        .formatted(SP, ACS);
  }
}
