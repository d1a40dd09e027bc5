package dev.gatehouse.common.jose;

import dev.gatehouse.common.realm.ClientConfig.JwsName;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;

/** The platform's signature objects for JWS algorithms (RFC 7518, sections 3.3 to 3.5; RFC 8037, section 3.1). */
public final class JwsSignatures {

  private static final int SALT_BYTES = 32;
  private static final PSSParameterSpec PS256 =
      new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, SALT_BYTES, PSSParameterSpec.TRAILER_FIELD_BC);

  private JwsSignatures() {}

  /** Creates an object that still has to be initialised. ECDSA values are R and S in sequence, as in JWS. */
  public static Signature of(JwsName algorithm) throws GeneralSecurityException {
    return switch (algorithm) {
      case RS256 -> Signature.getInstance("SHA256withRSA");
      case PS256 -> {
        Signature signature = Signature.getInstance("RSASSA-PSS");
        signature.setParameter(PS256);
        yield signature;
      }
      case ES256 -> Signature.getInstance("SHA256withECDSAinP1363Format");
      case EDDSA -> Signature.getInstance("Ed25519");
      case HS256 -> throw new IllegalArgumentException("no public key algorithm: " + algorithm);
    };
  }
}
