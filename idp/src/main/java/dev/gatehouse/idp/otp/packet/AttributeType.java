package dev.gatehouse.idp.otp.packet;

/** A type of attributes that something here reads or writes; all others are left alone (RFC 2865, section 5). */
public enum AttributeType {
  USER_NAME(1),
  USER_PASSWORD(2),
  CHAP_PASSWORD(3),
  NAS_IP_ADDRESS(4),
  FILTER_ID(11),
  REPLY_MESSAGE(18),
  STATE(24),
  CLASS(25),
  VENDOR_SPECIFIC(26),
  SESSION_TIMEOUT(27),
  CALLING_STATION_ID(31),
  NAS_IDENTIFIER(32),
  PROXY_STATE(33),
  ACCT_STATUS_TYPE(40),
  ACCT_INPUT_OCTETS(42),
  ACCT_OUTPUT_OCTETS(43),
  ACCT_SESSION_ID(44),
  ACCT_SESSION_TIME(46),
  ACCT_TERMINATE_CAUSE(49),
  TUNNEL_TYPE(64),
  TUNNEL_MEDIUM_TYPE(65),
  EAP_MESSAGE(79),
  MESSAGE_AUTHENTICATOR(80),
  TUNNEL_PRIVATE_GROUP_ID(81);

  private final int number;

  AttributeType(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
