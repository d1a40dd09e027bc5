package dev.gatehouse.perf.otp;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.gatehouse.perf.gateway.Certificates;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Date;
import java.util.UUID;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** The P-256 key of an agent, with its certificate. */
final class AgentKey {

  /** The client ID. */
  static final String AGENT = "agent";

  private static final char[] NO_PASSWORD = {};
  private static final long LIFE_MILLIS = 60_000;

  private final X509Certificate certificate;
  private final PrivateKey key;
  private final String issuer;

  private AgentKey(X509Certificate certificate, PrivateKey key, String issuer) {
    this.certificate = certificate;
    this.key = key;
    this.issuer = issuer;
  }

  /** @param issuer of the identity provider */
  static AgentKey read(Certificates files, String issuer) throws IOException {
    try {
      byte[] der = Base64.getMimeDecoder().decode(Files.readString(files.privateKey()).replaceAll("-----[A-Z ]+-----", ""));
      return new AgentKey(
          (X509Certificate)
              CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(Files.readAllBytes(files.certificate()))),
          KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der)),
          issuer);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /** The public key as a JWK Set. */
  String jwks() throws IOException {
    try {
      ECKey jwk = new ECKey.Builder((ECKey) JWK.parse(certificate).toPublicJWK()).keyID(AGENT).build();
      return new JWKSet(jwk).toString();
    } catch (JOSEException e) {
      throw new IOException(e);
    }
  }

  KeyManager[] keyManagers() throws IOException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      store.setKeyEntry(AGENT, key, NO_PASSWORD, new X509Certificate[] {certificate});
      KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, NO_PASSWORD);
      return factory.getKeyManagers();
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /** A new assertion (RFC 7523). */
  String assertion() throws IOException {
    Date now = new Date();
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .issuer(AGENT)
            .subject(AGENT)
            .audience(issuer)
            .issueTime(now)
            .expirationTime(new Date(now.getTime() + LIFE_MILLIS))
            .jwtID(UUID.randomUUID().toString())
            .build();
    SignedJWT jwt = new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(AGENT).build(), claims);
    try {
      jwt.sign(new ECDSASigner((ECPrivateKey) key));
    } catch (JOSEException e) {
      throw new IOException(e);
    }
    return jwt.serialize();
  }
}
