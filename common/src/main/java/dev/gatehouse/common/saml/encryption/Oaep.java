package dev.gatehouse.common.saml.encryption;

import java.security.spec.MGF1ParameterSpec;
import java.util.Map;
import java.util.Optional;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of RSA-OAEP by their URIs (XML Encryption 1.1, section 5.5.2); both default to SHA-1.
 */
final class Oaep {

  private static final Map<String, String> DIGESTS =
      Map.of(
          "http://www.w3.org/2000/09/xmldsig#sha1", "SHA-1",
          "http://www.w3.org/2001/04/xmlenc#sha256", "SHA-256",
          "http://www.w3.org/2001/04/xmldsig-more#sha384", "SHA-384",
          "http://www.w3.org/2001/04/xmlenc#sha384", "SHA-384",
          "http://www.w3.org/2001/04/xmlenc#sha512", "SHA-512");

  private static final Map<String, MGF1ParameterSpec> MASKS =
      Map.of(
          "http://www.w3.org/2009/xmlenc11#mgf1sha1", MGF1ParameterSpec.SHA1,
          "http://www.w3.org/2009/xmlenc11#mgf1sha256", MGF1ParameterSpec.SHA256,
          "http://www.w3.org/2009/xmlenc11#mgf1sha384", MGF1ParameterSpec.SHA384,
          "http://www.w3.org/2009/xmlenc11#mgf1sha512", MGF1ParameterSpec.SHA512);

  private Oaep() {}

  /** Returns the parameters; empty if one of them is not known. */
  static Optional<OAEPParameterSpec> of(Optional<String> digest, Optional<String> mask) {
    @Nullable String digestName = digest.isEmpty() ? "SHA-1" : DIGESTS.get(digest.get());
    @Nullable MGF1ParameterSpec maskSpec = mask.isEmpty() ? MGF1ParameterSpec.SHA1 : MASKS.get(mask.get());
    return digestName == null || maskSpec == null
        ? Optional.empty()
        : Optional.of(new OAEPParameterSpec(digestName, "MGF1", maskSpec, PSource.PSpecified.DEFAULT));
  }
}
