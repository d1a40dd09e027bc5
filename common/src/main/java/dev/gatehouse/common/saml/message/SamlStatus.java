package dev.gatehouse.common.saml.message;

import java.util.Optional;

/**
 * A Status (SAML Core 3.2.2).
 *
 * @param code top-level status code, a URI
 * @param subCode second-level status code, a URI
 */
public record SamlStatus(String code, Optional<String> subCode, Optional<String> message) {

  private static final String PREFIX = "urn:oasis:names:tc:SAML:2.0:status:";

  public static final String SUCCESS = PREFIX + "Success";
  public static final String REQUESTER = PREFIX + "Requester";
  public static final String RESPONDER = PREFIX + "Responder";
  public static final String VERSION_MISMATCH = PREFIX + "VersionMismatch";
  public static final String NO_PASSIVE = PREFIX + "NoPassive";
  public static final String AUTHN_FAILED = PREFIX + "AuthnFailed";
  public static final String NO_AUTHN_CONTEXT = PREFIX + "NoAuthnContext";
  public static final String INVALID_NAMEID_POLICY = PREFIX + "InvalidNameIDPolicy";
  public static final String REQUEST_DENIED = PREFIX + "RequestDenied";
  public static final String REQUEST_UNSUPPORTED = PREFIX + "RequestUnsupported";
  public static final String UNSUPPORTED_BINDING = PREFIX + "UnsupportedBinding";
  public static final String NO_SUPPORTED_IDP = PREFIX + "NoSupportedIDP";
  public static final String REQUEST_VERSION_TOO_HIGH = PREFIX + "RequestVersionTooHigh";
  public static final String REQUEST_VERSION_TOO_LOW = PREFIX + "RequestVersionTooLow";
  public static final String UNKNOWN_PRINCIPAL = PREFIX + "UnknownPrincipal";
  public static final String PARTIAL_LOGOUT = PREFIX + "PartialLogout";

  public static SamlStatus success() {
    return new SamlStatus(SUCCESS, Optional.empty(), Optional.empty());
  }

  public static SamlStatus of(String code, String subCode) {
    return new SamlStatus(code, Optional.of(subCode), Optional.empty());
  }

  /** Adds a text for the partner's administrators. */
  public SamlStatus because(String text) {
    return new SamlStatus(code, subCode, Optional.of(text));
  }

  public boolean isSuccess() {
    return code.equals(SUCCESS);
  }
}
