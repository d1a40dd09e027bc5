package dev.gatehouse.common.jose;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A client's key pair, with which tests sign any content. */
public record TestKey(String id, KeyPair pair, Map<String, Object> jwk) {

  public static TestKey rsa(String id) {
    KeyPair pair = generate("RSA", 2048);
    return new TestKey(id, pair, new RSAKey.Builder((RSAPublicKey) pair.getPublic()).keyID(id).build().toJSONObject());
  }

  public static TestKey p256(String id) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair pair = generator.generateKeyPair();
      return new TestKey(
          id, pair, new ECKey.Builder(Curve.P_256, (ECPublicKey) pair.getPublic()).keyID(id).build().toJSONObject());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public static TestKey ed25519(String id) {
    KeyPair pair = generate("Ed25519", 0);
    byte[] encoded = pair.getPublic().getEncoded();
    byte[] x = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    return new TestKey(id, pair, Map.of("kty", "OKP", "crv", "Ed25519", "x", base64(x), "kid", id));
  }

  private static KeyPair generate(String algorithm, int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      if (bits > 0) {
        generator.initialize(bits);
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a JWK Set of this key only. */
  public String jwks() {
    return StrictJson.write(Map.of("keys", java.util.List.of(jwk)));
  }

  /** A header with {@code alg} and {@code kid}. */
  public String sign(JwsName algorithm, Map<String, Object> claims) {
    return sign(algorithm, Map.of("alg", algorithm.value(), "kid", id), claims);
  }

  /** Signs by the algorithm, whatever the header says. */
  public String sign(JwsName algorithm, Map<String, Object> header, Map<String, Object> claims) {
    String signed = json(header) + "." + json(claims);
    return signed + "." + base64(signature(algorithm, signed.getBytes(StandardCharsets.US_ASCII)));
  }

  /** A DPoP proof's header: {@code typ} and the public key itself. */
  public Map<String, Object> proofHeader(JwsName algorithm) {
    Map<String, Object> bare = new LinkedHashMap<>(jwk);
    bare.remove("kid");
    return Map.of("alg", algorithm.value(), "typ", "dpop+jwt", "jwk", bare);
  }

  /** Signs by HS256. */
  public static String hmac(byte[] secret, Map<String, Object> header, Map<String, Object> claims) {
    String signed = json(header) + "." + json(claims);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return signed + "." + base64(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] signature(JwsName algorithm, byte[] signed) {
    try {
      Signature signature =
          Signature.getInstance(
              switch (algorithm) {
                case RS256 -> "SHA256withRSA";
                case PS256 -> "RSASSA-PSS";
                case ES256 -> "SHA256withECDSAinP1363Format";
                case EDDSA -> "Ed25519";
                case HS256 -> throw new IllegalArgumentException("a secret signs that");
              });
      if (algorithm == JwsName.PS256) {
        signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
      }
      signature.initSign(pair.getPrivate());
      signature.update(signed);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String json(Map<String, Object> members) {
    return base64(StrictJson.write(members).getBytes(StandardCharsets.UTF_8));
  }

  static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
