package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.pkcs11.SoftHsm;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.launch.PlainBrowser.Form;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ServerProcess;
import dev.gatehouse.gateway.process.Servers;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.crypto.dsig.XMLSignature;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMValidateContext;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import tools.jackson.databind.json.JsonMapper;

/** A node, as a process, whose SAML messages and ID tokens are signed in a token of SoftHSM that is taken away and comes back. */
@Timeout(180)
class Pkcs11NodeIT {

  private static final String PARTNER = "https://wiki.example.org/sp";
  private static final List<Integer> PORTS = FreePorts.take(2);
  private static final String IDP = "http://idp.localhost:" + PORTS.get(0) + "/realms/staff";
  /** Nothing is there but a page that says so, and the address in the browser. */
  private static final String CALLBACK = "http://idp.localhost:" + PORTS.get(0) + "/callback";

  private static final String ADMIN = "http://127.0.0.1:" + PORTS.get(1);

  /** Those of RFC 7636, appendix B. */
  private static final String VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  private static final String CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

  private static final Pattern CODE = Pattern.compile("(?:^|&)code=([^&]+)");

  private static final String NODE =
      """
      roles: [idp]
      listeners:
        idp: [{address: 127.0.0.1, port: %1$d}]
        admin: {port: %2$d}
      pkcs11:
        hsm: {library: %3$s, token: staff, pinFile: hsm.pin}
      data: ../data
      """;

  private static final String REALM =
      """
      idp:
        publicUrl: http://idp.localhost:%1$d
      keys:
        pkcs11:
          - {token: hsm, label: saml}
          - {token: hsm, use: tokensRsa, label: tokens}
      directory:
        urls: ["ldap://127.0.0.1:%2$d"]
        base: ou=people,dc=example,dc=org
        filter: (&(objectClass=inetOrgPerson)(uid={name}))
      partners:
        - {entityId: %3$s, metadata: wiki.xml}
      clients:
        - clientId: wiki
          secret: quite-a-secret
          redirectUris: ["http://idp.localhost:%1$d/callback"]
          scopes: [openid]
      """;

  private static final String METADATA =
      """
      <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="%s">
        <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
          <AssertionConsumerService index="0" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://wiki.example.org/acs"/>
        </SPSSODescriptor>
      </EntityDescriptor>
      """;

  @AutoClose private final Servers servers = new Servers();
  @TempDir private Path folder = Path.of("");
  private String slot = "";
  private String key = "";
  private ServerProcess node;

  @BeforeEach
  void start() throws Exception {
    assumeThat(SoftHsm.isInstalled()).isTrue();
    slot = SoftHsm.token("staff");
    SoftHsm.generate(slot, "saml", List.of("-keyalg", "RSA", "-keysize", "2048"), false);
    SoftHsm.generate(slot, "tokens", List.of("-keyalg", "RSA", "-keysize", "2048"), false);
    DemoDirectory directory = servers.begun(DemoDirectory.start(0));
    Path realms = Files.createDirectories(folder.resolve("config/realms"));
    Files.writeString(folder.resolve("config/hsm.pin"), SoftHsm.PIN);
    Files.writeString(folder.resolve("config/gatehouse.yaml"), NODE.formatted(PORTS.get(0), PORTS.get(1), SoftHsm.LIBRARY));
    Files.writeString(realms.resolve("staff.yaml"), REALM.formatted(PORTS.get(0), directory.port(), PARTNER));
    Files.writeString(realms.resolve("wiki.xml"), METADATA.formatted(PARTNER));
    AdministratorKeys keys = new AdministratorKeys(folder.resolve("data"), InstantSource.system(), new SecureRandom());
    key = ((Creation.Created) keys.create("ann")).secret();
    node = servers.begun(BuiltNode.run(folder.resolve("config"), folder, SoftHsm.environment()));
  }

