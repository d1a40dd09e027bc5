package dev.gatehouse.common.saml;

/**
 * Why a message was refused: a closed list, for audit and tests; people and partners see one generic text.
 *
 * @param detail for the log; never a whole message
 */
public record SamlRefusal(Reason reason, String detail) {

  /** Reasons, in about the order in which they are looked at. */
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
    SUBJECT_MISSING,
    CONFIRMATION,
    IN_RESPONSE_TO,
    UNSOLICITED,
    ISSUED_BEFORE_START,
    NOT_YET_VALID,
    EXPIRED,
    AUTHN_STATEMENT_MISSING,
    SESSION_EXPIRED,
    REPLAYED,
    OTHER_BROWSER,
    TOO_MANY_PARKED,
    ACS_NOT_LISTED,
    NO_ENDPOINT
  }
}
