package dev.gatehouse.gateway.people;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A service provider of somebody else's, as simple as the specification allows: it sends its AuthnRequests by POST,
 * unsigned, and takes no notice of a LogoutRequest.
 */
final class ArchiveSite extends Site {

  private final String identityProvider;
  private final List<String> responses = new CopyOnWriteArrayList<>();

  ArchiveSite(String identityProvider) {
    this.identityProvider = identityProvider;
  }

  String entityId() {
    return url("/metadata");
  }

  String url(String path) {
    return "http://archive.localhost:" + port() + path;
  }

  /** The XML of the Responses that reached it. */
  List<String> responses() {
    return List.copyOf(responses);
  }

  @Override
  Answer answer(String method, String path, String body) {
    return switch (path) {
      case "/" -> page("Archive", authnRequest());
      case "/acs" -> response(body);
      case "/metadata" -> new Answer(200, "application/samlmetadata+xml", metadata());
      default -> new Answer(404, "text/plain", "The archive has no such page.");
    };
  }

  /** A page that sends itself, as SAML Bindings 3.5.4 describes it; without script a button does. */
  private String authnRequest() {
    String xml =
        """
        <samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" \
        xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_%s" Version="2.0" IssueInstant="%s" \
        Destination="%s/saml/sso" AssertionConsumerServiceURL="%s" \
        ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST">\
        <saml:Issuer>%s</saml:Issuer></samlp:AuthnRequest>"""
            .formatted(
                UUID.randomUUID(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                identityProvider,
                url("/acs"),
                entityId());
    return """
        <form method="post" action="%s/saml/sso">
        <input type="hidden" name="SAMLRequest" value="%s"><input type="hidden" name="RelayState" value="shelf 7">
        <button>Open the archive</button></form><script>document.forms[0].submit()</script>
        """
        .formatted(identityProvider, Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8)));
  }

  private Answer response(String body) {
    String relayState = "";
    for (String pair : body.split("&")) {
      String value = URLDecoder.decode(pair.substring(pair.indexOf('=') + 1), StandardCharsets.UTF_8);
      if (pair.startsWith("SAMLResponse=")) {
        responses.add(new String(Base64.getMimeDecoder().decode(value), StandardCharsets.UTF_8));
      } else if (pair.startsWith("RelayState=")) {
        relayState = value;
      }
    }
    return page("Welcome to the archive", "<p>You asked for " + relayState + ".</p>");
  }

  private String metadata() {
    return """
        <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%s">
        <md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" \
        protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
        <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="%s"/>
        <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="%s" index="0"/>
        </md:SPSSODescriptor></md:EntityDescriptor>
        """
        .formatted(entityId(), url("/slo"), url("/acs"));
  }
}