  @Test
  void itSignsInTheTokenSaysWhenThatIsAwayAndGoesOn() throws Exception {
    try (PlainBrowser browser = new PlainBrowser()) {
      X509Certificate published = published(browser);
      assertThat(published.getSubjectX500Principal().getName()).isEqualTo("CN=saml");
      JWKSet keys = JWKSet.parse(browser.open(IDP + "/oauth/jwks").body());
      Shown login = browser.open(init());
      Shown posted = browser.submit(login, browser.form(login).with("username", "alice").with("password", "demo"));
      assertSigned(response(browser, posted), published);
      assertSigned(redeemed(browser.open(authorize())), keys);

      Shown authorized = browser.open(authorize());
      Path token = SoftHsm.folder(slot);
      Files.move(token, folder.resolve("away"));
      Shown refused = browser.open(init());
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.body()).contains("the device with the keys does not answer right now").doesNotContain("SAMLResponse", "hsm");
      HttpResponse<String> unredeemed = redeemed(authorized);
      assertThat(unredeemed.statusCode()).isEqualTo(503);
      assertThat(unredeemed.body()).contains("temporarily_unavailable").doesNotContain("id_token");
      assertThat(unredeemed.headers().firstValue("Retry-After")).isPresent();
      assertThat(node.output()).contains("has no token with the label staff", "insert or start the token, or correct pkcs11.hsm.token");
      assertThat(health())
          .contains("\"name\":\"tokens\",\"up\":false,\"state\":\"DEGRADED\",\"problem\":\"The library", "no token with the label staff");
      assertThat(browser.open(IDP + "/account").status()).as("what needs no key").isEqualTo(200);

      Files.move(folder.resolve("away"), token);
      Eventually.holds(() -> browser.open(init()).status() == 200);
      assertSigned(response(browser, browser.open(init())), published);
      assertSigned(redeemed(browser.open(authorize())), keys);
      assertThat(health()).contains("\"name\":\"tokens\",\"up\":true");
      assertThat(node.output()).contains("The token hsm is open again").doesNotContain(SoftHsm.PIN);
    }
  }

  private String health() throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(ADMIN + "/admin/v1/health")).header("Authorization", "Bearer " + key).build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.ofString()).body();
    }
  }

  private static String init() {
    return IDP + "/saml/init?sp=" + PARTNER;
  }

  private static String authorize() {
    return IDP + "/oauth/authorize?response_type=code&client_id=wiki&scope=openid&state=s&nonce=n&redirect_uri=" + CALLBACK
        + "&code_challenge_method=S256&code_challenge=" + CHALLENGE;
  }

  private static HttpResponse<String> redeemed(Shown returned) throws Exception {
    Matcher code = CODE.matcher(returned.url().getRawQuery());
    assertThat(code.find()).as(returned.toString()).isTrue();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PORTS.get(0) + "/realms/staff/oauth/token"))
            .header("Host", "idp.localhost:" + PORTS.get(0))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString("wiki:quite-a-secret".getBytes(StandardCharsets.US_ASCII)))
            .POST(BodyPublishers.ofString("grant_type=authorization_code&code=" + code.group(1) + "&redirect_uri=" + CALLBACK + "&code_verifier=" + VERIFIER))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.ofString());
    }
  }

  private static void assertSigned(HttpResponse<String> redeemed, JWKSet keys) throws Exception {
    assertThat(redeemed.statusCode()).as(redeemed.body()).isEqualTo(200);
    SignedJWT token = SignedJWT.parse(JsonMapper.shared().readTree(redeemed.body()).get("id_token").asString());
    RSAKey key = keys.getKeyByKeyId(token.getHeader().getKeyID()).toRSAKey();
    assertThat(token.verify(new RSASSAVerifier(key))).isTrue();
    assertThat(token.getJWTClaimsSet().getIssuer()).isEqualTo(IDP);
  }

  private static X509Certificate published(PlainBrowser browser) throws Exception {
    Document metadata = xml(browser.open(IDP + "/saml/metadata").body().getBytes(StandardCharsets.UTF_8));
    Element certificate = (Element) metadata.getElementsByTagNameNS(XMLSignature.XMLNS, "X509Certificate").item(0);
    byte[] encoded = Base64.getMimeDecoder().decode(certificate.getTextContent());
    return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
  }

  private static Document response(PlainBrowser browser, Shown page) throws Exception {
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    return xml(Base64.getDecoder().decode(browser.form(page).fields().get("SAMLResponse")));
  }

  private static Document xml(byte[] document) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(document));
  }

  private static void assertSigned(Document response, X509Certificate certificate) throws Exception {
    Element signature = (Element) response.getElementsByTagNameNS(XMLSignature.XMLNS, "Signature").item(0);
    ((Element) signature.getParentNode()).setIdAttribute("ID", true);
    DOMValidateContext context = new DOMValidateContext(certificate.getPublicKey(), signature);
    assertThat(XMLSignatureFactory.getInstance("DOM").unmarshalXMLSignature(context).validate(context)).isTrue();
  }
}
