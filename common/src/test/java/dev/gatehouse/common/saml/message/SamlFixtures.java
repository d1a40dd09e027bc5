package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.signature.Crypto;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An identity provider, a service provider, their keys and messages, for the tests of every module. */
public final class SamlFixtures {

  public static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  public static final String IDP = "https://idp.example/realms/demo";
  public static final String IDP_SSO = IDP + "/saml/sso";
  public static final String IDP_SLO = IDP + "/saml/slo";

  public static final String SP = "https://app.example/.gatehouse/saml/metadata";
  public static final String SP_ACS = "https://app.example/.gatehouse/saml/acs";
  public static final String SP_SLO = "https://app.example/.gatehouse/saml/slo";

  private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant UNTIL = FROM.plus(Duration.ofDays(3650));

  private static final InetAddress CLIENT = InetAddress.ofLiteral("192.0.2.7");

  /** The same in every JVM, so that findings of a fuzzer can be repeated. */
  private static final class Keys {
    static final SigningKey IDP = kept("idp");
    static final SigningKey SP = kept("sp");
    static final SigningKey IDP_P256 = sameP256("idp-p256");
    static final SigningKey STRANGER = kept("stranger");
  }

  private SamlFixtures() {}

  /** The RSA key in {@link #idpMetadata}. */
  public static SigningKey idpKey() {
    return Keys.IDP;
  }

  /** The P-256 key in {@link #idpMetadata}. */
  public static SigningKey idpP256Key() {
    return Keys.IDP_P256;
  }

  /** The key in {@link #spMetadata}. */
  public static SigningKey spKey() {
    return Keys.SP;
  }

  /** A key that is in no metadata. */
  public static SigningKey strangerKey() {
    return Keys.STRANGER;
  }

  /** A new key with a self-signed certificate of ten years from 2026. */
  public static SigningKey create(KeyAlgorithm algorithm, String commonName) {
    return create(algorithm, commonName, FROM, UNTIL);
  }

