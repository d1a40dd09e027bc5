package dev.gatehouse.idp.otp.radius;

/** Why an authentic Access-Request is rejected by RADIUS itself, whatever its passcode. The client's log gets the sentence, too. */
enum Rejection {
  /** EAP-Message: EAP ends at a server that speaks it, such as FreeRADIUS, which passes on PAP. */
  EAP_NOT_ACCEPTED("EAP is not accepted here: end EAP-TTLS at a server in front that passes on PAP"),
  /** CHAP-Password: a token code and PIN cannot be compared with a hash. */
  CHAP_NOT_ACCEPTED("CHAP is not accepted here: configure PAP"),
  /** MS-CHAP in attributes of Microsoft (RFC 2548). */
  MSCHAP_NOT_ACCEPTED("MS-CHAP is not accepted here: configure PAP"),
  /** No User-Name, several, or one with control characters or without UTF-8: somebody typed it so, or the client is wrong. */
  NAME_MISSING(""),
  /** No User-Password, several, an empty one, or one without the form of one. */
  PASSWORD_MISSING(""),
  /** More than one State. */
  STATE_AMBIGUOUS("The request has several State attributes"),
  /** Eight passcodes of one Calling-Station-Id are being checked: nothing was checked or counted. */
  PLACE_CROWDED(""),
  /** The person has none of the client's {@code roles}. */
  ROLE_MISSING(""),
  /** None of {@code replies} fits the person. */
  NO_REPLY_FITS("");

  private final String sentence;

  Rejection(String sentence) {
    this.sentence = sentence;
  }

  /** Returns what the client's log gets; empty if the person reads a text in the client's language. */
  String sentence() {
    return sentence;
  }
}
