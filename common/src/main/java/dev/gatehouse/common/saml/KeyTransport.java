package dev.gatehouse.common.saml;

import java.util.Optional;
import javax.crypto.spec.OAEPParameterSpec;

/** How we send a content's key: RSA-OAEP (XML Encryption 1.1, section 5.5.2) in two forms. RSA 1.5 is none of them. */
public enum KeyTransport {
  /** With SHA-1 as mask and digest, which harms nothing here; the form that every product reads. */
  RSA_OAEP_MGF1P(
      "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p",
      "http://www.w3.org/2000/09/xmldsig#sha1",
      "http://www.w3.org/2009/xmlenc11#mgf1sha1"),

  /** With SHA-256 for both; for partners whose metadata lists it. */
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

  String digestUri() {
    return digestUri;
  }

  String maskUri() {
    return maskUri;
  }

  OAEPParameterSpec oaep() {
    return Oaep.of(Optional.of(digestUri), Optional.of(maskUri)).orElseThrow();
  }

  /** The mask where it must be said: the older form means SHA-1 always. */
  Optional<String> writtenMask() {
    return this == RSA_OAEP_MGF1P ? Optional.empty() : Optional.of(maskUri);
  }
}