  public static SigningKey create(KeyAlgorithm algorithm, String commonName, Instant notBefore, Instant notAfter) {
    try {
      return signingKey(algorithm, pair(algorithm, new SecureRandom()), commonName, notBefore, notAfter);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Made once: a JVM without the compiler C2 takes a second for a key of RSA. */
  private static SigningKey kept(String commonName) {
    try (InputStream in = SamlFixtures.class.getResourceAsStream("/test-keys/" + commonName + ".pem")) {
      PrivateKey privateKey = Pem.privateKey(Objects.requireNonNull(in).readAllBytes());
      if (!(privateKey instanceof RSAPrivateCrtKey rsa)) {
        throw new IllegalStateException(commonName + " is not RSA's");
      }
      PublicKey publicKey = KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
      return signingKey(KeyAlgorithm.RSA_2048, new KeyPair(publicKey, privateKey), commonName, FROM, UNTIL);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static SigningKey sameP256(String commonName) {
    try {
      // Before its first use a seed is all that this generator knows.
      SecureRandom random = SecureRandom.getInstance("SHA1PRNG", "SUN");
      random.setSeed(commonName.getBytes(StandardCharsets.UTF_8));
      return signingKey(KeyAlgorithm.P_256, pair(KeyAlgorithm.P_256, random), commonName, FROM, UNTIL);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair pair(KeyAlgorithm algorithm, SecureRandom random) throws GeneralSecurityException {
    // The JDK's own makes the same key of P-256 from the same randomness.
    KeyPairGenerator generator =
        algorithm == KeyAlgorithm.P_256 ? KeyPairGenerator.getInstance("EC", "SunEC") : KeyPairGenerator.getInstance("RSA");
    generator.initialize(
        switch (algorithm) {
          case RSA_2048 -> 2048;
          case RSA_3072 -> 3072;
          case P_256 -> 256;
          case ED_25519 -> throw new IllegalArgumentException("not for SAML");
        },
        random);
    return generator.generateKeyPair();
  }

  public static SigningKey signingKey(
      KeyAlgorithm algorithm, KeyPair pair, String commonName, Instant notBefore, Instant notAfter) throws Exception {
    X500Principal name = new X500Principal("CN=" + commonName);
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name, BigInteger.valueOf(notAfter.toEpochMilli()), Date.from(notBefore), Date.from(notAfter), name,
            pair.getPublic());
    String signature = algorithm == KeyAlgorithm.P_256 ? "SHA256withECDSA" : "SHA256withRSA";
    var certificate =
        new JcaX509CertificateConverter()
            .getCertificate(builder.build(new JcaContentSignerBuilder(signature).build(pair.getPrivate())));
    String id = HexFormat.of().formatHex(Crypto.digest("SHA-256", certificate.getEncoded())).substring(0, 16);
    return new SigningKey(id, algorithm, pair.getPrivate(), certificate);
  }

  public static VerificationKey publicHalf(SigningKey key) {
    return new VerificationKey(key.id(), key.algorithm(), key.certificate());
  }

  public static PartnerMetadata idpMetadata() {
    return idpMetadata(List.of(idpKey(), idpP256Key()));
  }

  public static PartnerMetadata idpMetadata(List<SigningKey> keys) {
    return new PartnerMetadata(
        IDP,
        Optional.of(NOW.plus(Duration.ofDays(7))),
        Optional.empty(),
        Optional.of("Example IdP"),
        Optional.of(
            new PartnerMetadata.IdpRole(
                keys.stream().map(SigningKey::certificate).toList(),
                false,
                List.of(endpoint(Binding.REDIRECT, IDP_SSO), endpoint(Binding.POST, IDP_SSO)),
                List.of(endpoint(Binding.REDIRECT, IDP_SLO), endpoint(Binding.POST, IDP_SLO)),
                List.of())),
        Optional.empty());
  }

  /** Its AuthnRequests need not be signed. */
  public static PartnerMetadata spMetadata() {
    return spMetadata(false);
  }

  public static PartnerMetadata spMetadata(boolean authnRequestsSigned) {
    return new PartnerMetadata(
        SP,
        Optional.of(NOW.plus(Duration.ofDays(7))),
        Optional.empty(),
        Optional.of("Example app"),
        Optional.empty(),
        Optional.of(
            new PartnerMetadata.SpRole(
                List.of(spKey().certificate()),
                authnRequestsSigned,
                true,
                List.of(new PartnerMetadata.AssertionConsumerService(0, true, Binding.POST, SP_ACS)),
                List.of(endpoint(Binding.REDIRECT, SP_SLO), endpoint(Binding.POST, SP_SLO)),
                List.of())));
  }

  private static PartnerMetadata.Endpoint endpoint(Binding binding, String location) {
    return new PartnerMetadata.Endpoint(binding, location, Optional.empty());
  }

  /** Returns a lookup that knows these partners only. */
  public static SamlReader.PartnerLookup partners(PartnerMetadata... known) {
    return issuer -> {
      for (PartnerMetadata partner : known) {
        if (partner.entityId().equals(issuer)) {
          return new Result.Accepted<>(partner);
        }
      }
      return new Result.Refused<>(new SamlRefusal(SamlRefusal.Reason.PARTNER_UNKNOWN, issuer));
    };
  }

  public static SamlMessage.AuthnRequest authnRequest(String id) {
    return new SamlMessage.AuthnRequest(
        id, SamlMessage.VERSION, NOW, SP, Optional.of(IDP_SSO),
        new SamlMessage.AuthnRequest.Delivery(Optional.of(SP_ACS), Optional.empty(), Optional.of(Binding.POST.uri())), Optional.empty(),
        Optional.of(new SamlMessage.NameIdPolicy(Optional.empty(), Optional.empty(), true)),
        new SamlMessage.AuthnRequest.Authentication(false, false, Optional.empty(), List.of()), Optional.empty());
  }

  /** A Response to that request (none: unsolicited) with one assertion about alice that every check of sp accepts. */
  public static SamlMessage.Response response(Optional<String> inResponseTo) {
    return response(inResponseTo, List.of(assertion("_assertion-1", inResponseTo)));
  }

  public static SamlMessage.Response response(Optional<String> inResponseTo, List<Assertion> assertions) {
    return new SamlMessage.Response(
        "_response-1", NOW, IDP, Optional.of(SP_ACS), inResponseTo, SamlStatus.success(), assertions);
  }

  public static Assertion assertion(String id, Optional<String> inResponseTo) {
    Instant notOnOrAfter = NOW.plus(Duration.ofMinutes(5));
    return new Assertion(
        id,
        NOW,
        IDP,
        NameId.of("alice@example.com", "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"),
        List.of(
            new Assertion.SubjectConfirmation(
                Assertion.BEARER, Optional.of(SP_ACS), inResponseTo, Optional.empty(), Optional.of(notOnOrAfter))),
        Optional.of(NOW.minusSeconds(5)),
        Optional.of(notOnOrAfter),
        List.of(List.of(SP)),
        Optional.of(
            new Assertion.AuthnStatement(
                NOW.minusSeconds(30),
                Optional.of("_session-1"),
                Optional.of(NOW.plus(Duration.ofHours(8))),
                Optional.of("urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"))),
        List.of(
            SamlAttribute.basic("mail", List.of("alice@example.com")),
            SamlAttribute.basic("cn", List.of("Alice <Ängström> & \"Söhne\"")),
            SamlAttribute.basic("roles", List.of("employee", "manager"))));
  }

  public static SamlMessage.LogoutRequest logoutRequest(String id, String issuer) {
    return new SamlMessage.LogoutRequest(
        id,
        NOW,
        issuer,
        Optional.of(issuer.equals(IDP) ? SP_SLO : IDP_SLO),
        Optional.of(NOW.plus(Duration.ofMinutes(5))),
        NameId.of("alice@example.com", "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"),
        List.of("_session-1"));
  }

  public static SamlMessage.LogoutResponse logoutResponse(String id, String issuer, String inResponseTo) {
    return new SamlMessage.LogoutResponse(
        id,
        NOW,
        issuer,
        Optional.of(issuer.equals(IDP) ? SP_SLO : IDP_SLO),
        Optional.of(inResponseTo),
        SamlStatus.success());
  }

  /** A Response signed by the idp (assertion signed), as the browser posts it to the ACS. */
  public static EdgeRequest signedResponse(Optional<String> inResponseTo, Optional<String> relayState) {
    return posted(
        new CanonicalSamlWriter()
            .postResponse(response(inResponseTo), SP_ACS, relayState, idpKey(), SamlWriter.Signed.ASSERTION));
  }

  /** Returns the request of a browser that submits the form. */
  public static EdgeRequest posted(PostForm form) {
    StringBuilder body = new StringBuilder(form.parameter() + "=" + encode(form.value()));
    form.relayState().ifPresent(state -> body.append("&RelayState=").append(encode(state)));
    URI action = URI.create(form.action());
    return new EdgeRequest(
        "POST",
        Origin.of(action),
        action.getRawPath(),
        "",
        Headers.of("Content-Type", "application/x-www-form-urlencoded"),
        body.toString().getBytes(StandardCharsets.UTF_8),
        CLIENT);
  }

  /** Returns the request of a browser that follows the redirect. */
  public static EdgeRequest followed(URI location) {
    String query = location.getRawQuery() == null ? "" : location.getRawQuery();
    return new EdgeRequest(
        "GET", Origin.of(location), location.getRawPath(), query, Headers.empty(), new byte[0], CLIENT);
  }

  /** Returns the request of a partner's server to a SOAP endpoint. */
  public static EdgeRequest soap(String location, byte[] envelope) {
    URI url = URI.create(location);
    return new EdgeRequest(
        "POST", Origin.of(url), url.getRawPath(), "", Headers.of("Content-Type", "text/xml; charset=utf-8"), envelope,
        CLIENT);
  }

  public static SamlMessage.ManageNameIdRequest manageNameIdRequest(
      String id, String issuer, SamlMessage.ManageNameIdRequest.Change change) {
    return new SamlMessage.ManageNameIdRequest(
        id,
        NOW,
        issuer,
        Optional.of(issuer.equals(IDP) ? SP_SLO : IDP_SLO),
        new NameId("p-1", NameId.PERSISTENT, Optional.of(IDP), Optional.of(SP), Optional.of("<alice> at the app")),
        change);
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
