package dev.gatehouse.common.saml;

import java.util.Optional;

/**
 * The reason for the refusal of a message: a closed list, for audit and tests. People and partners see one generic text.
 *
 * @param detail for the log; never a whole message
 * @param issuer that the message claims, for the log; empty if the message could not be read that far
 */
public record SamlRefusal(Reason reason, String detail, Optional<String> issuer) {

  /** Creates the refusal of a message whose Issuer is not known. */
  public SamlRefusal(Reason reason, String detail) {
    this(reason, detail, Optional.empty());
  }

  /** Returns a refusal unless the rule is satisfied. */
  public static Optional<SamlRefusal> unless(boolean satisfied, Reason reason, String detail) {
    return satisfied ? Optional.empty() : Optional.of(new SamlRefusal(reason, detail));
  }

  /** Returns this refusal with the Issuer that the message claims. */
  public SamlRefusal claimedBy(String claimed) {
    return new SamlRefusal(reason, detail, Optional.of(claimed));
  }

  /** Reasons, in about the order of the checks. */
  public enum Reason {
    NO_MESSAGE,
    PARAMETERS_MALFORMED,
    RELAY_STATE_TOO_LONG,
    NOT_BASE64,
    NOT_DEFLATE,
    INFLATED_TOO_LARGE,
    MESSAGE_TOO_LARGE,
    XML_NOT_WELL_FORMED,
    XML_DOCTYPE,
    XML_TOO_COMPLEX,
    XML_PROCESSING_INSTRUCTION,
    XML_DUPLICATE_ID,
    SOAP_MALFORMED,
    SOAP_VERSION,
    SOAP_MUST_UNDERSTAND,
    SOAP_FAULT,
    UNEXPECTED_MESSAGE,
    SCHEMA,
    VERSION,
    ISSUER_MISSING,
    PARTNER_UNKNOWN,
    PARTNER_METADATA_UNAVAILABLE,
    SIGNATURE_MISSING,
    SIGNATURE_MALFORMED,
    SIGNATURE_ALGORITHM,
    SIGNATURE_REFERENCE,
    SIGNATURE_TRANSFORM,
    SIGNATURE_INVALID,
    DESTINATION,
    RECIPIENT,
    AUDIENCE,
    ISSUER_MISMATCH,
    STATUS_NOT_SUCCESS,
    ASSERTION_COUNT,
    ASSERTION_ENCRYPTED,
    ENCRYPTION_ALGORITHM,
    DECRYPTION_FAILED,
    SUBJECT_MISSING,
    CONFIRMATION,
    IN_RESPONSE_TO,
    UNSOLICITED,
    ISSUED_BEFORE_START,
    NOT_YET_VALID,
    EXPIRED,
    VALIDITY_TOO_LONG,
    AUTHN_STATEMENT_MISSING,
    AUTHN_CONTEXT,
    AUTHN_NOT_FRESH,
    SESSION_EXPIRED,
    LOGGED_OUT,
    REPLAYED,
    OTHER_BROWSER,
    /** The request was too large for a cookie, and memory has lost it. */
    REQUEST_LOST,
    TOO_MANY_PENDING_RESPONSES,
    LINK_NAME_ID,
    LINK_NO_MATCH,
    LINK_ACCOUNT_TAKEN,
    LINK_ACCOUNT_GONE,
    ACS_NOT_LISTED,
    NO_ENDPOINT,
    NEW_ID_UNUSABLE,
    NAME_ID_FOREIGN,
    NAME_ID_UNKNOWN,
    ARTIFACT_MALFORMED,
    ARTIFACT_SOURCE_UNKNOWN,
    ARTIFACT_ENDPOINT_UNKNOWN,
    ARTIFACT_OTHER_PARTNER,
    ARTIFACT_UNRESOLVED,
    BACK_CHANNEL_FAILED
  }
}
