package dev.gatehouse.perf.http;

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
import java.io.IOException;

/** The key of a browser for Device Bound Session Credentials. */
final class DeviceKey {

  private final ECKey key;

  private DeviceKey(ECKey key) {
    this.key = key;
  }

  static DeviceKey create() {
    try {
      return new DeviceKey(new ECKeyGenerator(Curve.P_256).generate());
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The registration of the key: a JWT with the challenge. */
  String registration(String challenge) {
    try {
      SignedJWT jwt =
          new SignedJWT(
              new JWSHeader.Builder(JWSAlgorithm.ES256).type(new JOSEObjectType("dbsc+jwt")).jwk(key.toPublicJWK()).build(),
              new JWTClaimsSet.Builder().jwtID(challenge).build());
      jwt.sign(new ECDSASigner(key));
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a parameter of the field with which a server invites to register a key. */
  static String parameter(String invitation, String name) throws IOException {
    String start = ";" + name + "=\"";
    int from = invitation.indexOf(start);
    if (from < 0) {
      throw new IOException("no " + name + " in " + invitation);
    }
    return invitation.substring(from + start.length(), invitation.indexOf('"', from + start.length()));
  }
}
