package dev.gatehouse.common.saml.message;

import static dev.gatehouse.common.saml.message.Forgery.reason;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.encryption.EncryptionTest;
import dev.gatehouse.common.saml.signature.Crypto;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 9, 17 and 19: base64, DEFLATE, and the signature over the raw query. */
class BindingAttackTest {

  private static final String SHA1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";

  private final SamlWriter writer = new CanonicalSamlWriter();
  private final SamlReader reader = new StrictSamlReader();
  private final SamlReader.PartnerLookup signing = SamlFixtures.partners(SamlFixtures.spMetadata(true));
  private final SamlReader.PartnerLookup partners = SamlFixtures.partners(SamlFixtures.spMetadata(false));
  private final String query = query(SamlFixtures.authnRequest("_r1"));

  private String query(SamlMessage message) {
    return writer
        .redirect(message, SamlFixtures.IDP_SSO, Optional.of("state+1/ä"), SamlFixtures.spKey())
        .getRawQuery();
  }

  private static EdgeRequest get(String query) {
    return SamlFixtures.followed(URI.create(SamlFixtures.IDP_SSO + "?" + query));
  }

  private Result<?, SamlRefusal> read(String query) {
    return reader.authnRequest(get(query), partners);
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private static String deflated(byte[] message) {
    return Base64.getEncoder().encodeToString(Transport.deflate(message));
  }

  @Test
  void asSent() {
    assertThat(read(query)).isInstanceOf(Result.Accepted.class);
  }

  /** The binding prescribes the order for signing; parameters may have any order in the URL. */
  @Test
  void orderInTheUrlDoesNotMatter() {
    List<String> parts = new ArrayList<>(List.of(query.split("&")));
    Collections.reverse(parts);

    assertThat(read(String.join("&", parts) + "&utm=1")).isInstanceOf(Result.Accepted.class);
  }

  @Test
  void signedInAnotherOrder() {
    String octets = "SigAlg=" + encode(Forgery.RSA_SHA256) + "&" + query.substring(0, query.indexOf("&SigAlg="));
    String signature =
        Base64.getEncoder()
            .encodeToString(Crypto.sign(SamlFixtures.spKey(), octets.getBytes(StandardCharsets.UTF_8)));

    assertThat(reason(read(octets + "&Signature=" + encode(signature)))).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%2B", "%3D", "%2F"})
  void reEncoded(String escape) {
    String octets = query.substring(0, query.indexOf("&Signature="));
    assertThat(octets).contains(escape);
    String again = octets.replace(escape, escape.toLowerCase(java.util.Locale.ROOT));

    assertThat(reason(read(again + query.substring(octets.length())))).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @Test
  void relayStateChanged() {
    assertThat(reason(read(query.replace("RelayState=state", "RelayState=other")))).isEqualTo(Reason.SIGNATURE_INVALID);
    assertThat(reason(read(query.replaceFirst("&RelayState=[^&]*", "")))).isEqualTo(Reason.SIGNATURE_INVALID);
    assertThat(reason(read(query.replaceFirst("RelayState=[^&]*", "RelayState=")))).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @Test
  void messageExchanged() {
    String other = query(SamlFixtures.authnRequest("_r2"));
    String mixed = other.substring(0, other.indexOf('&')) + query.substring(query.indexOf('&'));

    assertThat(reason(read(mixed))).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SAMLRequest=x", "RelayState=x", "SigAlg=x", "Signature=x", "S%41MLRequest=x", "Relay%53tate=x"})
  void doubledParameter(String more) {
    assertThat(reason(read(query + "&" + more))).isEqualTo(Reason.PARAMETERS_MALFORMED);
    assertThat(reason(read(more + "&" + query))).isEqualTo(Reason.PARAMETERS_MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "%4", "%zz", "%C0%AF"})
  void malformedParameter(String value) {
    assertThat(reason(read0(query + "&x=" + value))).isEqualTo(Reason.PARAMETERS_MALFORMED);
  }

  /** Around {@link URI}, which would not take it. */
  private Result<?, SamlRefusal> read0(String query) {
    EdgeRequest request = get("");
    return reader.authnRequest(
        new EdgeRequest(
            "GET", request.origin(), request.path(), query, request.headers(), request.body(), request.client()),
        partners);
  }

  @Test
  void bothMessages() {
    assertThat(reason(read(query + "&SAMLResponse=x"))).isEqualTo(Reason.NO_MESSAGE);
    assertThat(reason(read("RelayState=x"))).isEqualTo(Reason.NO_MESSAGE);
    assertThat(reason(read("SAMLRequest="))).isEqualTo(Reason.NO_MESSAGE);
  }

  @Test
  void sigAlgOrSignatureAlone() {
    assertThat(reason(read(query.replaceFirst("&Signature=.*", "")))).isEqualTo(Reason.SIGNATURE_MALFORMED);
    assertThat(reason(read(query.replaceFirst("&SigAlg=[^&]*", "")))).isEqualTo(Reason.SIGNATURE_MALFORMED);
    assertThat(reason(read(query.replaceFirst("&Signature=.*", "&Signature=")))).isEqualTo(Reason.SIGNATURE_MALFORMED);
  }

  @Test
  void weakSigAlg() {
    assertThat(reason(read(query.replace(encode(Forgery.RSA_SHA256), encode(SHA1)))))
        .isEqualTo(Reason.SIGNATURE_ALGORITHM);
    assertThat(reason(read(query.replace("SigAlg=" + encode(Forgery.RSA_SHA256), "SigAlg="))))
        .isEqualTo(Reason.SIGNATURE_ALGORITHM);
    assertThat(reason(read(query.replace(encode(Forgery.RSA_SHA256), encode(SignatureAlgorithm.ECDSA_SHA256.uri())))))
        .as("the partner has an RSA key only").isEqualTo(Reason.SIGNATURE_ALGORITHM);
  }

  @Test
  void theRefusalNamesTheIssuerAndTheAlgorithm() {
    SamlRefusal unknown = Forgery.refusal(read(query.replace(encode(Forgery.RSA_SHA256), encode(SHA1))));
    assertThat(unknown.issuer()).contains(SamlFixtures.SP);
    assertThat(unknown.detail()).contains(SHA1);

    SamlRefusal noKey = Forgery.refusal(read(query.replace(encode(Forgery.RSA_SHA256), encode(SignatureAlgorithm.ECDSA_SHA256.uri()))));
    assertThat(noKey.issuer()).contains(SamlFixtures.SP);
    assertThat(noKey.detail()).contains(SignatureAlgorithm.ECDSA_SHA256.uri()).contains("RSA of 2048 bits");
  }

  @Test
  void unsignedWhereMetadataSaysSigned() {
    String unsigned = query.replaceFirst("&SigAlg=.*", "");

    assertThat(reader.authnRequest(get(unsigned), partners)).isInstanceOf(Result.Accepted.class);
    assertThat(reason(reader.authnRequest(get(unsigned), signing))).isEqualTo(Reason.SIGNATURE_MISSING);
  }

  @Test
  void envelopedSignatureInARedirect() {
    String enveloped =
        MessageElements.write(SamlFixtures.authnRequest("_r1"), Optional.of(SamlFixtures.spKey()), Optional.empty());
    String message = "SAMLRequest=" + encode(deflated(enveloped.getBytes(StandardCharsets.UTF_8)));

    assertThat(reason(read(message))).isEqualTo(Reason.SIGNATURE_MALFORMED);
  }

  @Test
  void relayStateTooLong() {
    assertThat(reason(read(query.replaceFirst("RelayState=[^&]*", "RelayState=" + "x".repeat(1025)))))
        .isEqualTo(Reason.RELAY_STATE_TOO_LONG);
    assertThat(reason(read(query.replaceFirst("RelayState=[^&]*", "RelayState=" + "%C3%A4".repeat(513)))))
        .isEqualTo(Reason.RELAY_STATE_TOO_LONG);
  }

  @Test
  void otherEncodingOfTheMessage() {
    assertThat(reason(read(query + "&SAMLEncoding=urn:x"))).isEqualTo(Reason.PARAMETERS_MALFORMED);
  }

  // Base64 and DEFLATE (SECURITY-CASES 9).

  @Test
  void deflateBomb() {
    String bomb = deflated(new byte[20 << 20]);
    assertThat(bomb.length()).isLessThan(32 << 10);

    assertThat(reason(read("SAMLRequest=" + encode(bomb)))).isEqualTo(Reason.INFLATED_TOO_LARGE);
  }

  /** Only the outermost layer is ever decoded. */
  @Test
  void deflateWithinDeflate() {
    byte[] inner = Transport.deflate(new byte[20 << 20]);

    assertThat(reason(read("SAMLRequest=" + encode(deflated(inner))))).isEqualTo(Reason.XML_NOT_WELL_FORMED);
  }

  @Test
  void deflateWithoutEnd() {
    byte[] whole = Transport.deflate("<a/>".repeat(500).getBytes(StandardCharsets.UTF_8));
    String cut = Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(whole, whole.length - 3));

    assertThat(reason(read("SAMLRequest=" + encode(cut)))).isEqualTo(Reason.NOT_DEFLATE);
  }

  @Test
  void bytesBehindTheDeflateStream() {
    byte[] whole = Transport.deflate("<a/>".getBytes(StandardCharsets.UTF_8));
    String longer = Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(whole, whole.length + 9));

    assertThat(reason(read("SAMLRequest=" + encode(longer)))).isEqualTo(Reason.NOT_DEFLATE);
  }

  @Test
  void zlibInsteadOfDeflate() {
    Deflater zlib = new Deflater();
    zlib.setInput("<a/>".repeat(50).getBytes(StandardCharsets.UTF_8));
    zlib.finish();
    byte[] buffer = new byte[500];
    int length = zlib.deflate(buffer);
    zlib.end();
    String message = Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(buffer, length));

    assertThat(reason(read("SAMLRequest=" + encode(message)))).isEqualTo(Reason.NOT_DEFLATE);
  }

  @Test
  void base64Bomb() {
    assertThat(reason(read("SAMLRequest=" + "A".repeat(800_000)))).isEqualTo(Reason.MESSAGE_TOO_LARGE);
    var form = new SamlWriter.PostForm(SamlFixtures.IDP_SSO, "SAMLRequest", "A".repeat(800_000), Optional.empty());
    assertThat(reason(reader.authnRequest(SamlFixtures.posted(form), partners))).isEqualTo(Reason.MESSAGE_TOO_LARGE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "AAAAA", "AA=A", "AAA-", "AAA_", "AA AA", "AAAA=", "====", "PGEvPg", "AA\tAA", "AAAÄ"})
  void notBase64(String value) {
    assertThat(reason(read("SAMLRequest=" + encode(value)))).isEqualTo(Reason.NOT_BASE64);
    var form = new SamlWriter.PostForm(SamlFixtures.IDP_SSO, "SAMLRequest", value, Optional.empty());
    assertThat(reason(reader.authnRequest(SamlFixtures.posted(form), partners))).isEqualTo(Reason.NOT_BASE64);
  }

  @Test
  void lineBreaksInPostedBase64AreAllowed() {
    var form = writer.post(
        SamlFixtures.authnRequest("_r1"), SamlFixtures.IDP_SSO, Optional.empty(), SamlFixtures.spKey());
    String broken = form.value().replaceAll("(.{76})", "$1\r\n");
    var posted = new SamlWriter.PostForm(form.action(), form.parameter(), broken, Optional.empty());

    assertThat(reader.authnRequest(SamlFixtures.posted(posted), signing)).isInstanceOf(Result.Accepted.class);
  }

  /** The Redirect binding's query in a form, the form's message in a query: each binding has its own place. */
  @Test
  void bindingsAreNotMixed() {
    var form = writer.post(
        SamlFixtures.authnRequest("_r1"), SamlFixtures.IDP_SSO, Optional.empty(), SamlFixtures.spKey());

    assertThat(reason(read("SAMLRequest=" + encode(form.value())))).isEqualTo(Reason.NOT_DEFLATE);
    EdgeRequest get = get(query);
    EdgeRequest post =
        new EdgeRequest("POST", get.origin(), get.path(), get.query(), get.headers(), new byte[0], get.client());
    assertThat(reason(reader.authnRequest(post, partners))).isEqualTo(Reason.NO_MESSAGE);
  }

  @Test
  void responseByRedirect() {
    URI url = writer.redirect(
        SamlFixtures.response(Optional.empty()), SamlFixtures.SP_ACS, Optional.empty(), SamlFixtures.idpKey());

    assertThat(reason(reader.response(SamlFixtures.followed(url), SamlFixtures.partners(SamlFixtures.idpMetadata()))))
        .isEqualTo(Reason.UNEXPECTED_MESSAGE);
  }

  // Logout (SECURITY-CASES 17).

  @Test
  void logoutUnsigned() {
    String request = query(SamlFixtures.logoutRequest("_l1", SamlFixtures.SP)).replaceFirst("&SigAlg=.*", "");
    String response =
        query(SamlFixtures.logoutResponse("_l2", SamlFixtures.SP, "_l1")).replaceFirst("&SigAlg=.*", "");
    String posted =
        MessageElements.write(SamlFixtures.logoutRequest("_l1", SamlFixtures.SP), Optional.empty(), Optional.empty());

    assertThat(reason(reader.logoutRequest(get(request), partners))).isEqualTo(Reason.SIGNATURE_MISSING);
    assertThat(reason(reader.logoutResponse(get(response), partners))).isEqualTo(Reason.SIGNATURE_MISSING);
    assertThat(
        reason(reader.logoutRequest(Forgery.posted("SAMLRequest", posted.getBytes(StandardCharsets.UTF_8)), partners)))
        .isEqualTo(Reason.SIGNATURE_MISSING);
  }

  @Test
  void logoutForged() {
    var request = SamlFixtures.logoutRequest("_l1", SamlFixtures.SP);
    URI url = writer.redirect(request, SamlFixtures.IDP_SLO, Optional.empty(), SamlFixtures.strangerKey());

    assertThat(reason(reader.logoutRequest(SamlFixtures.followed(url), partners))).isEqualTo(Reason.SIGNATURE_INVALID);
    String posted = MessageElements.write(request, Optional.of(SamlFixtures.spKey()), Optional.empty());
    assertThat(reason(reader.logoutRequest(
            Forgery.posted("SAMLRequest", posted.replace("alice@", "bob@").getBytes(StandardCharsets.UTF_8)),
            partners)))
        .isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @Test
  void logoutOfSomebodyEncrypted() {
    var encrypted =
        new CanonicalSamlWriter()
            .encrypting(EncryptionTest.everything(SamlFixtures.idpKey()))
            .post(
                SamlFixtures.logoutRequest("_l1", SamlFixtures.SP), SamlFixtures.IDP_SLO, Optional.empty(),
                SamlFixtures.spKey());

    assertThat(reason(reader.logoutRequest(SamlFixtures.posted(encrypted), partners)))
        .isEqualTo(Reason.ASSERTION_ENCRYPTED);
  }
}
