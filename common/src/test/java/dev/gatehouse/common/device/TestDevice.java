package dev.gatehouse.common.device;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

/** A browser's key, and the proofs that it makes as Chromium 156 does: the key in the header, and of claims the challenge alone. */
public final class TestDevice {

  private final ECKey key;

  public TestDevice() {
    try {
      this.key = new ECKeyGenerator(Curve.P_256).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  public String registration(String challenge) {
    return signed(new JWSHeader.Builder(JWSAlgorithm.ES256).type(new JOSEObjectType("dbsc+jwt")).jwk(key.toPublicJWK()).build(),
        new JWTClaimsSet.Builder().jwtID(challenge).build());
  }

  /** A registration by our page, which tells more of the device. */
  public String registrationByPage(String challenge, String timeZone, String hardware) {
    return signed(new JWSHeader.Builder(JWSAlgorithm.ES256).type(new JOSEObjectType("dbsc+jwt")).jwk(key.toPublicJWK()).build(),
        byPage(challenge, timeZone, hardware));
  }

  public String proofByPage(String challenge, String timeZone, String hardware) {
    return proof("dbsc+jwt", byPage(challenge, timeZone, hardware));
  }

  private static JWTClaimsSet byPage(String challenge, String timeZone, String hardware) {
    return new JWTClaimsSet.Builder().jwtID(challenge).claim("zoneinfo", timeZone).claim("hardware", hardware).build();
  }

  public String proof(String challenge) {
    return proof("dbsc+jwt", new JWTClaimsSet.Builder().jwtID(challenge).build());
  }

  public String proof(String type, JWTClaimsSet claims) {
    return signed(new JWSHeader.Builder(JWSAlgorithm.ES256).type(new JOSEObjectType(type)).build(), claims);
  }

  /** A registration that names the key of another device. */
  public String registrationOf(TestDevice other, String challenge) {
    return signed(
        new JWSHeader.Builder(JWSAlgorithm.ES256).type(new JOSEObjectType("dbsc+jwt")).jwk(other.key.toPublicJWK()).build(),
        new JWTClaimsSet.Builder().jwtID(challenge).build());
  }

  private String signed(JWSHeader header, JWTClaimsSet claims) {
    try {
      SignedJWT jwt = new SignedJWT(header, claims);
      jwt.sign(new ECDSASigner(key));
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }
}
