package dev.gatehouse.common.saml.encryption;

import java.util.Optional;
import javax.crypto.spec.OAEPParameterSpec;

/** The encryption of a content key: RSA-OAEP (XML Encryption 1.1, section 5.5.2) in two forms. RSA 1.5 is not supported. */
public enum KeyTransport {
  /** SHA-1 for mask and digest, which does no harm here; every product reads this form. */
  RSA_OAEP_MGF1P(
      "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p",
      "http://www.w3.org/2000/09/xmldsig#sha1",
      "http://www.w3.org/2009/xmlenc11#mgf1sha1"),

  /** SHA-256 for both, for partners whose metadata lists it. */
  RSA_OAEP_SHA256(
      "http://www.w3.org/2009/xmlenc11#rsa-oaep",
      "http://www.w3.org/2001/04/xmlenc#sha256",
      "http://www.w3.org/2009/xmlenc11#mgf1sha256");

  private final String uri;
  private final String digestUri;
  private final String maskUri;

  KeyTransport(String uri, String digestUri, String maskUri) {
    this.uri = uri;
    this.digestUri = digestUri;
    this.maskUri = maskUri;
  }

  public String uri() {
    return uri;
  }

  public String digestUri() {
    return digestUri;
  }

  public String maskUri() {
    return maskUri;
  }

  OAEPParameterSpec oaep() {
    return Oaep.of(Optional.of(digestUri), Optional.of(maskUri)).orElseThrow();
  }

  /** Returns the mask if it must be written: the older form always means SHA-1. */
  public Optional<String> writtenMask() {
    return this == RSA_OAEP_MGF1P ? Optional.empty() : Optional.of(maskUri);
  }
}
